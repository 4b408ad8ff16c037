/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps trees of calls while they grow, until they can be shown whole. */
#ifndef WEIR_TREE_TREEBUFFER_H
#define WEIR_TREE_TREEBUFFER_H

#include "export/tree/treeline.h"
#include "export/tree/treewaits.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

struct weir_treebuffer {
	void (*show)(void *context, struct weir_treeline *first);
	void *context;
	size_t most; /* bytes of lines */
	size_t bytes;
	uint64_t parted; /* trees shown before they were over */
	struct weir_treeline_tree *trees, **trees_end; /* by start */
	struct weir_map nodes;
	struct weir_treewaits waits;
};

void weir_treebuffer_init(struct weir_treebuffer *buffer, size_t most,
			  void (*show)(void *context,
				       struct weir_treeline *first),
			  void *context);
void weir_treebuffer_fini(struct weir_treebuffer *buffer);

/*
 * Adds a call below that of the frame `above`; NULL: below what it is done
 * for, or on top. What refers to it goes into `frame`, which may be NULL. 0 or
 * -ENOMEM.
 */
int weir_treebuffer_add(struct weir_treebuffer *buffer,
			const struct weir_tree_frame *above,
			struct weir_tree_frame *frame,
			const struct weir_treeline_call *call);

/* Shows what is over now, in order of starts; UINT64_MAX: everything. */
void weir_treebuffer_show(struct weir_treebuffer *buffer, uint64_t now);

#endif
