/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of calls while they grow, until they can be shown whole. */
#include "export/treebuffer.h"

#include "export/treewaits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lines do not know their buffer, which counts their bytes. */
static size_t size_of(const struct weir_treebuffer_line *line)
{
	return sizeof(*line) + line->text_len;
}

void weir_treebuffer_init(struct weir_treebuffer *buffer, size_t most,
			  void (*show)(void *context,
				       struct weir_treebuffer_line *first),
			  void *context)
{
	*buffer = (struct weir_treebuffer){
		.show = show, .context = context, .most = most,
	};
	buffer->trees_end = &buffer->trees;
}

static void put_node(struct weir_treebuffer_node *node)
{
	if (node && !--node->refs)
		free(node);
}

void weir_treebuffer_put_batch(struct weir_treebuffer_batch *batch)
{
	if (batch && !--batch->refs)
		free(batch);
}

void weir_treebuffer_put(struct weir_treebuffer_line *line)
{
	while (line && !--line->refs) {
		struct weir_treebuffer_line *parent = line->parent;

		weir_treebuffer_put(line->again);
		put_node(line->node);
		weir_treebuffer_put_batch(line->batch);
		free(line);
		line = parent;
	}
}

struct weir_treebuffer_line *
weir_treebuffer_get(struct weir_treebuffer_line *line)
{
	if (line)
		line->refs++;
	return line;
}

/* A call that nobody knows the end of is over when others follow it. */
void weir_treebuffer_let_go(void *own)
{
	struct weir_treebuffer_line *line = own;

	if (line->tree && line->tree->end == UINT64_MAX)
		line->tree->end = 0;
	weir_treebuffer_put(line);
}

