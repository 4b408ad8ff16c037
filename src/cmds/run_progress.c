/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how a run goes on, while it does. */
#include "cmds/run_progress.h"

#include "launch/directory/tracedir.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"
#define SELDOM	   10 /* seconds between lines of a file */

/* What has not left the processes yet is not counted: so many at least. */
static void print_progress(struct weir_run_progress *progress,
			   unsigned seconds)
{
	struct weir_tracewatch *follow = &progress->follow;
	char calls[WEIR_MEASURES_ROOM], bytes[WEIR_MEASURES_ROOM];

	if (weir_tracewatch_look(follow) && !follow->is_open)
		return; /* none of it is stored yet */
	progress->was_told = true;
	fprintf(stderr,
		"%sweir: %u s: %s calls or more, %s of trace, %" PRIu32
		" process%s, %" PRIu64 " lost%s",
		progress->is_terminal ? CLEAR_LINE : "", seconds,
		weir_measures_count(calls, follow->calls),
		weir_measures_bytes(bytes, follow->bytes), follow->processes,
		follow->processes == 1 ? "" : "es", follow->lost,
		progress->is_terminal ? "" : "\n");
}

static void *tell_each_second(void *context)
{
	struct weir_run_progress *progress = context;
	struct timespec until;
	unsigned seconds = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	pthread_mutex_lock(&progress->lock);
	while (!progress->is_over) {
		until.tv_sec++;
		seconds++;
		pthread_cond_timedwait(&progress->ended, &progress->lock,
				       &until);
		if (!progress->is_over &&
		    (progress->is_terminal || seconds % SELDOM == 1))
			print_progress(progress, seconds);
	}
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

/* Signals are for the thread that waits for the command. */
void weir_run_progress_begin(void *context, const struct weir_tracedir *place)
{
	struct weir_run_progress *progress = context;
	sigset_t all, before;

	weir_tracewatch_init(&progress->follow, place->dir, place->host);
	progress->is_terminal = isatty(STDERR_FILENO);
	pthread_mutex_init(&progress->lock, NULL);
	pthread_cond_init(&progress->ended, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	progress->runs = !pthread_create(&progress->teller, NULL,
					 tell_each_second, progress);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void weir_run_progress_end(void *context)
{
	struct weir_run_progress *progress = context;

	if (progress->runs) {
		pthread_mutex_lock(&progress->lock);
		progress->is_over = true;
		pthread_cond_signal(&progress->ended);
		pthread_mutex_unlock(&progress->lock);
		pthread_join(progress->teller, NULL);
	}
	if (progress->was_told && progress->is_terminal)
		fputs(CLEAR_LINE, stderr);
	weir_tracewatch_fini(&progress->follow);
}
