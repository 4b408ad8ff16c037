/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps numbers of one file to those of its reader, in little memory. */
#ifndef WEIR_READ_NUMBERING_H
#define WEIR_READ_NUMBERING_H

#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Most numbers follow each other, so they lie in pages: 5 bytes for each, and
 * not 64 as in a map. Those that do not cost a page. Zero it to begin.
 */
struct weir_numbering {
	struct weir_map pages; /* number / a page's to its place + 1 */
	uint32_t *numbers;
	size_t count, room; /* of pages */
};

void weir_numbering_fini(struct weir_numbering *numbering);

/* In place of what it was; 0 or -ENOMEM. */
int weir_numbering_put(struct weir_numbering *numbering, uint64_t number,
		       uint32_t becomes);

/* 0: nobody has told. */
uint32_t weir_numbering_get(const struct weir_numbering *numbering,
			    uint64_t number);

#endif
