/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of long work at a terminal. */
#include "cmds/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

static void print_progress(struct weir_progress *progress, time_t seconds)
{
	progress->was_told = true;
	fprintf(stderr, CLEAR_LINE "weir: %s: ", progress->doing);
	if (progress->reader)
		fprintf(stderr, "%u %%, ",
			weir_reader_percent(progress->reader));
	fprintf(stderr, "%lld s", (long long)seconds);
}

/* A thread of its own: the work has no place to look at a clock. */
static void *tell_each_second(void *context)
{
	struct weir_progress *progress = context;
	struct timespec begin, until;

	clock_gettime(CLOCK_REALTIME, &begin);
	until = begin;
	pthread_mutex_lock(&progress->lock);
	while (!progress->is_over) {
		until.tv_sec++;
		pthread_cond_timedwait(&progress->ended, &progress->lock,
				       &until);
		if (!progress->is_over && until.tv_sec - begin.tv_sec > 1)
			print_progress(progress, until.tv_sec - begin.tv_sec);
	}
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

/* Without a thread nothing is shown, which is no error. */
void weir_progress_begin(struct weir_progress *progress, const char *doing,
			 const struct weir_reader *reader)
{
	*progress = (struct weir_progress){.doing = doing, .reader = reader};
	if (!isatty(STDERR_FILENO))
		return;
	pthread_mutex_init(&progress->lock, NULL);
	pthread_cond_init(&progress->ended, NULL);
	progress->runs = !pthread_create(&progress->teller, NULL,
					 tell_each_second, progress);
}

void weir_progress_end(struct weir_progress *progress)
{
	if (!progress->runs)
		return;
	pthread_mutex_lock(&progress->lock);
	progress->is_over = true;
	pthread_cond_signal(&progress->ended);
	pthread_mutex_unlock(&progress->lock);
	pthread_join(progress->teller, NULL);
	if (progress->was_told)
		fputs(CLEAR_LINE, stderr);
	progress->runs = false;
}
