/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the raw trace beside the collector, when nobody needs the processor. */
#include "launch/packing.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Raw bytes worth waking up for: packing them takes a quarter of a second,
 * which may as well wait for the end: a processor that nobody else wants
 * still shares memory and caches with the program.
 */
#define STEP (UINT64_C(32) << 20)

struct weir_packing {
	pthread_t thread;
	pid_t tid;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t step;
	uint64_t raw_end, done; /* under the lock, like the next two */
	bool running, finishing;
	int err; /* the thread's; to be read after it ended */
	struct weir_pack *pack;
	struct weir_pack_totals totals;
	char packed_path[PATH_MAX];
};

/* Waits for work; false: only the rest is left to do. */
static bool wait_for_work(struct weir_packing *packing, uint64_t done,
			  uint64_t *ret_end)
{
	bool more;

	pthread_mutex_lock(&packing->lock);
	packing->done = done;
	while (!packing->finishing && packing->raw_end < done + packing->step)
		pthread_cond_wait(&packing->changed, &packing->lock);
	more = !packing->finishing;
	*ret_end = packing->raw_end;
	pthread_mutex_unlock(&packing->lock);
	return more;
}

static void set_policy(pid_t tid, int policy)
{
	struct sched_param none = {0};

	/* Only speed depends on it. */
	if (sched_setscheduler(tid, policy, &none))
		return;
}

/* In steps, so that the end of the run is noticed soon. */
static void *pack_along(void *arg)
{
	struct weir_packing *packing = arg;
	uint64_t done = 0, end;

	pthread_mutex_lock(&packing->lock);
	packing->tid = gettid();
	packing->running = true;
	if (!packing->finishing)
		set_policy(0, SCHED_IDLE);
	pthread_cond_broadcast(&packing->changed);
	pthread_mutex_unlock(&packing->lock);
	while (!packing->err && wait_for_work(packing, done, &end)) {
		packing->err = weir_pack_advance(packing->pack, end);
		done = end;
	}
	if (!packing->err)
		packing->err =
			weir_pack_finish(packing->pack, &packing->totals);
	return NULL;
}

int weir_packing_start(const char *raw_path, const char *packed_path,
		       uint64_t max_bytes, struct weir_packing **ret_packing)
{
	struct weir_packing *packing = calloc(1, sizeof(*packing));
	int err;

	if (!packing)
		return -ENOMEM;
	packing->step = max_bytes && max_bytes / 4 < STEP ? max_bytes / 4
							  : STEP;
	snprintf(packing->packed_path, sizeof(packing->packed_path), "%s",
		 packed_path);
	err = weir_pack_open(raw_path, packed_path, &packing->pack);
	if (err)
		goto free_packing;
	pthread_mutex_init(&packing->lock, NULL);
	pthread_cond_init(&packing->changed, NULL);
	err = -pthread_create(&packing->thread, NULL, pack_along, packing);
	if (err)
		goto close_pack;
	*ret_packing = packing;
	return 0;

close_pack:
	weir_pack_close(packing->pack);
	unlink(packed_path);
free_packing:
	free(packing);
	return err;
}

uint64_t weir_packing_done(struct weir_packing *packing)
{
	uint64_t done;

	pthread_mutex_lock(&packing->lock);
	done = packing->done;
	pthread_mutex_unlock(&packing->lock);
	return done;
}

void weir_packing_feed(struct weir_packing *packing, uint64_t raw_end)
{
	pthread_mutex_lock(&packing->lock);
	packing->raw_end = raw_end;
	pthread_cond_broadcast(&packing->changed);
	pthread_mutex_unlock(&packing->lock);
}

int weir_packing_finish(struct weir_packing *packing,
			struct weir_pack_totals *ret_totals)
{
	int err;

	pthread_mutex_lock(&packing->lock);
	packing->finishing = true;
	if (packing->running)
		set_policy(packing->tid, SCHED_OTHER);
	pthread_cond_broadcast(&packing->changed);
	pthread_mutex_unlock(&packing->lock);
	pthread_join(packing->thread, NULL);
	err = packing->err;
	weir_pack_close(packing->pack);
	if (err)
		unlink(packing->packed_path);
	else
		*ret_totals = packing->totals;
	pthread_mutex_destroy(&packing->lock);
	pthread_cond_destroy(&packing->changed);
	free(packing);
	return err;
}
