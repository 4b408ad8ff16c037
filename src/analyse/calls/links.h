/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the operation that a completion ends, and numbers of causes. */
#ifndef WEIR_CALLS_LINKS_H
#define WEIR_CALLS_LINKS_H

#include "analyse/calls/tree.h"
#include "trace/bytes/map.h"

#include <stdint.h>

enum weir_links_kind {
	WEIR_LINKS_NONE,
	WEIR_LINKS_COMPLETES, /* the operation `to` */
	WEIR_LINKS_BATCHED,   /* likewise, by what was done for several */
	WEIR_LINKS_ONE_OF,    /* one of `open` operations that share an id */
	WEIR_LINKS_UNSEEN,    /* an operation that is not among the events */
};

struct weir_links_end {
	enum weir_links_kind kind;
	struct weir_tree_id to; /* ONE_OF: the latest of them */
	uint64_t open;
};

/* What is under way, and no more. Zero it to begin. */
struct weir_links {
	struct weir_map open;	/* how many there are of a key */
	struct weir_map latest; /* where the latest of them is */
};

void weir_links_fini(struct weir_links *links);

/*
 * Takes events in the reader's order and tells what one completes. 0 or
 * -ENOMEM.
 */
int weir_links_add(struct weir_links *links, const struct weir_event *event,
		   const struct weir_call *call,
		   struct weir_links_end *ret_end);

/*
 * Links between processes, by the arguments `cid' and `for'; 0: it has none.
 * What is done for a call has its `cid' as `for'.
 */
uint64_t weir_links_cid(const struct weir_event *event,
			const struct weir_call *call);
uint64_t weir_links_cause(const struct weir_event *event,
			  const struct weir_call *call);

/* Whether it says that no call has caused it: its `for' is there, and 0. */
bool weir_links_is_nobodys(const struct weir_event *event,
			   const struct weir_call *call);

/*
 * What a server does for several calls at once has a number that is its
 * process's own, which those that it is done for tell, too. These are what
 * has a cause; the others do it. A key for the number, or 0.
 */
uint64_t weir_links_batch(const struct weir_event *event,
			  const struct weir_call *call);
bool weir_links_does_batch(const struct weir_call *call);

#endif
