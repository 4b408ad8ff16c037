/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of trees of calls, and what they refer to while they are kept. */
#include "export/tree/treeline.h"

#include <stdlib.h>

static void put_node(struct weir_treeline_node *node)
{
	if (node && !--node->refs)
		free(node);
}

void weir_treeline_put_batch(struct weir_treeline_batch *batch)
{
	if (batch && !--batch->refs)
		free(batch);
}

void weir_treeline_put(struct weir_treeline *line)
{
	while (line && !--line->refs) {
		struct weir_treeline *parent = line->parent;

		weir_treeline_put(line->again);
		put_node(line->node);
		weir_treeline_put_batch(line->batch);
		free(line);
		line = parent;
	}
}

struct weir_treeline *weir_treeline_get(struct weir_treeline *line)
{
	if (line)
		line->refs++;
	return line;
}

/* A call that nobody knows the end of is over when others follow it. */
void weir_treeline_end_frame(void *own)
{
	struct weir_treeline *line = own;

	if (line->tree && line->tree->end == UINT64_MAX)
		line->tree->end = 0;
	weir_treeline_put(line);
}

/* The tree that a line belongs to; NULL: that was shown. */
struct weir_treeline_tree *weir_treeline_tree_of(struct weir_treeline *line)
{
	while (line && line->is_shown)
		line = line->again;
	while (line && !line->tree)
		line = line->parent ? line->parent
		       : line->node ? line->node->place
				    : NULL;
	return line ? line->tree : NULL;
}

static void tell_above(struct weir_treeline *line);

/* What is done for several has the callers of all of them. */
void weir_treeline_want_parts(struct weir_treeline_batch *batch)
{
	const struct weir_treeline_wait *part = batch->parts;

	if (batch->has_wanted)
		return;
	batch->has_wanted = true;
	for (; part; part = part->next)
		tell_above(part->line);
}

static void tell_above(struct weir_treeline *line)
{
	for (; line; line = line->parent) {
		line->has_wanted = true;
		if (line->does_batch)
			weir_treeline_want_parts(line->batch);
		if (line->parent || !line->node ||
		    line->kind != WEIR_TREELINE_CALL)
			continue;
		line->node->has_wanted = true;
		tell_above(line->node->place);
	}
}

void weir_treeline_want(struct weir_treeline *line)
{
	line->is_wanted = true;
	tell_above(line);
}
