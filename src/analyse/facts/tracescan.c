/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over a trace once, with several threads. */
#include "analyse/facts/tracescan.h"

#include "trace/bytes/bytes.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define BATCH  1024 /* calls handed over together */
#define DEPTH  16   /* batches a worker has */

/* Details lie in `text`, one after the other, while events have none. */
struct batch {
	struct weir_callview views[BATCH];
	size_t count;
	struct weir_bytes text;
};

/* Batches go round: filled at `filled`, taken at `taken`. */
struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct batch *batches; /* DEPTH of them */
	unsigned filled, taken; /* so far */
	bool over;
	weir_tracescan_taker *take;
	void *const *states;
	_Atomic int err;
};

/* By the file, so that its calls stay in order. */
static unsigned state_of(const struct weir_callview *view)
{
	uint32_t key = view->whole ? view->whole : view->event.proc;

	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) %
	       WEIR_PASS_STATES;
}

/* Events got their details' places when the text was complete. */
static int work_off(struct worker *worker, struct batch *batch)
{
	const uint8_t *at = batch->text.data;
	int err = 0;

	for (size_t i = 0; !err && i < batch->count; i++) {
		struct weir_callview *view = &batch->views[i];

		view->event.detail = at;
		if (view->event.detail_len) /* else there may be no text */
			at += view->event.detail_len;
		err = worker->take(worker->states[state_of(view)], view);
	}
	return err;
}

static void *run_worker(void *context)
{
	struct worker *worker = context;
	int err = 0;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		struct batch *batch;

		while (worker->taken == worker->filled && !worker->over)
			pthread_cond_wait(&worker->change, &worker->lock);
		if (worker->taken == worker->filled)
			break;
		batch = &worker->batches[worker->taken % DEPTH];
		pthread_mutex_unlock(&worker->lock);
		err = err ? err : work_off(worker, batch);
		atomic_store(&worker->err, err);
		pthread_mutex_lock(&worker->lock);
		worker->taken++;
		pthread_cond_signal(&worker->change);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

/* The batch to be filled: waits until there is one. */
static struct batch *free_batch(struct worker *worker)
{
	struct batch *batch;

	pthread_mutex_lock(&worker->lock);
	while (worker->filled - worker->taken == DEPTH)
		pthread_cond_wait(&worker->change, &worker->lock);
	batch = &worker->batches[worker->filled % DEPTH];
	pthread_mutex_unlock(&worker->lock);
	return batch;
}

static void send_batch(struct worker *worker, bool over)
{
	struct batch *batch = &worker->batches[worker->filled % DEPTH];

	pthread_mutex_lock(&worker->lock);
	worker->filled += batch->count > 0;
	worker->over = over;
	pthread_cond_signal(&worker->change);
	pthread_mutex_unlock(&worker->lock);
	if (over)
		return;
	batch = free_batch(worker);
	batch->count = 0;
	batch->text.used = 0;
}

static bool wants_detail(const struct weir_callview *view)
{
	return view->event.call >= WEIR_NOTE_FIRST ||
	       view->marks & (WEIR_CALLVIEW_ASKS | WEIR_CALLVIEW_PLANS);
}

static int add_view(struct worker *worker, const struct weir_callview *view)
{
	struct batch *batch = &worker->batches[worker->filled % DEPTH];
	struct weir_callview *copy = &batch->views[batch->count];
	int err = 0;

	*copy = *view;
	if (wants_detail(view))
		err = weir_bytes_add(&batch->text, view->event.detail,
				     view->event.detail_len);
	else
		copy->event.detail_len = 0;
	if (err)
		return err;
	if (++batch->count == BATCH)
		send_batch(worker, false);
	return atomic_load(&worker->err);
}

static int start_worker(struct worker *worker, weir_tracescan_taker *take,
			void *const *states)
{
	sigset_t all, before;
	int err;

	worker->take = take;
	worker->states = states;
	worker->batches = calloc(DEPTH, sizeof(*worker->batches));
	if (!worker->batches)
		return -ENOMEM;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->change, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, run_worker, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		free(worker->batches);
	return -err;
}

static int finish(struct worker *worker)
{
	send_batch(worker, true);
	pthread_join(worker->thread, NULL);
	for (int i = 0; i < DEPTH; i++)
		weir_bytes_fini(&worker->batches[i].text);
	free(worker->batches);
	pthread_cond_destroy(&worker->change);
	pthread_mutex_destroy(&worker->lock);
	return worker->err;
}

static int read_alone(struct weir_callviews *views, weir_tracescan_taker *take,
		      void *const *states)
{
	struct weir_callview view;
	int more, err = 0;

	while (!err && (more = weir_callviews_next(views, &view)) > 0)
		err = take(states[state_of(&view)], &view);
	return err ? err : more;
}

int weir_tracescan_run(struct weir_callviews *views, weir_tracescan_taker *take,
		  void *const *states, unsigned workers)
{
	struct worker started[WEIR_PASS_STATES] = { 0 };
	struct weir_callview view;
	unsigned count = 0;
	int more = 0, err = 0;

	while (workers > 1 && count < workers && count < WEIR_PASS_STATES &&
	       !start_worker(&started[count], take, states))
		count++;
	if (!count)
		return read_alone(views, take, states);
	while (!err && (more = weir_callviews_next(views, &view)) > 0)
		err = add_view(&started[state_of(&view) % count], &view);
	err = err ? err : more;
	for (unsigned i = 0; i < count; i++) {
		int ended = finish(&started[i]);

		err = err ? err : ended;
	}
	return err;
}
