/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths by which calls are made: call below call below call. */
#ifndef WEIR_PAGE_CALLPATHS_H
#define WEIR_PAGE_CALLPATHS_H

#include "trace/bytes/map.h"

#include <stdint.h>

#define WEIR_CALLPATHS_NONE   UINT32_MAX	/* above the outermost */
#define WEIR_CALLPATHS_OTHERS UINT32_C(0x20000) /* call: several, joined */
#define WEIR_CALLPATHS_MOST   65536 /* nodes that are told apart, about */

struct weir_callpath {
	uint32_t above; /* number of the node, or NONE */
	uint32_t call;	/* as weir_overview_call has it, or OTHERS */
	uint32_t depth;
	uint64_t time; /* ns, for who chooses among them */
};

/* Zero it to begin. Nodes come after those above them. */
struct weir_callpaths {
	struct weir_callpath *nodes;
	uint32_t count;
	size_t room;
	struct weir_map index; /* node above and call to number + 1 */
};

void weir_callpaths_fini(struct weir_callpaths *paths);

/*
 * The node of a call below another, made when it is new; when there are too
 * many, that of all others there. 0 or -ENOMEM.
 */
int weir_callpaths_get(struct weir_callpaths *paths, uint32_t above,
		       uint32_t call, uint32_t *ret_node);

/*
 * Adds the nodes of another; ret_numbers, to be freed, tells which of ours
 * each of them is.
 */
int weir_callpaths_merge(struct weir_callpaths *to,
			 const struct weir_callpaths *from,
			 uint32_t **ret_numbers);

/*
 * The `most` of nodes that took longest, each with those above it, in order;
 * the others are joined below the one that they would stand below. How many
 * were joined, or -ENOMEM; ret_numbers as above.
 */
int64_t weir_callpaths_choose(const struct weir_callpaths *from, uint32_t most,
			      struct weir_callpaths *ret_chosen,
			      uint32_t **ret_numbers);

#endif
