/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps threads that help to store one file. */
#include "serve/threads/stagehelpers.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* One that is being done; on the stack of who called. */
struct job {
	void (*work)(void *arg);
	void *arg;
	uint32_t hands; /* that are at it, the caller's apart */
	struct job *next;
};

static struct {
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t called, left;
	pthread_t *threads;
	uint32_t count;
	struct job *jobs;
	bool is_over;
} crew = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.called = PTHREAD_COND_INITIALIZER,
	.left = PTHREAD_COND_INITIALIZER,
};

/* The one with the fewest hands, so that all get some; the lock is held. */
static struct job *choose_work(void)
{
	struct job *chosen = crew.jobs;

	for (struct job *job = chosen; job; job = job->next)
		if (job->hands < chosen->hands)
			chosen = job;
	return chosen;
}

/* Nothing is left to do of it; who has called may be the last to see. */
static void take_off(struct job *job)
{
	struct job **at = &crew.jobs;

	while (*at && *at != job)
		at = &(*at)->next;
	if (*at)
		*at = job->next;
}

static void *lend_a_hand(void *unused)
{
	pthread_mutex_lock(&crew.lock);
	while (!crew.is_over) {
		struct job *job = choose_work();

		if (!job) {
			pthread_cond_wait(&crew.called, &crew.lock);
			continue;
		}
		job->hands++;
		pthread_mutex_unlock(&crew.lock);
		job->work(job->arg);
		pthread_mutex_lock(&crew.lock);
		take_off(job);
		if (--job->hands == 0)
			pthread_cond_broadcast(&crew.left);
	}
	pthread_mutex_unlock(&crew.lock);
	return unused;
}

int weir_stagehelpers_begin(uint32_t count)
{
	int err = 0;

	crew.is_over = false;
	crew.threads = calloc(count, sizeof(*crew.threads));
	if (!crew.threads)
		return -ENOMEM;
	while (!err && crew.count < count) {
		err = -pthread_create(&crew.threads[crew.count], NULL,
				      lend_a_hand, NULL);
		if (!err)
			crew.count++;
	}
	return err;
}

void weir_stagehelpers_end(void)
{
	pthread_mutex_lock(&crew.lock);
	crew.is_over = true;
	pthread_cond_broadcast(&crew.called);
	pthread_mutex_unlock(&crew.lock);
	while (crew.count > 0)
		pthread_join(crew.threads[--crew.count], NULL);
	free(crew.threads);
	crew.threads = NULL;
}

void weir_stagehelpers_do(void (*work)(void *arg), void *arg)
{
	struct job job = { .work = work, .arg = arg };

	pthread_mutex_lock(&crew.lock);
	job.next = crew.jobs;
	crew.jobs = &job;
	pthread_cond_broadcast(&crew.called);
	pthread_mutex_unlock(&crew.lock);
	work(arg);
	pthread_mutex_lock(&crew.lock);
	take_off(&job);
	while (job.hands > 0)
		pthread_cond_wait(&crew.left, &crew.lock);
	pthread_mutex_unlock(&crew.lock);
}
