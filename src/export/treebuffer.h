/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of calls while they grow, until they can be shown whole. */
#ifndef WEIR_EXPORT_TREEBUFFER_H
#define WEIR_EXPORT_TREEBUFFER_H

#include "analyse/calls/collective.h"
#include "analyse/calls/tree.h"
#include "trace/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weir_treebuffer_kind {
	WEIR_TREEBUFFER_CALL,
	WEIR_TREEBUFFER_NODE,	/* one call of several processes: see `node` */
	WEIR_TREEBUFFER_MEMBER, /* a call that stands below such a node
				   elsewhere */
	WEIR_TREEBUFFER_AGAIN,	/* a call that was shown before it was over */
};

struct weir_treebuffer_node;
struct weir_treebuffer_tree;
struct weir_treebuffer_line;

/* A line that something is to come for, from other processes. */
struct weir_treebuffer_wait {
	struct weir_treebuffer_wait *next, **link;
	struct weir_treebuffer_line *line;
	uint64_t number;  /* `cid'; of a batch: 0 */
	uint64_t awaited; /* events that are to come; of a batch: see there */
};

/* What a server does for several at once. */
struct weir_treebuffer_batch {
	struct weir_treebuffer_batch *next, **link; /* until all has come */
	struct weir_treebuffer_wait
		*parts; /* lines it is done for, until shown */
	struct weir_treebuffer_line *first; /* of them */
	struct weir_tree_id doer; /* what does it; no process: to come */
	struct weir_tree_id host; /* which stands below this one */
	uint64_t number, awaited, count; /* count: of the parts */
	uint32_t refs;
	bool has_wanted;
};

/*
 * A line to be shown. Those of a tree are a list, each before what is below
 * it. A line lives as long as the list, its frame or a line below refers to it.
 */
struct weir_treebuffer_line {
	struct weir_treebuffer_line *next;
	struct weir_treebuffer_line *parent; /* NULL: the first of its list */
	struct weir_treebuffer_line *last; /* of those below; itself: none */
	struct weir_treebuffer_line
		*again; /* for what comes after it was shown */
	struct weir_treebuffer_node *node;
	struct weir_treebuffer_tree *tree; /* of the first line of a tree */
	struct weir_treebuffer_wait *wait, *part; /* NULL: nothing is to come */
	struct weir_treebuffer_batch *batch; /* that it is done by, or does */
	struct weir_tree_id id;
	uint64_t start; /* ns since the trace's first event */
	uint64_t dur;
	uint64_t end; /* CLOCK_REALTIME; UINT64_MAX: not known */
	const char *layer; /* may be NULL */
	uint32_t refs;
	uint32_t level; /* below the first of its list */
	uint32_t text_len;
	uint8_t kind;
	bool is_shared; /* a node is above */
	bool is_shown;
	bool is_wanted;
	bool is_cause; /* of what is beside it */
	bool has_wanted; /* below */
	bool is_foreign; /* below a line of another process */
	bool does_batch;
	char text[];
};

struct weir_treebuffer_member {
	struct weir_treebuffer_member *next;
	uint32_t rank;
	struct weir_treebuffer_line *line;
};

/* A collective call. */
struct weir_treebuffer_node {
	struct weir_collective_node who;
	struct weir_treebuffer_member *members; /* by rank */
	struct weir_treebuffer_line *place; /* its line, until it is shown */
	struct weir_tree_id first;
	uint32_t refs;
	bool is_shown;
	bool has_wanted;
};

struct weir_treebuffer_tree {
	struct weir_treebuffer_tree *next;
	struct weir_treebuffer_line *first;
	uint64_t end;	   /* of its first call */
	uint64_t node_end; /* of the last of its collective calls */
	uint64_t awaited; /* events of other processes that are to come */
};

struct weir_treebuffer {
	void (*show)(void *context, struct weir_treebuffer_line *first);
	void *context;
	size_t most; /* bytes of lines */
	size_t bytes;
	uint64_t parted; /* trees shown before they were over */
	struct weir_treebuffer_tree *trees, **trees_end; /* by start */
	struct weir_map nodes;
	struct weir_map causes; /* by `cid', to the wait */
	struct weir_map batches;
	struct weir_treebuffer_wait *waits;
	struct weir_treebuffer_batch *batch_list;
};

/* What is to become a line. */
struct weir_treebuffer_call {
	struct weir_tree_id id;
	uint64_t start, dur, end; /* as in a line */
	const char *layer;
	const char *text;
	size_t text_len;
	bool is_wanted;
	bool is_cause;
	bool ends_wanted; /* then its caller is wanted, with all below */
	const struct weir_collective_node *node; /* NULL: not collective */
	uint64_t cid, caused; /* its number, and events to come for it */
	uint64_t cause; /* the number of what it is done for, or 0 */
	uint64_t batch, doers; /* its key, and events to come that do it */
	bool does_batch;
};

void weir_treebuffer_init(struct weir_treebuffer *buffer, size_t most,
			  void (*show)(void *context,
				       struct weir_treebuffer_line *first),
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
			const struct weir_treebuffer_call *call);

/* Shows what is over now, in order of starts; UINT64_MAX: everything. */
void weir_treebuffer_show(struct weir_treebuffer *buffer, uint64_t now);

/* For weir_tree_new(). */
void weir_treebuffer_let_go(void *line);

/* Lines and what they refer to, for those who keep them. */
struct weir_treebuffer_line *
weir_treebuffer_get(struct weir_treebuffer_line *line);
void weir_treebuffer_put(struct weir_treebuffer_line *line);
void weir_treebuffer_put_batch(struct weir_treebuffer_batch *batch);

/* The tree that a line belongs to; NULL: that was shown. */
struct weir_treebuffer_tree *
weir_treebuffer_tree_of(struct weir_treebuffer_line *line);

/* What is done for several has the callers of all of them: wants these. */
void weir_treebuffer_tell_parts(struct weir_treebuffer_batch *batch);

#endif
