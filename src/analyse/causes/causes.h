/* SPDX-License-Identifier: BSD-3-Clause */
/* How much is to come of what is done for calls of other processes. */
#ifndef WEIR_CAUSES_CAUSES_H
#define WEIR_CAUSES_CAUSES_H

#include "trace/dictionary.h"
#include "trace/event.h"
#include "trace/map.h"

#include <stdbool.h>
#include <stdint.h>

#define WEIR_CAUSES_MOST (8u << 20) /* numbers of either kind: 256 MiB */

/*
 * What a first reading of a trace tells of the numbers by which processes
 * work for each other. Zero it to begin.
 */
struct weir_causes {
	struct weir_map calls;	 /* by `cid': events done for it, and a bit */
	struct weir_map batches; /* by key: events that do it */
	uint64_t caused;   /* events that are done for a call */
	uint64_t nobodys;  /* and for none, as they say */
	uint64_t left_out; /* numbers beyond the most */
};

void weir_causes_fini(struct weir_causes *all);

/* 0 or -ENOMEM. */
int weir_causes_count(struct weir_causes *all, const struct weir_event *event,
		      const struct weir_call *call);

/* Events that are done for the call of this `cid'. */
uint64_t weir_causes_of_call(const struct weir_causes *all, uint64_t cid);

/* Whether there is a call that has this `cid'. */
bool weir_causes_knows(const struct weir_causes *all, uint64_t cid);

/* Events that do a batch, by its key. */
uint64_t weir_causes_of_batch(const struct weir_causes *all, uint64_t batch);

#endif
