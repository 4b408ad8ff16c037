/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the raw trace beside the collector, when nobody needs the processor. */
#include "launch/collect/packing.h"

#include "trace/live/live.h"
#include "trace/live/salvage.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Raw bytes worth waking up for: who waits for `weir run` to return waits for
 * the packing of less than two steps, where a processor was idle before.
 */
#define STEP (UINT64_C(1) << 20)

/* A copy of the records of an open chunk. */
struct hint {
	struct hint *next;
	uint32_t process, used;
	uint64_t base;
	uint8_t data[WEIR_LIVE_UNIT_BYTES];
};

struct weir_packing {
	pthread_t thread;
	pid_t tid;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t step;
	_Atomic uint64_t raw_end, done;
	_Atomic uint32_t wanting; /* a process; 0: none */
	struct hint *hints;	  /* under the lock */
	bool running, finishing; /* under the lock */
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

	packing->done = done;
	pthread_mutex_lock(&packing->lock);
	while (!packing->finishing && packing->raw_end < done + packing->step)
		pthread_cond_wait(&packing->changed, &packing->lock);
	more = !packing->finishing;
	*ret_end = packing->raw_end;
	pthread_mutex_unlock(&packing->lock);
	return more;
}

static struct hint *take_hints(struct weir_packing *packing)
{
	struct hint *hints;

	pthread_mutex_lock(&packing->lock);
	hints = packing->hints;
	packing->hints = NULL;
	pthread_mutex_unlock(&packing->lock);
	return hints;
}

/* Of a packer that has failed. */
static void drop_hints(struct weir_packing *packing)
{
	struct hint *hint = take_hints(packing), *next;

	for (; hint; hint = next) {
		next = hint->next;
		free(hint);
	}
}

static int learn(struct weir_packing *packing)
{
	struct hint *hint = take_hints(packing), *next;
	int err = 0;

	for (; hint; hint = next) {
		next = hint->next;
		err = err ?: weir_pack_hint(packing->pack, hint->process,
					    hint->data, hint->used,
					    hint->base);
		free(hint);
	}
	return err;
}

static int advance(struct weir_packing *packing, uint64_t end)
{
	int err = learn(packing);

	err = err ?: weir_pack_advance(packing->pack, end);
	packing->wanting = weir_pack_wanting(packing->pack);
	return err;
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
		packing->err = advance(packing, end);
		done = end;
	}
	if (!packing->err)
		packing->err = learn(packing);
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

int weir_packing_all(const char *raw_path, const char *packed_path,
		     struct weir_pack_totals *ret_totals)
{
	struct weir_pack *pack;
	int err = weir_pack_open(raw_path, packed_path, &pack);

	if (err)
		return err;
	err = weir_pack_finish(pack, ret_totals);
	weir_pack_close(pack);
	if (err)
		unlink(packed_path);
	return err;
}

uint64_t weir_packing_done(struct weir_packing *packing)
{
	return packing->done;
}

/*
 * Never waits: the thread may have lost the processor while it held the lock,
 * and gets it back when nobody else wants it. The next call wakes it up then.
 */
void weir_packing_feed(struct weir_packing *packing, uint64_t raw_end)
{
	packing->raw_end = raw_end;
	if (pthread_mutex_trylock(&packing->lock))
		return;
	pthread_cond_broadcast(&packing->changed);
	pthread_mutex_unlock(&packing->lock);
}

uint32_t weir_packing_wanting(struct weir_packing *packing)
{
	return packing->wanting;
}

/*
 * Its thread goes on meanwhile, and what is copied counts only if the chunk
 * was still open afterwards: until then it only grows. Which one is open was
 * read first, so what is said of its size belongs to no chunk before it.
 */
static bool copy_open(struct weir_live_view *view, uint32_t slot,
		      struct hint *hint)
{
	const struct weir_slot *shared = weir_live_slot(view, slot);
	struct weir_salvage_rest rest;
	uint64_t chunk;

	if (!shared)
		return false;
	chunk = atomic_load(&shared->chunk);
	if (!weir_salvage_rest(view, slot, &rest) || !rest.open.used ||
	    rest.open.used > sizeof(hint->data) ||
	    rest.open.sequence != (uint32_t)(chunk >> 32))
		return false;
	atomic_thread_fence(memory_order_acquire);
	memcpy(hint->data, rest.open.data, rest.open.used);
	atomic_thread_fence(memory_order_acquire);
	hint->used = rest.open.used;
	hint->base = rest.open.base;
	return atomic_load(&shared->chunk) == chunk;
}

/* Without the lock's or memory's help it is only packed later. */
static void add_hint(struct weir_packing *packing, struct hint *hint)
{
	if (pthread_mutex_trylock(&packing->lock)) {
		free(hint);
		return;
	}
	hint->next = packing->hints;
	packing->hints = hint;
	pthread_mutex_unlock(&packing->lock);
}

void weir_packing_hint(struct weir_packing *packing, uint32_t process,
		       struct weir_live_view *view)
{
	uint32_t slots = weir_live_slots(view);
	struct hint *hint = NULL;

	packing->wanting = 0;
	for (uint32_t i = 0; i < slots; i++) {
		if (!hint)
			hint = malloc(sizeof(*hint));
		if (!hint || !copy_open(view, i, hint))
			continue;
		hint->process = process;
		add_hint(packing, hint);
		hint = NULL;
	}
	free(hint);
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
	drop_hints(packing);
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
