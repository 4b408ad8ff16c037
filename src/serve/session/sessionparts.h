/* SPDX-License-Identifier: BSD-3-Clause */
/* A session: its memory, its chunks, and who is at work on it. */
#ifndef WEIR_SESSION_SESSIONPARTS_H
#define WEIR_SESSION_SESSIONPARTS_H

#include "base/futex.h"
#include "serve/state/state.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* What is known of a chunk that the client cannot change. */
struct weir_session_chunk {
	/* records that are in indexes, and one while the chunk is out */
	_Atomic uint32_t live;
	uint32_t seen; /* bytes of it that were taken in; under `taking` */
	bool is_bad;   /* makes no sense: nothing more is taken of it */
	uint64_t stirred; /* CLOCK_MONOTONIC ns: granted, or written to */
	struct weir_logrecord_slab *slabs; /* its records */
};

struct weir_session {
	uint32_t number, chunks;
	struct weir_state_session *kept;
	int memory_fd, presence_fd;
	unsigned char *memory;
	/* parts of it, which the client writes too */
	struct weir_session_page *page;
	struct weir_session_open *opens;
	struct weir_session_slot *slots;
	struct weir_session_head *heads;
	unsigned char *lanes, *data;
	struct weir_prefetch_requests *prefetch_requests;
	struct weir_prefetch_file *prefetches;
	struct weir_prefetch_block *block_heads;
	unsigned char *block_bytes; /* their bytes */

	pthread_t thread;
	uint32_t users;	       /* who borrows it; under the list's lock */
	_Atomic bool is_left;  /* its image has ended; maybe children not */
	_Atomic bool is_over;  /* nobody is left */
	_Atomic bool is_gone;  /* the thread has ended, and can be joined */
	/* of slots: a worker has it; it may have been begun before */
	_Atomic uint32_t busy, again;
	_Atomic uint32_t tasks; /* of other threads, that use it */

	struct weir_prefetchblocks *blocks; /* NULL: nothing is prefetched */
	uint32_t requests_seen;		    /* of these, that were looked at */

	pthread_mutex_t taking; /* one at a time takes in its records */
	struct weir_session_chunk *chunk;
	_Atomic uint64_t *out; /* a bit a chunk: look for records there */

	/* The rest under the lock of the pool (chunkpool.c). */
	uint64_t *ready, *bare; /* free chunks, with memory and without */
	uint32_t ready_count, lent;
	uint32_t window; /* chunks that it shall have in advance */
	bool had_all;	 /* of these, when it was last given some */
	bool is_waiting; /* a client of it waits */
	bool is_queued;
	struct weir_session *next;   /* in the queue */
	struct weir_session *joined; /* the next of all */
};

static inline unsigned char *weir_session_chunk_at(const struct weir_session *s,
						   uint32_t chunk)
{
	return s->data + (uint64_t)chunk * WEIR_SESSION_CHUNK;
}

/* Words of a bitmap with a bit a chunk. */
static inline uint32_t weir_session_words(const struct weir_session *s)
{
	return (s->chunks + 63) / 64;
}

/* Wakes the thread of a session. */
static inline void weir_session_wake(struct weir_session *s)
{
	atomic_fetch_add(&s->page->wakes, 1);
	if (atomic_load(&s->page->asleep))
		weir_futex_wake(&s->page->wakes, INT_MAX);
}

#endif
