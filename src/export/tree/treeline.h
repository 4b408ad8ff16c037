/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of trees of calls, and what they refer to while they are kept. */
#ifndef WEIR_TREE_TREELINE_H
#define WEIR_TREE_TREELINE_H

#include "analyse/calls/collective.h"
#include "analyse/calls/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weir_treeline_kind {
	WEIR_TREELINE_CALL,
	WEIR_TREELINE_NODE,   /* one call of several processes: see `node` */
	WEIR_TREELINE_MEMBER, /* whose line is elsewhere, below such a node */
	WEIR_TREELINE_AGAIN,  /* a call that was shown before it was over */
};

struct weir_treeline_node;
struct weir_treeline_tree;
struct weir_treeline;

/* A line that something is to come for, from other processes. */
struct weir_treeline_wait {
	struct weir_treeline_wait *next, **link;
	struct weir_treeline *line;
	uint64_t number;  /* `cid'; of a batch: 0 */
	uint64_t awaited; /* events that are to come; of a batch: see there */
};

/* What a server does for several at once. */
struct weir_treeline_batch {
	struct weir_treeline_batch *next, **link; /* until all has come */
	struct weir_treeline_wait *parts; /* done for their lines, not shown */
	struct weir_treeline *first;	  /* of them */
	struct weir_tree_id doer;	 /* what does it; no process: to come */
	struct weir_tree_id host;	 /* which stands below this one */
	uint64_t number, awaited, count; /* count: of the parts */
	uint32_t refs;
	bool has_wanted;
};

/*
 * A line to be shown. Those of a tree are a list, each before what is below
 * it. A line lives as long as the list, its frame or a line below refers to it.
 */
struct weir_treeline {
	struct weir_treeline *next;
	struct weir_treeline *parent; /* NULL: the first of its list */
	struct weir_treeline *last;   /* of those below; itself: none */
	struct weir_treeline *again;  /* for what comes after it was shown */
	struct weir_treeline_node *node;
	struct weir_treeline_tree *tree; /* of the first line of a tree */
	struct weir_treeline_wait *wait, *part; /* NULL: nothing is to come */
	struct weir_treeline_batch *batch; /* that it is done by, or does */
	struct weir_tree_id id;
	uint64_t start; /* ns since the trace's first event */
	uint64_t dur;
	uint64_t end;	   /* CLOCK_REALTIME; UINT64_MAX: not known */
	const char *layer; /* may be NULL */
	uint32_t refs;
	uint32_t level; /* below the first of its list */
	uint32_t text_len;
	uint8_t kind;
	bool is_shared; /* a node is above */
	bool is_shown;
	bool is_wanted;
	bool is_cause;	 /* of what is beside it */
	bool has_wanted; /* below */
	bool is_foreign; /* below a line of another process */
	bool does_batch;
	char text[];
};

struct weir_treeline_member {
	struct weir_treeline_member *next;
	uint32_t rank;
	struct weir_treeline *line;
};

/* A collective call. */
struct weir_treeline_node {
	struct weir_collective_node who;
	struct weir_treeline_member *members; /* by rank */
	struct weir_treeline *place;	      /* its line, until it is shown */
	struct weir_tree_id first;
	uint32_t refs;
	bool is_shown;
	bool has_wanted;
};

struct weir_treeline_tree {
	struct weir_treeline_tree *next;
	struct weir_treeline *first;
	uint64_t end;	   /* of its first call */
	uint64_t node_end; /* of the last of its collective calls */
	uint64_t awaited;  /* events of other processes that are to come */
};

/* What is to become a line. */
struct weir_treeline_call {
	struct weir_tree_id id;
	uint64_t start, dur, end; /* as in a line */
	const char *layer;
	const char *text;
	size_t text_len;
	bool is_wanted;
	bool is_cause;
	bool ends_wanted; /* then its caller is wanted, with all below */
	const struct weir_collective_node *node; /* NULL: not collective */
	uint64_t cid, caused;  /* its number, and events to come for it */
	uint64_t cause;	       /* the number of what it is done for, or 0 */
	uint64_t batch, doers; /* its key, and events to come that do it */
	bool does_batch;
};

/* For weir_tree_new(). */
void weir_treeline_end_frame(void *line);

/* Lines and what they refer to, for those who keep them. */
struct weir_treeline *weir_treeline_get(struct weir_treeline *line);
void weir_treeline_put(struct weir_treeline *line);
void weir_treeline_put_batch(struct weir_treeline_batch *batch);

/* The tree that a line belongs to; NULL: that was shown. */
struct weir_treeline_tree *weir_treeline_tree_of(struct weir_treeline *line);

/* It is asked for: shown with all that is above and below it. */
void weir_treeline_want(struct weir_treeline *line);

/* What is done for several has the callers of all of them: wants these. */
void weir_treeline_want_parts(struct weir_treeline_batch *batch);

#endif