static struct weir_treebuffer_line *
make_line(struct weir_treebuffer *buffer, enum weir_treebuffer_kind kind,
	  const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_line *line =
		calloc(1, sizeof(*line) + call->text_len);

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
static int plant(struct weir_treebuffer *buffer,
		 struct weir_treebuffer_line *line)
{
	struct weir_treebuffer_tree *tree = malloc(sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	*tree = (struct weir_treebuffer_tree){.first = line, .end = line->end};
	line->tree = tree;
	*buffer->trees_end = tree;
	buffer->trees_end = &tree->next;
	return 0;
}

/* Behind all that is below the parent so far. */
static void hang(struct weir_treebuffer_line *parent,
		 struct weir_treebuffer_line *line)
{
	struct weir_treebuffer_line *after = parent->last;

	line->parent = weir_treebuffer_get(parent);
	line->is_shared = parent->is_shared;
	line->level = parent->level + 1;
	line->next = after->next;
	after->next = line;
	for (; parent && parent->last == after; parent = parent->parent)
		parent->last = line;
}

static int put_below(struct weir_treebuffer *buffer,
		     struct weir_treebuffer_line *parent,
		     struct weir_treebuffer_line *line)
{
	if (!parent)
		return plant(buffer, line);
	hang(parent, line);
	return 0;
}

/* Where a call's line belongs when that of its caller was shown already. */
static int find_open(struct weir_treebuffer *buffer,
		     struct weir_treebuffer_line **line)
{
	struct weir_treebuffer_line *shown = *line;

	if (!shown || !shown->is_shown)
		return 0;
	if (!shown->again || shown->again->is_shown) {
		struct weir_treebuffer_call call = {
			.id = shown->id, .start = shown->start,
			.dur = shown->dur, .end = shown->end,
			.layer = shown->layer, .text = shown->text,
			.text_len = shown->text_len,
		};
		struct weir_treebuffer_line *again =
			make_line(buffer, WEIR_TREEBUFFER_AGAIN, &call);

		if (!again || plant(buffer, again))
			return -ENOMEM;
		again->is_shared = shown->is_shared;
		again->is_foreign = shown->is_foreign;
		again->tree->awaited = shown->wait ? shown->wait->awaited : 0;
		weir_treebuffer_put(shown->again);
		shown->again = weir_treebuffer_get(again);
	}
	*line = shown->again;
	return 0;
}

static struct weir_treebuffer_line *top_of(struct weir_treebuffer_line *line)
{
	while (line->parent)
		line = line->parent;
	return line;
}

/* The tree that a line belongs to; NULL: that was shown. */
struct weir_treebuffer_tree *
weir_treebuffer_tree_of(struct weir_treebuffer_line *line)
{
	while (line && line->is_shown)
		line = line->again;
	while (line && !line->tree)
		line = line->parent ? line->parent :
		       line->node   ? line->node->place : NULL;
	return line ? line->tree : NULL;
}

static void tell_above(struct weir_treebuffer_line *line);

/* What is done for several has the callers of all of them. */
void weir_treebuffer_tell_parts(struct weir_treebuffer_batch *batch)
{
	const struct weir_treebuffer_wait *part = batch->parts;

	if (batch->has_wanted)
		return;
	batch->has_wanted = true;
	for (; part; part = part->next)
		tell_above(part->line);
}

static void tell_above(struct weir_treebuffer_line *line)
{
	for (; line; line = line->parent) {
		line->has_wanted = true;
		if (line->does_batch)
			weir_treebuffer_tell_parts(line->batch);
		if (line->parent || !line->node ||
		    line->kind != WEIR_TREEBUFFER_CALL)
			continue;
		line->node->has_wanted = true;
		tell_above(line->node->place);
	}
}

static void want(struct weir_treebuffer_line *line)
{
	line->is_wanted = true;
	tell_above(line);
}

static void set_frame(struct weir_tree_frame *frame,
		      struct weir_treebuffer_line *line)
{
	if (frame)
		frame->own = weir_treebuffer_get(line);
}

static int add_call(struct weir_treebuffer *buffer,
		    struct weir_treebuffer_line *parent,
		    struct weir_tree_frame *frame,
		    const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_line *line =
		make_line(buffer, WEIR_TREEBUFFER_CALL, call);

	if (!line || put_below(buffer, parent, line))
		return -ENOMEM;
	set_frame(frame, line);
	line->is_cause = call->is_cause;
	line->is_foreign = parent && parent->id.proc != call->id.proc;
	if (call->is_wanted)
		want(line);
	if (call->ends_wanted)
		want(parent ? parent : line);
	return 0;
}

/* The one that has come first brings the node's own line with it. */
static struct weir_treebuffer_node *
begin_node(struct weir_treebuffer *buffer, struct weir_treebuffer_line *parent,
	   const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_node *node = calloc(1, sizeof(*node));
	struct weir_treebuffer_line *line, *top;

	if (!node)
		return NULL;
	node->refs = 1;
	node->who = *call->node;
	node->first = call->id;
	line = make_line(buffer, WEIR_TREEBUFFER_NODE, call);
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
static int refer(struct weir_treebuffer *buffer,
		 struct weir_treebuffer_line *parent,
		 struct weir_treebuffer_node *node,
		 const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_line *line =
		make_line(buffer, WEIR_TREEBUFFER_MEMBER, call);

	if (!line)
		return -ENOMEM;
	line->node = node;
	node->refs++;
	hang(parent, line);
	return 0;
}

static uint32_t rank_of(const struct weir_collective_node *who, uint32_t proc)
{
	size_t i = 0;

	while (i + 1 < who->count && who->members[i].proc != proc)
		i++;
	return who->members[i].rank;
}

static int join(struct weir_treebuffer *buffer,
		struct weir_treebuffer_node *node,
		struct weir_tree_frame *frame,
		const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_member *member = malloc(sizeof(*member));
	struct weir_treebuffer_member **link = &node->members;
	struct weir_treebuffer_line *line;

	if (!member)
		return -ENOMEM;
	line = make_line(buffer, WEIR_TREEBUFFER_CALL, call);
	if (!line) {
		free(member);
		return -ENOMEM;
	}
	member->rank = rank_of(&node->who, call->id.proc);
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
		want(line);
	return 0;
}

static int add_member(struct weir_treebuffer *buffer,
		      struct weir_treebuffer_line *parent,
		      struct weir_tree_frame *frame,
		      const struct weir_treebuffer_call *call)
{
	uint64_t found =
		weir_map_get(&buffer->nodes, (uintptr_t)call->node->members);
	struct weir_treebuffer_node *node =
		(struct weir_treebuffer_node *)(uintptr_t)found;

	if (!node)
		node = begin_node(buffer, parent, call);
	else if (parent && refer(buffer, parent, node, call))
		return -ENOMEM;
	return node ? join(buffer, node, frame, call) : -ENOMEM;
}

int weir_treebuffer_add(struct weir_treebuffer *buffer,
			const struct weir_tree_frame *above,
			struct weir_tree_frame *frame,
			const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_line *parent =
		above ? above->own : weir_treewaits_host(buffer, call);
	int err = find_open(buffer, &parent);

	if (err)
		return err;
	/* Below a node each process is shown for itself. */
	if (call->node && call->node->count > 1 &&
	    !(parent && parent->is_shared))
		err = add_member(buffer, parent, frame, call);
	else
		err = add_call(buffer, parent, frame, call);
	return err || !frame ? err
			     : weir_treewaits_add(buffer, frame->own, call);
}

static void drop_lines(struct weir_treebuffer *buffer,
		       struct weir_treebuffer_line *line);

static void drop_node(struct weir_treebuffer *buffer,
		      struct weir_treebuffer_node *node)
{
	struct weir_treebuffer_member *member;

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
		       struct weir_treebuffer_line *line)
{
	while (line) {
		struct weir_treebuffer_line *next = line->next;

		if (line->kind == WEIR_TREEBUFFER_NODE)
			drop_node(buffer, line->node);
		weir_treewaits_leave(line);
		line->is_shown = true;
		line->next = NULL;
		line->last = line;
		line->tree = NULL;
		buffer->bytes -= size_of(line);
		weir_treebuffer_put(line);
		line = next;
	}
}

static void pop(struct weir_treebuffer *buffer)
{
	struct weir_treebuffer_tree *tree = buffer->trees;

	buffer->trees = tree->next;
	if (!tree->next)
		buffer->trees_end = &buffer->trees;
	drop_lines(buffer, tree->first);
	free(tree);
}

void weir_treebuffer_show(struct weir_treebuffer *buffer, uint64_t now)
{
	struct weir_treebuffer_tree *tree;

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
	weir_treewaits_fini(buffer);
	weir_map_fini(&buffer->nodes);
}
