/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs what may take long in threads of their own. */
#include "serve/threads/workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define MOST 32

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static struct weir_workers_task *first, **last = &first;
static int threads, idle, tasks;
static bool is_over;

/* The queue is locked. */
static struct weir_workers_task *next_task(void)
{
	struct weir_workers_task *task;

	idle++;
	while (!first && !is_over)
		pthread_cond_wait(&work, &guard);
	idle--;
	task = first;
	if (task) {
		first = task->next;
		if (!first)
			last = &first;
		tasks--;
	}
	return task;
}

static void *do_tasks(void *unused)
{
	struct weir_workers_task *task;

	pthread_mutex_lock(&guard);
	while ((task = next_task())) {
		pthread_mutex_unlock(&guard);
		task->run(task);
		pthread_mutex_lock(&guard);
	}
	threads--;
	pthread_cond_broadcast(&ended);
	pthread_mutex_unlock(&guard);
	return NULL;
}

/* The queue is locked. */
static void start_thread(void)
{
	pthread_t thread;

	if (threads == MOST || pthread_create(&thread, NULL, do_tasks, NULL))
		return;
	pthread_detach(thread);
	threads++;
}

void weir_workers_do(struct weir_workers_task *task)
{
	bool has_thread;

	pthread_mutex_lock(&guard);
	task->next = NULL;
	*last = task;
	last = &task->next;
	tasks++;
	if (idle < tasks)
		start_thread();
	has_thread = threads > 0;
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&guard);
	if (has_thread)
		return;
	/* no thread can be had: the caller's */
	pthread_mutex_lock(&guard);
	task = first ? next_task() : NULL;
	pthread_mutex_unlock(&guard);
	if (task)
		task->run(task);
}

void weir_workers_end(void)
{
	pthread_mutex_lock(&guard);
	is_over = true;
	pthread_cond_broadcast(&work);
	while (threads)
		pthread_cond_wait(&ended, &guard);
	pthread_mutex_unlock(&guard);
}
