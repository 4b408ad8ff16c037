/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for what other processes do for calls, and tells where it belongs. */
#ifndef WEIR_TREE_TREEWAITS_H
#define WEIR_TREE_TREEWAITS_H

#include "export/tree/treeline.h"
#include "trace/bytes/map.h"

#include <stdbool.h>
#include <stdint.h>

/* Lines for which more is to come from other processes. Zero it to begin. */
struct weir_treewaits {
	struct weir_map causes; /* by `cid', to the wait */
	struct weir_map batches;
	struct weir_treeline_wait *list;
	struct weir_treeline_batch *batch_list;
};

/* Whether the call of this `cid' has come, and more is to come for it. */
bool weir_treewaits_has(const struct weir_treewaits *waits, uint64_t cid);

/* Below which line of another process a call stands; NULL: none. */
struct weir_treeline *
weir_treewaits_host(const struct weir_treewaits *waits,
		    const struct weir_treeline_call *call);

/* Notes what is to come for a line that was added. 0 or -ENOMEM. */
int weir_treewaits_add(struct weir_treewaits *waits, struct weir_treeline *line,
		       const struct weir_treeline_call *call);

/* The line is shown: what is done for it comes too late. */
void weir_treewaits_leave(struct weir_treeline *line);

void weir_treewaits_fini(struct weir_treewaits *waits);

#endif
