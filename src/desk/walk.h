/* SPDX-License-Identifier: BSD-3-Clause */
/* Goes through the events that somebody asks for, some at a time. */
#ifndef WEIR_DESK_WALK_H
#define WEIR_DESK_WALK_H

#include "base/text.h"
#include "desk/query.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* What weir_query_parse() is to know. */
extern const char *const weir_walk_keys[];

/* Where an event stands in the order of the reader. */
struct weir_walk_place {
	uint64_t start; /* ns since the trace's first event */
	uint64_t proc, thread, depth, index;
};

/*
 * Where the last answer ended the reader stands: who goes on from there waits
 * for no block that was read before. Zero it to begin, then set the reader.
 */
struct weir_walk {
	struct weir_reader *reader; /* borrowed */
	char *wish; /* what it was selected by; NULL: the reader was moved */
	struct weir_walk_place at; /* of the last event looked at */
	uint8_t *files; /* by number whether it is wanted; NULL: all */
	struct weir_map calls; /* by address: 1 wanted, 2 not */
};

void weir_walk_fini(struct weir_walk *walk);

/* Somebody else reads: the next answer begins anew. */
void weir_walk_forget(struct weir_walk *walk);

/*
 * Writes events as JSON. 0, -EINVAL with *ret_wrong: what is wrong in the
 * query, or an error of the reader.
 */
int weir_walk_answer(struct weir_walk *walk, const struct weir_query *query,
		     int fd, const char **ret_wrong);

#endif
