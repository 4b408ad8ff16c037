/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the thread of a session. It takes in, answers and grants as long as
 * there is something to do; then it looks again now and then while its clients
 * write; and then it sleeps until somebody rings, without looking at anything.
 */
#include "serve/service/sessionloop.h"

#include "base/clock.h"
#include "base/futex.h"
#include "serve/log/chunkreclaim.h"
#include "serve/log/grants.h"
#include "serve/log/ingest.h"
#include "serve/prefetch/prefetcher.h"
#include "serve/service/ops.h"
#include "serve/session/chunkpool.h"
#include "serve/state/setup.h"
#include "serve/threads/stagewait.h"

#include <unistd.h>

#define SPIN UINT64_C(5000)	    /* ns, after an answer */
#define VAIN 4 /* looks in vain: the client may need the processor */
#define AGAIN 16 /* then only after every so many answers */
#define LATER UINT64_C(5000000)	    /* ns: records wait for memory as long */
#define SOON UINT64_C(10000000)	    /* ns: chunks may be had by then */
#define THIRST UINT64_C(50000000)   /* ns: or it is known that they cannot */
#define AT_END UINT64_C(200000000) /* ns: what failed is tried again */

struct loop {
	struct weir_session *session;
	/* CLOCK_MONOTONIC ns: it was looked; something was written */
	uint64_t looked, stirred;
	bool has_answered;
	bool may_spin; /* the client has a processor too */
	uint32_t vain; /* looks for the next call, one after the other */
};

static void wait_for_bell(struct loop *loop, uint32_t bell, uint64_t ns)
{
	struct weir_session_page *page = loop->session->page;

	atomic_store(&page->asleep, 1);
	if (atomic_load(&page->wakes) == bell)
		weir_futex_wait(&page->wakes, bell, ns);
	atomic_store(&page->asleep, 0);
	atomic_store(&page->armed, 0);
}

/* Who was answered often asks again at once. */
static bool spin(struct loop *loop, uint32_t bell)
{
	struct weir_session_page *page = loop->session->page;
	uint64_t end;

	if (!loop->may_spin || !loop->has_answered)
		return false;
	loop->has_answered = false;
	if (loop->vain >= VAIN && loop->vain++ % AGAIN)
		return false;
	end = weir_clock_ns(CLOCK_MONOTONIC) + SPIN;
	do
		if (atomic_load(&page->wakes) != bell) {
			loop->vain = 0;
			return true;
		}
	while (weir_clock_ns(CLOCK_MONOTONIC) < end);
	loop->vain++;
	return false;
}

/*
 * Until somebody rings. What was written before `armed` was seen is seen here:
 * the store to it and the loads that follow are in one order for all.
 */
static void sleep_until_rung(struct loop *loop, uint32_t bell)
{
	struct weir_session_page *page = loop->session->page;

	atomic_store(&page->armed, 1);
	if (weir_ingest_session(loop->session)) {
		atomic_store(&page->armed, 0);
		loop->stirred = weir_clock_ns(CLOCK_MONOTONIC);
		return;
	}
	wait_for_bell(loop, bell, WEIR_FUTEX_FOREVER);
}

static void rest(struct loop *loop, uint32_t bell)
{
	uint64_t idle = (uint64_t)weir_setup_used->idle_ms * 1000000, now;

	if (spin(loop, bell))
		return;
	now = weir_clock_ns(CLOCK_MONOTONIC);
	if (weir_chunkpool_are_wanted() &&
	    weir_chunkreclaim_idle(loop->session))
		wait_for_bell(loop, bell, SOON);
	else if (loop->session->is_waiting)
		wait_for_bell(loop, bell, THIRST);
	else if (now - loop->stirred < idle)
		wait_for_bell(loop, bell, idle);
	else
		sleep_until_rung(loop, bell);
}

/* True: there was something. Who waits for memory would wait for this. */
static bool take_in(struct loop *loop, bool has_given)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);

	if (has_given && now - loop->looked < LATER)
		return false;
	loop->looked = now;
	if (!weir_ingest_session(loop->session))
		return false;
	loop->stirred = weir_clock_ns(CLOCK_MONOTONIC);
	return true;
}

/* True: there was something to do. */
static bool serve_once(struct loop *loop)
{
	struct weir_session *session = loop->session;
	bool has_given = weir_grants_give(session);
	bool some = take_in(loop, has_given) || has_given;

	if (weir_ops_serve(session)) {
		loop->has_answered = true;
		some = true;
	}
	some |= weir_prefetcher_serve(session);
	return weir_grants_give(session) || some;
}

/* Nobody uses it any more. True: nothing of it is left. */
static bool wind_up(struct weir_session *session)
{
	if (atomic_load(&session->tasks))
		return false;
	weir_chunkreclaim_all(session);
	weir_ops_end(session);
	if (weir_chunkpool_are_back(session))
		return true;
	weir_stagewait_kick();
	return false;
}

bool weir_sessionloop_run(struct weir_session *session,
			  const _Atomic bool *is_stopped)
{
	struct loop loop = {
		.session = session,
		.may_spin = sysconf(_SC_NPROCESSORS_ONLN) > 1,
	};

	for (;;) {
		/* before all that is rung for, so that none is missed */
		uint32_t bell = atomic_load(&session->page->wakes);

		if (atomic_load(is_stopped))
			return false;
		if (atomic_load(&session->is_over)) {
			if (wind_up(session))
				return true;
			wait_for_bell(&loop, bell, AT_END);
		} else if (!serve_once(&loop)) {
			rest(&loop, bell);
		}
	}
}
