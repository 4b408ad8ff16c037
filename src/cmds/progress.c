/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of long work at a terminal. */
#include "cmds/progress.h"

#include "report/output/measures.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"
#define BAR	   20 /* letters */

/* The part that is done, and by its mean rate when all will be. */
static void print_part(uint64_t done, uint64_t all, double seconds)
{
	char rate[WEIR_MEASURES_ROOM], bar[BAR + 1];
	size_t full = (size_t)((double)done / (double)all * BAR);
	double each = (double)done / seconds;

	memset(bar, '.', BAR);
	memset(bar, '#', full < BAR ? full : BAR);
	bar[BAR] = 0;
	fprintf(stderr, " [%s] %.0f %%, %s calls/s", bar,
		100.0 * (double)done / (double)all,
		weir_measures_count(rate, (uint64_t)each));
	if (each > 0)
		fprintf(stderr, ", %.0f s left", (double)(all - done) / each);
}

/* What comes after the reading takes a time that nobody knows. */
static void print_progress(struct weir_progress *progress, time_t seconds)
{
	uint64_t done = 0, all = 0;

	progress->was_told = true;
	if (progress->reader)
		weir_reader_progress(progress->reader, &done, &all);
	if (progress->reader && all && done >= all)
		fprintf(stderr, CLEAR_LINE "weir: adding up what was read: "
			"%lld s", (long long)seconds);
	else
		fprintf(stderr, CLEAR_LINE "weir: %s:", progress->doing);
	if (done < all)
		print_part(done, all, (double)seconds);
	else if (!all)
		fprintf(stderr, " %lld s", (long long)seconds);
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
