/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps each file name once and numbers it from 1. */
#ifndef WEIR_EVENT_NAMES_H
#define WEIR_EVENT_NAMES_H

#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

/* Zero it to begin. */
struct weir_names {
	struct weir_bytes text; /* all names, each followed by NUL */
	uint64_t *starts;       /* of name i + 1 in the text */
	uint32_t count, room; /* numbers given; our own names of them */
	uint32_t *places; /* by hash: numbers; 0: nobody's */
	uint32_t place_count; /* a power of two */
	uint64_t most; /* bytes that all may take; 0: any number */
	const struct weir_names *base; /* whose names these go on from */
	uint32_t base_count;	       /* so many of them are numbered here */
};

/* Begins with all names of another set, with their numbers; it is borrowed. */
void weir_names_init_upon(struct weir_names *names,
			  const struct weir_names *base);

void weir_names_fini(struct weir_names *names);

/*
 * Gives the name's number, a new one when it has none; 0 or -errno, -EFBIG when
 * there are more than the most.
 */
int weir_names_add(struct weir_names *names, const void *name, size_t len,
		   uint32_t *ret_number);

/* What all take, with what it takes to find them; without those of a base. */
uint64_t weir_names_bytes(const struct weir_names *names);

/* NULL when there is no such number; terminated, and never freed singly. */
const char *weir_names_get(const struct weir_names *names, uint32_t number,
			   size_t *ret_len);

/* Appends the names from..to-1 in the form of a NAMES payload. */
int weir_names_put(const struct weir_names *names, uint32_t from, uint32_t to,
		   struct weir_bytes *payload);

#endif
