/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings what a recorded process leaves in its live file into a store. */
#ifndef WEIR_LIVE_SALVAGE_H
#define WEIR_LIVE_SALVAGE_H

#include "trace/live/live.h"
#include "trace/live/sums.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_clockfix;
struct weir_mounts;
struct weir_props;
struct weir_store;

struct weir_salvage_thread {
	uint32_t number;
	uint32_t tid;
	uint32_t level;
	uint64_t drops;
};

/* A process as its PROC block tells it. */
struct weir_salvage_proc {
	struct weir_live_view *view; /* borrowed */
	uint32_t number;	     /* in the file, from 1 */
	uint32_t image; /* 0, 1, ..: programs this process ran before */
	uint64_t lost;	/* calls in chunks that could not be stored */
	uint64_t kept, overwritten; /* short records */
	bool gone;
	struct weir_salvage_thread *threads; /* that have ended */
	size_t thread_count, thread_room;
};

/* The rest of one thread: records in its open chunk, and those it owes. */
struct weir_salvage_rest {
	struct weir_salvage_thread thread;
	struct weir_live_chunk open; /* used 0: nothing */
	bool has_open;		     /* `open` names a unit to release */
	struct weir_live_chunk owed; /* used 0: nothing */
	bool has_sums;		     /* `sums` names a unit to release */
	struct weir_sums sums;
	uint64_t bytes[64];	     /* what `owed` points at */
};

/*
 * Looks at a slot whose thread writes no more, or (on a loaded copy) whose
 * records up to `commit` are wanted. False when there is no thread in it.
 */
bool weir_salvage_rest(struct weir_live_view *view, uint32_t slot,
		       struct weir_salvage_rest *ret_rest);

/*
 * Walks the records: how many are whole, and how many of them are calls, not
 * notes. Returns the bytes of the whole ones.
 */
uint32_t weir_salvage_count(const uint8_t *data, uint32_t used,
			    uint32_t *ret_records, uint32_t *ret_calls);

/*
 * The blocks a collector writes; 0 or -errno of the store. Of clock and mounts
 * NULL: not known.
 */
int weir_salvage_put_head(struct weir_store *store,
			  const struct weir_live *about, uint64_t mult,
			  const struct weir_clockfix *clock,
			  const struct weir_mounts *mounts);
int weir_salvage_put_dict(struct weir_store *store);
int weir_salvage_put_proc(struct weir_store *store,
			  const struct weir_salvage_proc *proc);

/* The same in two steps: what is known of it, to be freed, and its block. */
int weir_salvage_tell_proc(const struct weir_salvage_proc *proc,
			   struct weir_props *ret_props);
int weir_salvage_put_told(struct weir_store *store, uint32_t number,
			  const struct weir_props *props);
int weir_salvage_put_chunk(struct weir_store *store, uint32_t proc,
			   const struct weir_live_chunk *chunk);

/* Remembers a thread for the last PROC block. */
int weir_salvage_add_thread(struct weir_salvage_proc *proc,
			    const struct weir_salvage_thread *thread);

/*
 * For readers: appends all that the live files of a directory hold, and does
 * not change them. Processes are numbered from *next_proc on.
 */
int weir_salvage_dir(const char *live_dir, struct weir_store *store,
		     uint32_t *next_proc);

#endif
