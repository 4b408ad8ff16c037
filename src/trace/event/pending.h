/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins asynchronous operations with the calls that saw them complete. */
#ifndef WEIR_EVENT_PENDING_H
#define WEIR_EVENT_PENDING_H

#include "trace/bytes/map.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

enum weir_pending_way {
	WEIR_PENDING_MOVES_NOTHING, /* or nobody can tell */
	WEIR_PENDING_READS,
	WEIR_PENDING_WRITES,
};

/* An operation, as its submission tells of it. */
struct weir_pending_op {
	uint64_t start; /* of the submission, as its event has it */
	uint32_t file, handle; /* likewise */
	enum weir_pending_way way;
	uint32_t next; /* index + 1 of a later one of the same key */
};

/*
 * Give it all events in order of their start. An operation is an event of class
 * `submit`, or that has an `id` which its call need not have; a completion one
 * of class `complete`. They are joined by process, layer,
 * ring and id; of several of one key the first ends first. Zero it to begin.
 */
struct weir_pending {
	struct weir_map open; /* what has not completed so far */
	uint64_t submitted, completed;
	uint64_t bytes_read, bytes_written; /* by what has completed */
	struct weir_pending_op *ops; /* by index; those that are free, too */
	uint32_t op_count, spare; /* index + 1 */
	size_t op_room;
	/* What the last event has begun or ended; 0: nothing, else index + 1 */
	uint32_t begun, ended;
	struct weir_pending_op last; /* what it has ended */
};

void weir_pending_fini(struct weir_pending *pending);

/* 0 or -ENOMEM. Other events are passed over. */
int weir_pending_add(struct weir_pending *pending,
		     const struct weir_event *event,
		     const struct weir_call *call);

/* Ends the first of a key, whatever tells it; 0: there is none. */
int weir_pending_close(struct weir_pending *pending, uint64_t key);

enum weir_pending_side {
	WEIR_PENDING_NEITHER,
	WEIR_PENDING_SUBMIT,
	WEIR_PENDING_DONE,
};

/*
 * What an event is to others, and the key by which they are joined. is_last:
 * no further completion of the same operation will come.
 */
enum weir_pending_side weir_pending_look(const struct weir_event *event,
					 const struct weir_call *call,
					 uint64_t *ret_key, int *ret_is_last);

/* Which way an operation moves bytes, by its submission. */
enum weir_pending_way weir_pending_way_of(const struct weir_event *event,
					  const struct weir_call *call);

/* The same by the call alone, for who has no event. */
enum weir_pending_way weir_pending_way_by_call(const struct weir_call *call);

/* Whose end was not seen, so far. */
static inline uint64_t weir_pending_unseen(const struct weir_pending *pending)
{
	return pending->submitted - pending->completed;
}

#endif
