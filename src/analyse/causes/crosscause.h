/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that is handed down to other processes: for whom servers do what. */
#ifndef WEIR_CAUSES_CROSSCAUSE_H
#define WEIR_CAUSES_CROSSCAUSE_H

#include "analyse/calls/callfacts.h"
#include "analyse/calls/collective.h"
#include "analyse/calls/tree.h"
#include "trace/map.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stdint.h>

#define WEIR_CROSSCAUSE_MOST (4u << 20) /* of `cid': 352 MiB */

/* An outermost call. */
struct weir_crosscause_root {
	struct weir_tree_id id;
	uint64_t key; /* of its collective call; 0: it is none */
};

/*
 * What a first reading of the trace tells. A call that hands work down has a
 * number of its own, `cid'; what a server does for it has that number as
 * `for'. Clocks of hosts differ, so a server's call may come first. Wants
 * weir_crosscause_fini.
 */
struct weir_crosscause {
	struct weir_collective collective;
	struct weir_crosscause_entry *entries; /* of a `cid' each */
	size_t count, room;
	struct weir_map numbers; /* of entries, + 1, by `cid' */
	struct weir_map awaited; /* events caused by a root, by its hash */
	struct weir_map batches; /* by key: the cause of the first part */
	uint32_t *servers;	 /* by process: its number + 1; 0: none */
	uint32_t server_count, processes;
	uint64_t left_out; /* `cid' beyond the most */
	uint64_t unknown;  /* events that nobody is known to have caused */
};

/* Whether an outermost call of this kind, below no other, is one to tell of. */
bool weir_crosscause_is_root(const struct weir_callfacts *facts,
			     const struct weir_callfact *fact, const char *of);

/*
 * Reads all events. `of': layer of the calls to tell of; NULL: any. 0 or
 * -errno.
 */
int weir_crosscause_gather(struct weir_crosscause *all,
			   struct weir_reader *reader,
			   struct weir_callfacts *facts, const char *of);
void weir_crosscause_fini(struct weir_crosscause *all);

/* For which outermost call something was done; false: nobody knows. */
bool weir_crosscause_find(const struct weir_crosscause *all, uint64_t cause,
			  struct weir_crosscause_root *ret_root);

/*
 * The number of what an event is done for: by itself or, where it does a
 * batch, as the first part of that says. 0: none is told.
 */
uint64_t weir_crosscause_cause(const struct weir_crosscause *all,
			       const struct weir_event *event,
			       const struct weir_call *call);

/* Whether it is known that no call has caused it. */
bool weir_crosscause_is_nobodys(const struct weir_crosscause *all,
				const struct weir_event *event,
				const struct weir_call *call);

/* How many events say that this outermost call has caused them. */
uint64_t weir_crosscause_awaited(const struct weir_crosscause *all,
				 struct weir_tree_id root);

uint64_t weir_crosscause_hash(struct weir_tree_id id);

#endif
