/* SPDX-License-Identifier: BSD-3-Clause */
/* Drains one recorded process image until it has ended. */
#include "launch/collect/image.h"

#include "analyse/sums/account.h"
#include "launch/collect/ends.h"
#include "launch/collect/profiling.h"
#include "launch/collect/reserve.h"
#include "launch/collect/spool.h"
#include "trace/file/store.h"
#include "trace/layout/anchor.h"
#include "trace/live/ringtake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH	   32 /* chunks stored before they are given back */
#define FEW_SLOTS  64
#define MANY_EVERY 16 /* rounds between looks at many slots */

int weir_image_new(int dir_fd, const char *name, struct weir_image **ret_image)
{
	struct weir_image *image = calloc(1, sizeof(*image));

	if (!image)
		return -ENOMEM;
	image->dir_fd = dir_fd;
	image->name = strdup(name);
	if (!image->name) {
		free(image);
		return -ENOMEM;
	}
	*ret_image = image;
	return 0;
}

void weir_image_free(struct weir_image *image)
{
	if (!image)
		return;
	weir_live_close(image->proc.view);
	free(image->proc.threads);
	weir_account_free(image->account);
	free(image->name);
	free(image);
}

void weir_image_remove(const struct weir_image *image,
		       struct weir_reserve *reserve)
{
	char ring[300];

	if (!weir_reserve_keep(reserve, image->dir_fd, image->name,
			       image->proc.view))
		unlinkat(image->dir_fd, image->name, 0);
	if (snprintf(ring, sizeof(ring), "%s" WEIR_RING_SUFFIX, image->name) <
	    (int)sizeof(ring))
		unlinkat(image->dir_fd, ring, 0);
}

/* -ESRCH: its process has died, perhaps before there was anything in it. */
static int look_for_process(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	bool alone;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	alone = !fcntl(fd, F_SETLEASE, F_WRLCK);
	close(fd);
	return alone ? -ESRCH : -EAGAIN;
}

int weir_image_attach(struct weir_image *image)
{
	int dir_fd = image->dir_fd;
	int err = weir_live_open(dir_fd, image->name, &image->proc.view);

	if (err == -EAGAIN) {
		err = look_for_process(dir_fd, image->name);
		if (err != -ESRCH)
			return err;
		/* It may have lived all its life since we looked. */
		err = weir_live_open(dir_fd, image->name, &image->proc.view);
		if (err == -EAGAIN)
			return -ESRCH;
	}
	return err == -ENOENT ? -ESRCH : err;
}

static void store_chunk(struct weir_image *image,
			const struct weir_image_pass *pass,
			const struct weir_live_chunk *chunk)
{
	struct weir_spool *spool = pass->spool;
	uint32_t records, calls;
	int err;

	if (!chunk->used)
		return;
	if (pass->profiling) {
		image->proc.lost += weir_profiling_take(
			pass->profiling, &image->account, chunk);
		return;
	}
	err = weir_spool_make_room(spool, chunk->used);
	err = err
		      ?: weir_salvage_put_chunk(weir_spool_store(spool),
						image->proc.number, chunk);
	if (!err) {
		image->records += chunk->records;
		return;
	}
	weir_salvage_count(chunk->data, chunk->used, &records, &calls);
	image->proc.lost += calls;
}

/* Stored first, then given back: whoever dies in between repeats, no more. */
static uint32_t store_full(struct weir_image *image,
			   const struct weir_image_pass *pass)
{
	struct weir_live_view *view = image->proc.view;
	uint32_t count = weir_live_take(view, pass->chunks);

	for (uint32_t i = 0; i < count; i += BATCH) {
		uint32_t n = count - i < BATCH ? count - i : BATCH;

		for (uint32_t k = 0; k < n; k++)
			store_chunk(image, pass, &pass->chunks[i + k]);
		weir_live_release(view, &pass->chunks[i], n);
	}
	return count;
}

static void store_rest(struct weir_image *image,
		       const struct weir_image_pass *pass, uint32_t slot)
{
	struct weir_salvage_rest rest;

	if (!weir_salvage_rest(image->proc.view, slot, &rest))
		return;
	store_chunk(image, pass, &rest.open);
	store_chunk(image, pass, &rest.owed);
	if (rest.has_open)
		weir_live_release(image->proc.view, &rest.open, 1);
	store_chunk(image, pass, &rest.sums.chunk);
	if (rest.has_sums)
		weir_live_release(image->proc.view, &rest.sums.chunk, 1);
	weir_salvage_add_thread(&image->proc, &rest.thread);
}

