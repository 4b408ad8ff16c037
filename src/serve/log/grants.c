/* SPDX-License-Identifier: BSD-3-Clause */
/* Grants chunks to a session, as many as it uses and others leave. */
#include "serve/log/grants.h"

#include "base/clock.h"
#include "serve/log/freespace.h"
#include "serve/session/chunkmemory.h"
#include "serve/session/chunkowner.h"
#include "serve/session/chunkpool.h"
#include "serve/threads/stagewait.h"

#define AT_ONCE 4 /* it gets: then calls that wait are looked at, too */

static void hand_out(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];
	uint64_t bit = UINT64_C(1) << chunk % 64;

	weir_chunkowner_free(head);
	atomic_store(&head->used, 0);
	session->chunk[chunk].stirred = weir_clock_ns(CLOCK_MONOTONIC);
	atomic_store(&session->chunk[chunk].live, 1);
	atomic_store(&head->phase, WEIR_CHUNK_GRANTED);
	atomic_fetch_or(&session->out[chunk / 64], bit);
	atomic_fetch_or(&session->page->grants[chunk / 64], bit);
}

static bool give_one(struct weir_session *session)
{
	bool is_bare = false;
	uint32_t chunk;

	if (!weir_chunkpool_take(session, &chunk, &is_bare))
		return false;
	if (is_bare && weir_chunkmemory_provide(session, chunk)) {
		weir_chunkpool_withdraw(session, chunk);
		return false;
	}
	hand_out(session, chunk);
	return true;
}

static uint32_t count_granted(const struct weir_session *session)
{
	uint32_t words = weir_session_words(session), count = 0;

	for (uint32_t i = 0; i < words; i++)
		count += (uint32_t)__builtin_popcountll(
			atomic_load(&session->page->grants[i]));
	return count;
}

/* Others may have chunks that they do not use; stored ones are free. */
static void seek_memory(const struct weir_session *session)
{
	weir_chunkpool_wake_others(session);
	weir_stagewait_kick();
}

/* Waking somebody for each would take longer than to fill it. */
static void wake_if_some(struct weir_session *session, uint32_t have)
{
	if (have && have >= session->window / 4)
		weir_chunkpool_satisfy(session);
}

/* New memory takes its time: what is there is of use before all are. */
static uint32_t give_some(struct weir_session *session, uint32_t have,
			  uint32_t want)
{
	uint32_t most = want < AT_ONCE ? want : AT_ONCE, given = 0;

	wake_if_some(session, have);
	while (given < most && give_one(session))
		wake_if_some(session, have + ++given);
	/* if there are fewer, these are all that it can have */
	if (given < most && have + given)
		weir_chunkpool_satisfy(session);
	session->had_all = given == want;
	return given;
}

bool weir_grants_give(struct weir_session *session)
{
	uint32_t have = count_granted(session), given;
	uint32_t want =
		weir_chunkpool_window(session, have, weir_freespace_window());
	bool was_queued = session->is_queued;

	if (want)
		weir_freespace_look();
	given = give_some(session, have, want);
	if (session->is_queued && !was_queued)
		seek_memory(session);
	else if (session->is_waiting && !given) /* it has used up its share */
		weir_stagewait_kick();
	return given > 0;
}
