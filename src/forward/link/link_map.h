/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and maps the memory of a session. */
#ifndef WEIR_LINK_LINK_MAP_H
#define WEIR_LINK_LINK_MAP_H

#include "spec/forward.h"
#include "wire/direct_layout.h"

struct weir_link_map {
	const char *directory, *presence; /* a file there */
	struct weir_op_attach_out about;
	int memory, board; /* stay the caller's */
};

/* Fills in weir_link, its page last. 0 or -errno, then nothing is mapped. */
int weir_link_map(const struct weir_link_map *map);

/*
 * The board and the direct table, by the names that they have in the runtime
 * directory; the board is weir_link's then. NULL: one of them cannot be had.
 */
struct weir_direct *weir_link_map_direct(const char *directory);

#endif
