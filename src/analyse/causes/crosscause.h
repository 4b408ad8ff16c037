/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells for which calls of other processes work is done. */
#ifndef WEIR_CAUSES_CROSSCAUSE_H
#define WEIR_CAUSES_CROSSCAUSE_H

#include "analyse/calls/callfacts.h"
#include "analyse/calls/collective.h"
#include "analyse/calls/tree.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls with a `cid', and as many batches: 48 and 16 bytes each, and a map. */
#define WEIR_CROSSCAUSE_MOST (8u << 20)

/* An outermost call. */
struct weir_crosscause_root {
	struct weir_tree_id id;
	uint64_t key; /* of its collective call; 0: it is none */
};

/*
 * What a first reading of the trace tells. A call that other processes work
 * for has a number of its own, `cid'; what they do for it has that number as
 * `for'. What is done for several calls at once is a batch: each of them tells
 * its number, and so do the events that do it. Clocks of hosts differ, so an
 * event may come before the call that causes it. Wants weir_crosscause_fini.
 */
struct weir_crosscause {
	struct weir_worlds worlds;
	struct weir_collective collective;
	struct weir_crosscause_call *calls; /* of a `cid' each */
	size_t call_count, call_room;
	struct weir_map numbers; /* of calls, + 1, by `cid' */
	struct weir_crosscause_batch *batches;
	size_t batch_count, batch_room;
	struct weir_map batch_numbers; /* of batches, + 1, by key */
	uint64_t caused;   /* events that name the call they are done for */
	uint64_t nobodys;  /* and that say that there is none */
	uint64_t left_out; /* numbers beyond the most */
	/* Where roots were asked for: */
	struct weir_map awaited; /* events caused by a root, by its hash */
	uint32_t *servers;	 /* by process: its number + 1; 0: none */
	uint32_t server_count, processes;
	uint64_t unknown; /* events that nobody is known to have caused */
};

/*
 * Reads all events and counts what is done for which call: enough for those
 * who follow calls themselves. 0 or -errno; wants fini either way.
 */
int weir_crosscause_count(struct weir_crosscause *all,
			  struct weir_reader *reader);

/*
 * Likewise, and finds the outermost call that each `cid' belongs to. `of':
 * layer of the calls to tell of; NULL: any.
 */
int weir_crosscause_gather(struct weir_crosscause *all,
			   struct weir_reader *reader,
			   struct weir_callfacts *facts, const char *of);
void weir_crosscause_fini(struct weir_crosscause *all);

/* Whether there is a call that has this `cid'. */
bool weir_crosscause_knows(const struct weir_crosscause *all, uint64_t cid);

/* Events that say that they are done for the call of this `cid'. */
uint64_t weir_crosscause_caused(const struct weir_crosscause *all,
				uint64_t cid);

/* Events that do a batch, by its key. */
uint64_t weir_crosscause_doers(const struct weir_crosscause *all,
			       uint64_t batch);

/* Whether an outermost call of this kind, below no other, is one to tell of. */
bool weir_crosscause_is_root(const struct weir_callfacts *facts,
			     const struct weir_callfact *fact, const char *of);

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
