/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs what may take time in threads, so that the daemon's first never waits.
 */
#include "serve/threads/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define MOST_THREADS 32
#define MOST_JOBS    4096

struct job {
	struct job *next;
	void (*work)(void *arg);
	void *arg;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static struct job *first, **last = &first;
static unsigned threads, idle, waiting;

static struct job *take_job(void)
{
	struct job *job;

	pthread_mutex_lock(&lock);
	idle++;
	while (!first)
		pthread_cond_wait(&wanted, &lock);
	idle--;
	waiting--;
	job = first;
	first = job->next;
	if (!first)
		last = &first;
	pthread_mutex_unlock(&lock);
	return job;
}

static void *do_jobs(void *unused)
{
	for (;;) {
		struct job *job = take_job();

		job->work(job->arg);
		free(job);
	}
	return NULL;
}

/* When all others have something to do. The lock is held. */
static int hire(void)
{
	pthread_t thread;
	int err;

	if (idle >= waiting || threads >= MOST_THREADS)
		return 0;
	err = pthread_create(&thread, NULL, do_jobs, NULL);
	if (err)
		return threads ? 0 : -err;
	pthread_detach(thread);
	threads++;
	return 0;
}

/* The lock is held. */
static int add_thread(struct job *job)
{
	int err;

	if (waiting >= MOST_JOBS)
		return -EAGAIN;
	waiting++;
	err = hire();
	if (err) {
		waiting--;
		return err;
	}
	*last = job;
	last = &job->next;
	pthread_cond_signal(&wanted);
	return 0;
}

int weir_jobs_do(void (*what)(void *arg), void *arg)
{
	struct job *job = calloc(1, sizeof(*job));
	int err;

	if (!job)
		return -ENOMEM;
	job->work = what;
	job->arg = arg;
	pthread_mutex_lock(&lock);
	err = add_thread(job);
	pthread_mutex_unlock(&lock);
	if (err)
		free(job);
	return err;
}
