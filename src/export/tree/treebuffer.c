/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps trees of calls while they grow, until they can be shown whole. */
#include "export/tree/treebuffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lines do not know their buffer, which counts their bytes. */
static size_t size_of(const struct weir_treeline *line)
{
	return sizeof(*line) + line->text_len;
}

void weir_treebuffer_init(struct weir_treebuffer *buffer, size_t most,
			  void (*show)(void *context,
				       struct weir_treeline *first),
			  void *context)
{
	*buffer = (struct weir_treebuffer){
		.show = show,
		.context = context,
		.most = most,
	};
	buffer->trees_end = &buffer->trees;
}

static struct weir_treeline *make_line(struct weir_treebuffer *buffer,
				       enum weir_treeline_kind kind,
				       const struct weir_treeline_call *call)
{
	struct weir_treeline *line = calloc(1, sizeof(*line) + call->text_len);

	if (!line)
		return NULL;
	line->kind = (uint8_t)kind;
	line->refs = 1;
	line->last = line;
	line->id = call->id;
	line->start = call->start;
	line->dur = call->dur;
	line->end = call->end;
	line->layer = call->layer;
	line->text_len = (uint32_t)call->text_len;
	memcpy(line->text, call->text, call->text_len);
	buffer->bytes += size_of(line);
	return line;
}

/* A new tree begins with the line. */
static int start_tree(struct weir_treebuffer *buffer,
		      struct weir_treeline *line)
{
	struct weir_treeline_tree *tree = malloc(sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	*tree = (struct weir_treeline_tree){.first = line, .end = line->end};
	line->tree = tree;
	*buffer->trees_end = tree;
	buffer->trees_end = &tree->next;
	return 0;
}

/* Behind all that is below the parent so far. */
static void put_last_below(struct weir_treeline *parent,
			   struct weir_treeline *line)
{
	struct weir_treeline *after = parent->last;

	line->parent = weir_treeline_get(parent);
	line->is_shared = parent->is_shared;
	line->level = parent->level + 1;
	line->next = after->next;
	after->next = line;
	for (; parent && parent->last == after; parent = parent->parent)
		parent->last = line;
}

static int put_below(struct weir_treebuffer *buffer,
		     struct weir_treeline *parent, struct weir_treeline *line)
{
	if (!parent)
		return start_tree(buffer, line);
	put_last_below(parent, line);
	return 0;
}

/* Where a call's line belongs when that of its caller was shown already. */
static int find_open(struct weir_treebuffer *buffer,
		     struct weir_treeline **line)
{
	struct weir_treeline *shown = *line;

