/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts threads that store files to sleep, and wakes them. */
#include "serve/threads/stagewait.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

/* What wakes the watch. */
enum { NOTHING, SHORTAGE, ANYTHING };

static struct {
	bool (*is_short)(void);
	_Atomic bool is_over;
	_Atomic uint32_t kicks;
	_Atomic uint32_t wakes; /* set with the lock held */

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t watch, others;
	bool is_kept;
	uint64_t until;
	uint32_t others_asleep;
} watch = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.others = PTHREAD_COND_INITIALIZER,
};

int weir_stagewait_begin(bool (*is_short)(void))
{
	pthread_condattr_t how;
	int err;

	watch.is_short = is_short;
	watch.is_over = false;
	pthread_condattr_init(&how);
	pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
	err = -pthread_cond_init(&watch.watch, &how);
	pthread_condattr_destroy(&how);
	return err;
}

void weir_stagewait_end(void)
{
	pthread_mutex_lock(&watch.lock);
	watch.is_over = true;
	pthread_cond_broadcast(&watch.watch);
	pthread_cond_broadcast(&watch.others);
	pthread_mutex_unlock(&watch.lock);
}

bool weir_stagewait_is_over(void)
{
	return watch.is_over;
}

void weir_stagewait_wake(void)
{
	pthread_mutex_lock(&watch.lock);
	watch.wakes = NOTHING;
	pthread_cond_signal(&watch.watch);
	pthread_mutex_unlock(&watch.lock);
}

/*
 * The kick is counted before `wakes` is read, the watch sets `wakes` before it
 * reads the count: one of the two sees the other.
 */
void weir_stagewait_kick(void)
{
	uint32_t wakes;

	watch.kicks++;
	wakes = watch.wakes;
	if (wakes == ANYTHING || (wakes == SHORTAGE && watch.is_short()))
		weir_stagewait_wake();
}

uint32_t weir_stagewait_kicks(void)
{
	return watch.kicks;
}

void weir_stagewait_call(void)
{
	pthread_mutex_lock(&watch.lock);
	if (!watch.is_kept && watch.others_asleep > 0)
		pthread_cond_signal(&watch.others);
	pthread_mutex_unlock(&watch.lock);
}

static void wait_until(uint64_t until)
{
	struct timespec end = { .tv_sec = (time_t)(until / SECOND),
				.tv_nsec = (long)(until % SECOND) };

	if (until == UINT64_MAX)
		pthread_cond_wait(&watch.watch, &watch.lock);
	else
		pthread_cond_timedwait(&watch.watch, &watch.lock, &end);
}

static bool was_kicked(const struct weir_stagewait_view *view)
{
	return watch.kicks != view->kicks &&
	       (!view->is_fresh || watch.is_short());
}

/*
 * The lock is held, but not while somebody is asked who may have one himself:
 * those who have it may kick.
 */
static void keep_watch(const struct weir_stagewait_view *view)
{
	bool is_news;

	watch.is_kept = true;
	watch.until = view->next;
	watch.wakes = view->is_fresh ? SHORTAGE : ANYTHING;
	pthread_mutex_unlock(&watch.lock);
	is_news = was_kicked(view);
	pthread_mutex_lock(&watch.lock);
	if (!is_news && !watch.is_over && watch.wakes != NOTHING)
		wait_until(view->next);
	watch.wakes = NOTHING;
	watch.is_kept = false;
}

void weir_stagewait_doze(const struct weir_stagewait_view *view)
{
	pthread_mutex_lock(&watch.lock);
	if (!watch.is_kept) {
		keep_watch(view);
	} else if (!watch.is_over) {
		/* who watches may not know of what is due */
		if (view->next < watch.until)
			pthread_cond_signal(&watch.watch);
		watch.others_asleep++;
		pthread_cond_wait(&watch.others, &watch.lock);
		watch.others_asleep--;
	}
	pthread_mutex_unlock(&watch.lock);
}
