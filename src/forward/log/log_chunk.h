/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims, fills and gives up the chunks of the log that a thread fills. */
#ifndef WEIR_LOG_LOG_CHUNK_H
#define WEIR_LOG_LOG_CHUNK_H

#include "forward/link/link.h"
#include "forward/link/self.h"

/* A chunk while this thread appends to it. */
struct weir_log_chunk {
	uint32_t index;
	uint32_t place; /* in weir_self.chunks */
	uint32_t used;
	struct weir_session_head *head;
	unsigned char *bytes;
};

/* What forbids to write by the log. */
#define WEIR_LOG_CHUNK_NEVER                                                   \
	(WEIR_FILE_BYPASS | WEIR_FILE_TIGHT | WEIR_FILE_FAILED)

/*
 * Out of line: the chunk at hand will not do. 0, -EIO: no service, -EBUSY:
 * there was none, and the file may not be written this way any more.
 */
int weir_log_chunk_next(uint32_t wanted, uint32_t file,
			struct weir_log_chunk *ret_chunk);

/*
 * The thread's own chunk, claimed, if there is room for a record of this size.
 * A signal handler that comes in between finds it claimed.
 */
static inline bool weir_log_chunk_claim(uint32_t place,
					struct weir_log_chunk *ret_chunk)
{
	uint32_t index = weir_self.chunks[place] - 1, nobody = 0;
	struct weir_session_head *head = &weir_link.heads[index];

	if (index == UINT32_MAX ||
	    !atomic_compare_exchange_strong_explicit(
		    &head->owner, &nobody, weir_self.owner,
		    memory_order_acquire, memory_order_relaxed))
		return false;
	*ret_chunk = (struct weir_log_chunk){
		.index = index,
		.place = place,
		.used = atomic_load_explicit(&head->used, memory_order_relaxed),
		.head = head,
		.bytes =
			weir_link.chunks + (uint64_t)index * WEIR_SESSION_CHUNK,
	};
	return true;
}

/* Payload that still fits; 0 also when the header of a record does not. */
static inline uint32_t weir_log_chunk_room(const struct weir_log_chunk *chunk)
{
	uint32_t most = WEIR_SESSION_PAYLOAD;

	return chunk->used < most ? most - chunk->used : 0;
}

/* It is for others again; a full one goes to the daemon. */
void weir_log_chunk_seal(const struct weir_log_chunk *chunk);
static inline void weir_log_chunk_release(const struct weir_log_chunk *chunk)
{
	atomic_store_explicit(&chunk->head->owner, 0, memory_order_release);
}

#endif