	if (!shown || !shown->is_shown)
		return 0;
	if (!shown->again || shown->again->is_shown) {
		struct weir_treeline_call call = {
			.id = shown->id,
			.start = shown->start,
			.dur = shown->dur,
			.end = shown->end,
			.layer = shown->layer,
			.text = shown->text,
			.text_len = shown->text_len,
		};
		struct weir_treeline *again =
			make_line(buffer, WEIR_TREELINE_AGAIN, &call);

		if (!again || start_tree(buffer, again))
			return -ENOMEM;
		again->is_shared = shown->is_shared;
		again->is_foreign = shown->is_foreign;
		again->tree->awaited = shown->wait ? shown->wait->awaited : 0;
		weir_treeline_put(shown->again);
		shown->again = weir_treeline_get(again);
	}
	*line = shown->again;
	return 0;
}

static struct weir_treeline *top_of(struct weir_treeline *line)
{
	while (line->parent)
		line = line->parent;
	return line;
}

static void set_frame(struct weir_tree_frame *frame, struct weir_treeline *line)
{
	if (frame)
		frame->own = weir_treeline_get(line);
}

static int add_line_of(struct weir_treebuffer *buffer,
		       struct weir_treeline *parent,
		       struct weir_tree_frame *frame,
		       const struct weir_treeline_call *call)
{
	struct weir_treeline *line =
		make_line(buffer, WEIR_TREELINE_CALL, call);

	if (!line || put_below(buffer, parent, line))
		return -ENOMEM;
	set_frame(frame, line);
	line->is_cause = call->is_cause;
	line->is_foreign = parent && parent->id.proc != call->id.proc;
	if (call->is_wanted)
		weir_treeline_want(line);
	if (call->ends_wanted)
		weir_treeline_want(parent ? parent : line);
	return 0;
}

/* The one that has come first brings the node's own line with it. */
static struct weir_treeline_node *
begin_node(struct weir_treebuffer *buffer, struct weir_treeline *parent,
	   const struct weir_treeline_call *call)
{
	struct weir_treeline_node *node = calloc(1, sizeof(*node));
	struct weir_treeline *line, *top;

	if (!node)
		return NULL;
	node->refs = 1;
	node->who = *call->node;
	node->first = call->id;
	line = make_line(buffer, WEIR_TREELINE_NODE, call);
	if (!line || put_below(buffer, parent, line))
		return NULL;
	line->node = node;
	node->place = line;
	top = top_of(line);
	if (top->tree->node_end < node->who.end)
		top->tree->node_end = node->who.end;
	return weir_map_put(&buffer->nodes, (uintptr_t)call->node->members,
			    (uintptr_t)node)
		       ? NULL
		       : node;
}

/* In the place of a call whose line stands below a node elsewhere. */
static int refer(struct weir_treebuffer *buffer, struct weir_treeline *parent,
		 struct weir_treeline_node *node,
		 const struct weir_treeline_call *call)
{
	struct weir_treeline *line =
		make_line(buffer, WEIR_TREELINE_MEMBER, call);

	if (!line)
		return -ENOMEM;
	line->node = node;
	node->refs++;
	put_last_below(parent, line);
	return 0;
}

static uint32_t rank_of_member(const struct weir_collective_node *who,
			       uint32_t proc)
{
	size_t i = 0;

	while (i + 1 < who->count && who->members[i].proc != proc)
		i++;
	return who->members[i].rank;
}

static int join_node(struct weir_treebuffer *buffer,
		     struct weir_treeline_node *node,
		     struct weir_tree_frame *frame,
		     const struct weir_treeline_call *call)
{
	struct weir_treeline_member *member = malloc(sizeof(*member));
	struct weir_treeline_member **link = &node->members;
	struct weir_treeline *line;

	if (!member)
		return -ENOMEM;
	line = make_line(buffer, WEIR_TREELINE_CALL, call);
	if (!line) {
		free(member);
		return -ENOMEM;
	}
	member->rank = rank_of_member(&node->who, call->id.proc);
	member->line = line;
	while (*link && (*link)->rank <= member->rank)
		link = &(*link)->next;
	member->next = *link;
	*link = member;
	line->is_shared = true;
	line->node = node;
	node->refs++;
	set_frame(frame, line);
	if (call->is_wanted)
		weir_treeline_want(line);
	return 0;
}

static int add_member(struct weir_treebuffer *buffer,
		      struct weir_treeline *parent,
		      struct weir_tree_frame *frame,
		      const struct weir_treeline_call *call)
{
	uint64_t found =
		weir_map_get(&buffer->nodes, (uintptr_t)call->node->members);
	struct weir_treeline_node *node =
		(struct weir_treeline_node *)(uintptr_t)found;

	if (!node)
		node = begin_node(buffer, parent, call);
	else if (parent && refer(buffer, parent, node, call))
		return -ENOMEM;
	return node ? join_node(buffer, node, frame, call) : -ENOMEM;
}

int weir_treebuffer_add(struct weir_treebuffer *buffer,
			const struct weir_tree_frame *above,
			struct weir_tree_frame *frame,
			const struct weir_treeline_call *call)
{
	struct weir_treeline *parent =
		above ? above->own : weir_treewaits_host(&buffer->waits, call);
	int err = find_open(buffer, &parent);

	if (err)
		return err;
	/* Below a node each process is shown for itself. */
	if (call->node && call->node->count > 1 &&
	    !(parent && parent->is_shared))
		err = add_member(buffer, parent, frame, call);
	else
		err = add_line_of(buffer, parent, frame, call);
	return err || !frame
		       ? err
		       : weir_treewaits_add(&buffer->waits, frame->own, call);
}

static void drop_lines(struct weir_treebuffer *buffer,
		       struct weir_treeline *line);

static void drop_node(struct weir_treebuffer *buffer,
		      struct weir_treeline_node *node)
{
	struct weir_treeline_member *member;

	node->is_shown = true;
	node->place = NULL;
	weir_map_remove(&buffer->nodes, (uintptr_t)node->who.members);
	while ((member = node->members)) {
		node->members = member->next;
		drop_lines(buffer, member->line);
		free(member);
	}
}

/* They have been shown; some are still referred to. */
static void drop_lines(struct weir_treebuffer *buffer,
		       struct weir_treeline *line)
{
	while (line) {
		struct weir_treeline *next = line->next;

		if (line->kind == WEIR_TREELINE_NODE)
			drop_node(buffer, line->node);
		weir_treewaits_leave(line);
		line->is_shown = true;
		line->next = NULL;
		line->last = line;
		line->tree = NULL;
		buffer->bytes -= size_of(line);
		weir_treeline_put(line);
		line = next;
	}
}

static void pop(struct weir_treebuffer *buffer)
{
	struct weir_treeline_tree *tree = buffer->trees;

	buffer->trees = tree->next;
	if (!tree->next)
		buffer->trees_end = &buffer->trees;
	drop_lines(buffer, tree->first);
	free(tree);
}

void weir_treebuffer_show(struct weir_treebuffer *buffer, uint64_t now)
{
	struct weir_treeline_tree *tree;

	while ((tree = buffer->trees)) {
		bool is_over = now == UINT64_MAX ||
			       (tree->end < now && tree->node_end < now &&
				!tree->awaited);

		if (!is_over && buffer->bytes <= buffer->most)
			return;
		buffer->parted += !is_over;
		buffer->show(buffer->context, tree->first);
		pop(buffer);
	}
}

void weir_treebuffer_fini(struct weir_treebuffer *buffer)
{
	while (buffer->trees)
		pop(buffer);
	weir_treewaits_fini(&buffer->waits);
	weir_map_fini(&buffer->nodes);
}
