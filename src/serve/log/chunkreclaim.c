/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes chunks back. A client that is stopped at any instruction goes on
 * later: it writes only to a chunk that it owns and that is TAKEN, so who owns
 * it may seal it.
 */
#include "serve/log/chunkreclaim.h"

#include "base/clock.h"
#include "serve/log/ingest.h"
#include "serve/session/chunkowner.h"
#include "serve/session/chunkpool.h"

#include <unistd.h>

#define MOMENT UINT64_C(10000000) /* ns */
#define PATIENCE 100 /* ms, with threads that are about to write */

static bool own(struct weir_session_head *head)
{
	uint32_t owner = atomic_load(&head->owner);

	if (owner == WEIR_SESSION_DAEMON)
		return true;
	if (owner && !weir_chunkowner_is_dead(owner))
		return false;
	return atomic_compare_exchange_strong(&head->owner, &owner,
					      WEIR_SESSION_DAEMON);
}

/* `taking` is held. */
static void seal(struct weir_session *session, uint32_t chunk)
{
	atomic_store(&session->heads[chunk].phase, WEIR_CHUNK_SEALED);
	weir_ingest_chunk(session, chunk);
}

/* Granted, and nobody has begun to use it; or who did has died. */
static bool seize_granted(struct weir_session *session, uint32_t chunk)
{
	_Atomic uint64_t *word = &session->page->grants[chunk / 64];
	uint64_t bit = UINT64_C(1) << chunk % 64;

	if (!(atomic_fetch_and(word, ~bit) & bit)) {
		atomic_fetch_or(word, bit);
		return false;
	}
	seal(session, chunk);
	return true;
}

static bool seize(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];
	uint32_t phase = atomic_load(&head->phase);

	if (phase == WEIR_CHUNK_GRANTED)
		return seize_granted(session, chunk);
	if (phase == WEIR_CHUNK_SEALED)
		return true;
	if (!own(head))
		return false;
	seal(session, chunk);
	return true;
}

/* Calls for each chunk that is out; true: one said no. */
static bool try_each(struct weir_session *session, uint64_t before)
{
	uint32_t words = weir_session_words(session);
	bool more = false;

	pthread_mutex_lock(&session->taking);
	for (uint32_t i = 0; i < words; i++) {
		uint64_t word = atomic_load(&session->out[i]);

		for (; word; word &= word - 1) {
			uint32_t chunk =
				i * 64 + (uint32_t)__builtin_ctzll(word);

			if (session->chunk[chunk].stirred > before ||
			    !seize(session, chunk))
				more = true;
		}
	}
	pthread_mutex_unlock(&session->taking);
	return more;
}

bool weir_chunkreclaim_idle(struct weir_session *session)
{
	weir_chunkpool_shrink(session);
	return try_each(session, weir_clock_ns(CLOCK_MONOTONIC) - MOMENT);
}

/* After this what a client counts is not acknowledged: it looks at `dead`. */
static void seize_by_force(struct weir_session *session)
{
	uint32_t words = weir_session_words(session);

	pthread_mutex_lock(&session->taking);
	for (uint32_t i = 0; i < words; i++) {
		uint64_t word = atomic_load(&session->out[i]);

		for (; word; word &= word - 1)
			seal(session,
			     i * 64 + (uint32_t)__builtin_ctzll(word));
	}
	pthread_mutex_unlock(&session->taking);
}

void weir_chunkreclaim_all(struct weir_session *session)
{
	for (int i = 0; i < PATIENCE && try_each(session, UINT64_MAX); i++)
		usleep(1000);
	seize_by_force(session);
}
