/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets chunks for a thread to fill. */
#include "forward/log/log_chunk.h"

#include "forward/link/link_complain.h"

#include <errno.h>

#define FEW   2		  /* granted chunks left: the daemon is told */
#define TRIES 1000	  /* somebody looks at it with an old idea */
#define REACH (64u << 10) /* what the kernel maps at one fault */
#define SPLIT (16u << 10) /* a rest of a chunk that is worth a record */

void weir_log_chunk_seal(const struct weir_log_chunk *chunk)
{
	weir_self.chunks[chunk->place] = 0;
	atomic_store_explicit(&chunk->head->phase, WEIR_CHUNK_SEALED,
			      memory_order_relaxed);
	weir_log_chunk_release(chunk);
}

/* Its bit was ours to clear, so it is. */
static bool make_mine(uint32_t index)
{
	struct weir_session_head *head = &weir_link.heads[index];
	uint32_t owner = 0, granted = WEIR_CHUNK_GRANTED;

	for (int i = 0; !atomic_compare_exchange_strong(&head->owner, &owner,
							weir_self.owner);
	     i++, owner = 0) {
		if (i == TRIES)
			return false;
		weir_self_pause();
	}
	if (atomic_compare_exchange_strong(&head->phase, &granted,
					   WEIR_CHUNK_TAKEN))
		return true;
	atomic_store(&head->owner, 0);
	return false;
}

/* The lowest ones first: those that were used before are in memory. */
static bool take_granted(uint32_t *ret_index)
{
	uint32_t words = (weir_link.page->chunks + 63) / 64;

	for (uint32_t i = 0; i < words; i++) {
		_Atomic uint64_t *word = &weir_link.page->grants[i];
		uint64_t bits = atomic_load(word), bit;

		while (bits) {
			bit = bits & -bits;
			if (atomic_fetch_and(word, ~bit) & bit) {
				*ret_index =
					i * 64 + (uint32_t)__builtin_ctzll(bit);
				return true;
			}
			bits = atomic_load(word);
		}
	}
	return false;
}

/* Granted chunks; no more are counted than this. */
static int count_left(int most)
{
	uint32_t words = (weir_link.page->chunks + 63) / 64;
	int found = 0;

	for (uint32_t i = 0; i < words && found < most; i++)
		found += __builtin_popcountll(
			atomic_load(&weir_link.page->grants[i]));
	return found;
}

/*
 * Pages that the daemon has touched are mapped many at a time when they are
 * read first, but one by one when they are written first.
 */
static void map_pages(const unsigned char *bytes)
{
	const volatile unsigned char *at = bytes;

	for (uint32_t i = 0; i < WEIR_SESSION_CHUNK; i += REACH)
		(void)at[i];
	(void)at[WEIR_SESSION_CHUNK - 1]; /* as what is mapped is aligned */
}

/* A grant may have come before `waiting` was seen: so look once more. */
static int await_room(uint32_t seen, uint64_t *waited)
{
	struct weir_session_page *page = weir_link.page;

	atomic_store(&page->waiting, 1);
	weir_link_wake();
	if (!count_left(1) &&
	    weir_futex_wait(&page->room, seen, WEIR_LINK_WAIT) == -ETIMEDOUT) {
		*waited += WEIR_LINK_WAIT;
		weir_link_complain(*waited);
	}
	return weir_link_is_dead() ? -EIO : 0;
}

static int take_chunk(uint32_t file, uint32_t *ret_index)
{
	uint64_t waited = 0;
	uint32_t seen;
	int ret;

	for (;;) {
		seen = atomic_load(&weir_link.page->room);
		while (take_granted(ret_index))
			if (make_mine(*ret_index))
				return 0;
		if (weir_link_flags(file) & WEIR_LOG_CHUNK_NEVER)
			return -EBUSY;
		ret = await_room(seen, &waited);
		if (ret)
			return ret;
	}
}

/* Has it room for a record, or at least for a good part of a large one? */
static bool will_do(const struct weir_log_chunk *chunk, uint32_t wanted)
{
	uint32_t room = weir_log_chunk_room(chunk);

	return room >= wanted || room >= SPLIT;
}

/* Only the daemon has it now. A handler's chunk is still the thread's own. */
static void forget_lost(uint32_t place)
{
	uint32_t index = weir_self.chunks[place] - 1;

	if (index != UINT32_MAX &&
	    atomic_load(&weir_link.heads[index].owner) == WEIR_SESSION_DAEMON)
		weir_self.chunks[place] = 0;
}

static bool is_taken(const struct weir_log_chunk *chunk)
{
	return atomic_load_explicit(&chunk->head->phase,
				    memory_order_relaxed) == WEIR_CHUNK_TAKEN;
}

static bool try_own(uint32_t wanted, struct weir_log_chunk *ret_chunk)
{
	for (uint32_t i = 0; i < WEIR_SELF_CHUNKS; i++) {
		if (!weir_log_chunk_claim(i, ret_chunk)) {
			forget_lost(i);
		} else if (!is_taken(ret_chunk)) { /* but the daemon's again */
			weir_self.chunks[i] = 0;
			weir_log_chunk_release(ret_chunk);
		} else if (will_do(ret_chunk, wanted)) {
			return true;
		} else {
			weir_log_chunk_seal(ret_chunk);
		}
	}
	return false;
}

int weir_log_chunk_next(uint32_t wanted, uint32_t file,
			struct weir_log_chunk *ret_chunk)
{
	uint32_t index, place;
	int ret;

	if (try_own(wanted, ret_chunk))
		return 0;
	ret = take_chunk(file, &index);
	if (ret)
		return ret;
	place = weir_self.chunks[0] ? 1 : 0;
	weir_self.chunks[place] = index + 1;
	*ret_chunk = (struct weir_log_chunk){
		.index = index,
		.place = place,
		.used = atomic_load(&weir_link.heads[index].used),
		.head = &weir_link.heads[index],
		.bytes =
			weir_link.chunks + (uint64_t)index * WEIR_SESSION_CHUNK,
	};
	map_pages(ret_chunk->bytes);
	if (count_left(FEW) < FEW)
		weir_link_wake();
	return 0;
}
