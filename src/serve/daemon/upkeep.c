/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins, sweeps, drains and ends the daemon, in threads that may wait. */
#include "serve/daemon/upkeep.h"

#include "serve/daemon/daemonevents.h"
#include "serve/deferred/deferred.h"
#include "serve/files/backends.h"
#include "serve/files/directlook.h"
#include "serve/files/files.h"
#include "serve/log/ingest.h"
#include "serve/log/sessionlist.h"
#include "serve/rescue/rescueall.h"
#include "serve/service/sessions.h"
#include "serve/staging/stage.h"
#include "serve/state/setup.h"
#include "serve/threads/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum news { BEGUN = 1, FAILED = 2, SETTLED = 4, ENDED = 8 };

static pthread_mutex_t tending = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t beginning = PTHREAD_COND_INITIALIZER;
static bool has_begun; /* with `tending` */
static int bell = -1;
static _Atomic uint32_t happened; /* enum news */
static _Atomic bool sweeps, settles, is_ending, sweep_again;

static void tell_news(enum news news)
{
	atomic_fetch_or(&happened, news);
	if (eventfd_write(bell, 1))
		abort(); /* no other one can say that we cannot go on */
}

struct weir_upkeep_news weir_upkeep_hear(void)
{
	eventfd_t times;
	uint32_t bits;

	eventfd_read(bell, &times);
	bits = atomic_exchange(&happened, 0);
	return (struct weir_upkeep_news){
		.begun = bits & BEGUN,
		.failed = bits & FAILED,
		.settled = bits & SETTLED,
		.ended = bits & ENDED,
		.sessions = weir_sessionlist_count(),
	};
}

/* Whatever is asked for, it comes after the beginning. */
static void lock_tending(void)
{
	pthread_mutex_lock(&tending);
	while (!has_begun)
		pthread_cond_wait(&beginning, &tending);
}

/* Files first, as sessions open them; stagers when there is all to stage. */
static void begin_parts(void *unused)
{
	int err = weir_backends_load(weir_setup_used->backend,
				     weir_setup_used->backend_options);

	if (!err)
		weir_directlook_begin();
	weir_daemonevents_resume();
	pthread_mutex_lock(&tending);
	if (!err)
		err = weir_files_begin(weir_ingest_gone);
	weir_deferred_begin();
	if (!err)
		err = weir_sessions_begin();
	if (!err) {
		weir_deferred_settle();
		err = weir_stage_begin();
	}
	has_begun = !err;
	pthread_cond_broadcast(&beginning);
	pthread_mutex_unlock(&tending);
	if (err)
		dprintf(STDERR_FILENO, "weir: the daemon cannot begin: %s\n",
			strerror(-err));
	tell_news(err ? FAILED : BEGUN);
}

int weir_upkeep_begin(int *ret_fd)
{
	atomic_store(&weir_state_board->epoch, weir_state->epoch);
	bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (bell < 0)
		return -errno;
	*ret_fd = bell;
	return weir_jobs_do(begin_parts, NULL);
}

static void look_after_program(void *pid)
{
	lock_tending();
	if (!atomic_load(&is_ending)) {
		weir_sessionlist_look((pid_t)(intptr_t)pid);
		atomic_store(&sweep_again, weir_sessions_sweep());
	}
	pthread_mutex_unlock(&tending);
}

void weir_upkeep_look(pid_t pid)
{
	atomic_store(&sweep_again, true);
	weir_jobs_do(look_after_program, (void *)(intptr_t)pid);
}

void weir_upkeep_stir(void)
{
	atomic_store(&sweep_again, true);
}

static void sweep(void *unused)
{
	lock_tending();
	if (!atomic_load(&is_ending))
		atomic_store(&sweep_again, weir_sessions_sweep());
	atomic_store(&sweeps, false);
	pthread_mutex_unlock(&tending);
}

bool weir_upkeep_sweep(void)
{
	bool again = atomic_load(&sweep_again);

	if (again && !atomic_exchange(&sweeps, true) &&
	    weir_jobs_do(sweep, NULL))
		atomic_store(&sweeps, false);
	return again;
}

/* Whoever has ended without that it was told yet. */
static void look_at_all(void)
{
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (atomic_load(&weir_state->sessions[i].live))
			weir_sessionlist_look(weir_state->sessions[i].pid);
}

static void store_all(void *unused)
{
	lock_tending();
	if (!atomic_load(&is_ending)) {
		look_at_all();
		weir_sessions_sweep();
		weir_deferred_materialise_all();
		weir_stage_everything();
	}
	atomic_store(&settles, false);
	pthread_mutex_unlock(&tending);
	tell_news(SETTLED);
}

void weir_upkeep_tidy(void)
{
	if (pthread_mutex_trylock(&tending))
		return;
	if (has_begun && !atomic_load(&is_ending)) {
		look_at_all();
		atomic_store(&sweep_again, weir_sessions_sweep());
	}
	pthread_mutex_unlock(&tending);
}

void weir_upkeep_settle(void)
{
	if (!atomic_load(&is_ending) && !atomic_exchange(&settles, true) &&
	    weir_jobs_do(store_all, NULL))
		atomic_store(&settles, false);
}

/* What cannot be stored is put where it can be, or nothing is left of it. */
static void rescue(void)
{
	const char *temporary = getenv("TMPDIR");
	const char *const places[] = {
		weir_setup_used->rescue,
		temporary ? temporary : "/var/tmp",
		"/tmp",
	};

	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (!*places[i])
			continue;
		weir_deferred_rescue(places[i]);
		if (!weir_rescueall(places[i]))
			return;
	}
}

void weir_upkeep_rescue(void)
{
	if (weir_backends_load("posix", "") ||
	    weir_files_begin(weir_ingest_gone))
		return;
	weir_deferred_begin();
	if (weir_sessions_begin())
		return;
	weir_sessions_seal();
	weir_deferred_materialise_all();
	rescue();
}

static void end_parts(void *unused)
{
	uint64_t left;

	lock_tending();
	weir_sessions_seal();
	left = weir_deferred_materialise_all();
	if (weir_stage_everything() + left)
		rescue();
	weir_stage_end();
	weir_sessions_end();
	weir_files_end();
	weir_backends_end();
	weir_daemonevents_end();
	tell_news(ENDED);
	pthread_mutex_unlock(&tending);
}

void weir_upkeep_end(void)
{
	if (!atomic_exchange(&is_ending, true) && weir_jobs_do(end_parts, NULL))
		atomic_store(&is_ending, false);
}

bool weir_upkeep_is_ending(void)
{
	return atomic_load(&is_ending);
}
