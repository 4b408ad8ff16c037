/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the caller of each event: who called whom. */
#ifndef WEIR_CALLS_TREE_H
#define WEIR_CALLS_TREE_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdint.h>

/* What a person types as PROCESS.THREAD.INDEX. No process: no event. */
struct weir_tree_id {
	uint32_t proc, thread;
	uint64_t index;
};

static inline struct weir_tree_id weir_tree_id_of(const struct weir_event *e)
{
	return (struct weir_tree_id){ e->proc, e->thread, e->index };
}

/* False: the text is no id. */
bool weir_tree_id_parse(const char *text, struct weir_tree_id *ret_id);

/* Of a library that calls others for its I/O: not posix, stdio or async. */
bool weir_tree_is_upper(const struct weir_call *call);

enum weir_tree_link {
	WEIR_TREE_TOP,	    /* called by the application itself */
	WEIR_TREE_NESTED,   /* by the call above */
	WEIR_TREE_DEFERRED, /* likewise, storing what it was given before */
	WEIR_TREE_UNKNOWN,  /* its caller is not among the events */
};

/* A call that others may still turn out to be part of. */
struct weir_tree_frame {
	struct weir_tree_frame *next; /* of the thread, the latest first */
	uint64_t index;
	uint64_t start, end; /* end UINT64_MAX: it is not known */
	uint64_t passed; /* when a later call began; UINT64_MAX: not so far */
	uint64_t below; /* events below it, as far as the numbers tell */
	uint64_t ends; /* completions among them, so far */
	uint8_t depth;
	bool defers;
	bool is_loss; /* no call: some are missing here */
	void *own; /* of who builds upon this; NULL at first */
};

struct weir_tree_place {
	enum weir_tree_link link;
	/*
	 * The caller; when UNKNOWN the innermost call that is known to be
	 * above. NULL: none. Valid until the next event is added.
	 */
	struct weir_tree_frame *above;
	struct weir_tree_frame *frame; /* its own; NULL of notes */
};

/* Why callers are not known. */
enum weir_tree_why {
	WEIR_TREE_LOST,	    /* calls of the process were lost */
	WEIR_TREE_FILTERED, /* or not to be recorded */
	WEIR_TREE_CUT,	    /* or it was killed */
	WEIR_TREE_UNEXPLAINED,
	WEIR_TREE_WHYS
};

/*
 * Takes all events in the reader's order. Keeps of each thread the calls that
 * are open, at most a few hundred, and nothing of those that are over.
 */
struct weir_tree;

/* `gone`, which may be NULL, gets a frame's `own` when the frame ends. */
int weir_tree_new(void (*gone)(void *own), struct weir_tree **ret_tree);
void weir_tree_free(struct weir_tree *tree);

/* 0 or -ENOMEM. call may be NULL. */
int weir_tree_add(struct weir_tree *tree, const struct weir_event *event,
		  const struct weir_call *call,
		  struct weir_tree_place *ret_place);

/* How many are UNKNOWN so far, by why. */
void weir_tree_unknown(const struct weir_tree *tree,
		       const struct weir_reader *reader,
		       uint64_t ret_counts[WEIR_TREE_WHYS]);

#endif