static bool has_ended(struct weir_live_view *view, uint32_t i)
{
	struct weir_slot *slot = weir_live_slot(view, i);

	return slot && atomic_load(&slot->state) == WEIR_SLOT_ENDED;
}

/* Many slots are looked at rarely, unless their threads come and go. */
static uint32_t find_ended(struct weir_image *image,
			   const struct weir_image_pass *pass, uint16_t *ended)
{
	struct weir_live_view *view = image->proc.view;
	uint32_t slots = weir_live_slots(view), count = 0;

	if (slots > FEW_SLOTS && !image->threads_end &&
	    pass->round % MANY_EVERY)
		return 0;
	for (uint32_t i = 0; i < slots; i++) {
		if (has_ended(view, i))
			ended[count++] = (uint16_t)i;
	}
	image->threads_end = count;
	return count;
}

/*
 * Threads may come and go by the thousand, so their slots are freed as soon
 * as they end. The order matters:
 * 1. note which slots have ended: their threads' full chunks were published
 *    before, so
 * 2. taking the full chunks now takes the last of them, and
 * 3. the open chunk, which comes after those, is stored after those;
 * 4. only then may another thread have the slot.
 */
uint32_t weir_image_drain(struct weir_image *image,
			  const struct weir_image_pass *pass)
{
	struct weir_live_view *view = image->proc.view;
	uint16_t ended[WEIR_LIVE_UNITS];
	uint32_t count, ended_count = find_ended(image, pass, ended);

	count = store_full(image, pass);
	if (count)
		weir_live_grow(view);
	for (uint32_t i = 0; i < ended_count; i++) {
		store_rest(image, pass, ended[i]);
		atomic_store(&weir_live_slot(view, ended[i])->state,
			     WEIR_SLOT_FREE);
	}
	return count + ended_count;
}

/* Up to now: as long as anything in the ring, so that it tells its times. */
static uint64_t tick_length(const struct weir_live *about)
{
	struct weir_live_anchor now;

	if (!about->clock_is_tsc)
		return UINT64_C(1) << 32;
	now = weir_anchor_now(true);
	return weir_anchor_mult(&about->first, &now);
}

/* Calls that it held are counted as lost when they cannot be stored. */
static int store_ring(struct weir_image *image,
		      const struct weir_image_pass *pass)
{
	struct weir_salvage_proc *proc = &image->proc;
	struct weir_ringtake taken;
	uint64_t bytes;
	int err = weir_ringtake_load(image->dir_fd, image->name, &taken);

	if (err)
		return err == -ENOENT ? 0 : err;
	bytes = taken.count * sizeof(*taken.records);
	err = weir_spool_make_room(pass->spool, bytes);
	err = err
		      ?: weir_ringtake_put(
				 &taken, weir_spool_store(pass->spool),
				 proc->number,
				 tick_length(weir_live_about(proc->view)));
	if (err) {
		proc->lost += taken.count;
	} else {
		proc->kept = taken.count;
		proc->overwritten = taken.sequence;
	}
	weir_ringtake_fini(&taken);
	return 0;
}

/* What finds no room is counted as lost. */
static int store_sums(struct weir_image *image,
		      const struct weir_image_pass *pass)
{
	int err = weir_profiling_put(pass->profiling, image->account,
				     image->proc.number, pass->spool);

	if (err && image->account)
		image->proc.lost += weir_account_calls(image->account);
	return 0;
}

int weir_image_finish(struct weir_image *image,
		      const struct weir_image_pass *pass)
{
	uint32_t slots;
	int err, put_err;

	store_full(image, pass);
	slots = weir_live_slots(image->proc.view);
	for (uint32_t i = 0; i < slots; i++)
		store_rest(image, pass, i);
	image->proc.gone = true;
	put_err = pass->profiling ? store_sums(image, pass)
				  : store_ring(image, pass);
	err = weir_ends_part(pass->ends, &image->proc,
			     weir_spool_store(pass->spool));
	return err ?: put_err;
}
