/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds calls of several processes that are one, and who takes part. */
#ifndef WEIR_CALLS_COLLECTIVE_H
#define WEIR_CALLS_COLLECTIVE_H

#include "analyse/calls/worlds.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_COLLECTIVE_MOST (16u << 20) /* events: 384 MiB */

/* One process in one collective call. */
struct weir_collective_member {
	uint64_t key;
	uint64_t end; /* CLOCK_REALTIME */
	uint32_t proc;
	uint32_t rank; /* the process's number where none is known */
};

/*
 * All collective calls of a trace, 24 bytes for each process in each; those
 * beyond the most are left out, and counted. Zero it to begin.
 */
struct weir_collective {
	struct weir_collective_member *members;
	size_t count, room;
	uint64_t left_out;
};

/* Some of the above that are one call. */
struct weir_collective_node {
	const struct weir_collective_member *members; /* by rank */
	size_t count;
	uint64_t end; /* of the last of them */
};

void weir_collective_fini(struct weir_collective *all);

/* Whether a call is one of several processes. */
enum weir_collective_kind {
	WEIR_COLLECTIVE_NONE,
	WEIR_COLLECTIVE_JOINED, /* it has a key, as the calls of the others */
	WEIR_COLLECTIVE_STRANGE, /* its ranks' communicator is not known */
	WEIR_COLLECTIVE_TWINS, /* its job cannot be told from another */
	WEIR_COLLECTIVE_KINDS
};

/* "communicator" and "job"; NULL of what is no doubt. */
const char *weir_collective_why(enum weir_collective_kind kind);

/* What the process itself has told, by the arguments `coll' and `seq'. */
enum weir_collective_kind
weir_collective_told(const struct weir_event *event,
		     const struct weir_call *call, uint64_t *ret_key);

/*
 * The same among all jobs of the trace. The key is set of what is JOINED:
 * layers count their calls each for itself.
 */
enum weir_collective_kind
weir_collective_key(const struct weir_worlds *worlds,
		    const struct weir_event *event,
		    const struct weir_call *call, uint64_t *ret_key);

/* What members are told apart by: the rank; or the number, without one. */
uint32_t weir_collective_rank(const struct weir_reader *reader, uint32_t proc);

/* 0 or -ENOMEM. */
int weir_collective_add(struct weir_collective *all,
			const struct weir_collective_member *member);

/*
 * When all have been added. Where a damaged trace has a rank twice, the second
 * is of another call.
 */
void weir_collective_sort(struct weir_collective *all);

/* The call that a process takes part in; false: it does not. */
bool weir_collective_find(const struct weir_collective *all, uint64_t key,
			  uint32_t proc,
			  struct weir_collective_node *ret_node);

#endif
