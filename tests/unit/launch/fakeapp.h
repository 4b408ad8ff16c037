/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorded process made by hand, exactly as live_layout.h has it. */
#ifndef WEIR_TESTS_FAKEAPP_H
#define WEIR_TESTS_FAKEAPP_H

#include "trace/layout/anchor.h"
#include "trace/layout/live_layout.h"
#include "trace/layout/trace_layout.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FAKE_CALL 7

struct fake_app {
	struct weir_live *live;
	size_t size;
};

struct fake_thread {
	struct fake_app *app;
	struct weir_slot *slot;
	struct weir_chunk_head *chunk;
	uint64_t *data;
	uint32_t slot_index, unit, sequence, used, records;
	uint64_t commit;
};

static inline void *fake_unit(struct fake_app *app, uint32_t unit)
{
	return (uint8_t *)app->live + WEIR_LIVE_HEAD_BYTES +
	       (size_t)unit * WEIR_LIVE_UNIT_BYTES;
}

static inline void fake_fill_head(struct weir_live *live, uint32_t units,
				  uint32_t wanted)
{
	uint64_t magic;

	live->version = 1;
	live->pid = (uint32_t)getpid();
	live->ppid = (uint32_t)getppid();
	live->uid = (uint32_t)getuid();
	live->clock_is_tsc = 1;
	live->units_wanted = wanted;
	live->first = weir_anchor_now(true);
	strcpy(live->host, "fakehost");
	strcpy(live->exe, "/bin/fake");
	strcpy(live->cwd, "/tmp");
	live->args_bytes = 8;
	memcpy(live->args, "fake\0-x", 8);
	for (uint32_t i = 0; i < units; i++)
		atomic_fetch_or(&live->free[i / 64], UINT64_C(1) << i % 64);
	atomic_store(&live->ready, units);
	memcpy(&magic, WEIR_LIVE_MAGIC, sizeof(magic));
	__atomic_store_n((uint64_t *)live->magic, magic,
			 __ATOMIC_RELEASE);
}

/* Maps, then closes: a recorded process keeps no descriptor. */
static inline int fake_open(struct fake_app *app, const char *path,
			    uint32_t units, uint32_t wanted)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	off_t bytes =
		WEIR_LIVE_HEAD_BYTES + (off_t)units * WEIR_LIVE_UNIT_BYTES;

	if (fd < 0 || fallocate(fd, 0, 0, bytes))
		return -1;
	app->size = WEIR_LIVE_HEAD_BYTES +
		    (size_t)WEIR_LIVE_UNITS * WEIR_LIVE_UNIT_BYTES;
	app->live = mmap(NULL, app->size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 fd, 0);
	close(fd);
	if (app->live == MAP_FAILED)
		return -1;
	fake_fill_head(app->live, units, wanted);
	return 0;
}

static inline void fake_close(struct fake_app *app)
{
	munmap(app->live, app->size);
}

static inline void fake_publish(struct fake_thread *t)
{
	t->commit = (t->commit & ~UINT64_C(0xffff)) | t->used;
	atomic_store_explicit(&t->slot->commit, t->commit,
			      memory_order_release);
}

static inline int fake_begin(struct fake_app *app, struct fake_thread *t)
{
	memset(t, 0, sizeof(*t));
	t->app = app;
	t->unit = WEIR_LIVE_NO_CHUNK;
	for (uint32_t i = 0; i < atomic_load(&app->live->ready); i++) {
		uint32_t state = WEIR_SLOT_FREE, slots;

		t->slot = fake_unit(app, i);
		t->slot_index = i;
		if (!atomic_compare_exchange_strong(&t->slot->state, &state,
						    WEIR_SLOT_TAKEN))
			continue;
		slots = atomic_load(&app->live->slots);
		while (slots < i + 1 &&
		       !atomic_compare_exchange_weak(&app->live->slots, &slots,
						     i + 1))
			;
		t->slot->tid = (uint32_t)gettid();
		t->slot->thread = atomic_fetch_add(&app->live->threads, 1) + 1;
		t->slot->level = 0;
		t->slot->drops_told = t->slot->first_drop = 0;
		t->slot->last_drop = 0;
		atomic_store(&t->slot->commit, 0);
		atomic_store(&t->slot->chunk, WEIR_LIVE_NO_CHUNK);
		atomic_store(&t->slot->state, WEIR_SLOT_LIVE);
		return 0;
	}
	return -1;
}

static inline uint32_t fake_take_unit(struct weir_live *live)
{
	uint32_t ready = atomic_load(&live->ready);

	for (uint32_t i = 0; i < ready; i++) {
		uint64_t bit = UINT64_C(1) << i % 64;

		if (atomic_load(&live->free[i / 64]) & bit &&
		    atomic_fetch_and(&live->free[i / 64], ~bit) & bit)
			return i;
	}
	return WEIR_LIVE_NO_CHUNK;
}

static inline void fake_hand_over(struct fake_thread *t)
{
	if (t->unit == WEIR_LIVE_NO_CHUNK)
		return;
	t->chunk->used = t->used;
	t->chunk->records = t->records;
	atomic_fetch_or(&t->app->live->full[t->unit / 64],
			UINT64_C(1) << t->unit % 64);
	t->unit = WEIR_LIVE_NO_CHUNK;
}

static inline int fake_take_chunk(struct fake_thread *t)
{
	uint32_t unit = fake_take_unit(t->app->live);

	if (unit == WEIR_LIVE_NO_CHUNK)
		return -1;
	t->unit = unit;
	t->chunk = (void *)((uint8_t *)fake_unit(t->app, unit) +
			    WEIR_LIVE_SLOT_BYTES);
	t->data = (void *)((uint8_t *)t->chunk + WEIR_LIVE_CHUNK_BYTES);
	t->used = t->records = 0;
	t->chunk->thread = t->slot->thread;
	t->chunk->sequence = ++t->sequence;
	t->chunk->slot = t->slot_index;
	t->chunk->used = t->chunk->records = 0;
	t->chunk->base.tick = weir_clock_counter();
	fake_publish(t);
	atomic_store(&t->slot->chunk, (uint64_t)t->sequence << 32 | unit);
	return 0;
}

static inline void fake_drop(struct fake_thread *t)
{
	uint64_t tick = weir_clock_counter();

	if (t->commit >> WEIR_COMMIT_DROPS_SHIFT == t->slot->drops_told)
		t->slot->first_drop = tick;
	t->slot->last_drop = tick;
	t->used = 0;
	t->commit += WEIR_COMMIT_DROPS_ONE;
	fake_publish(t);
}

/* A record that carries a number as its size; -1: dropped. */
static inline int fake_record(struct fake_thread *t, uint64_t number)
{
	uint64_t *word;

	if (t->unit == WEIR_LIVE_NO_CHUNK ||
	    t->used + 24 > WEIR_LIVE_DATA_BYTES) {
		fake_hand_over(t);
		if (fake_take_chunk(t)) {
			fake_drop(t);
			return -1;
		}
	}
	word = t->data + t->used / 8;
	if (!t->used) {
		*word++ = WEIR_RECORD_DEF | WEIR_RECORD_NOOFF;
		*word++ = FAKE_CALL;
	} else {
		*word++ = WEIR_RECORD_SIZE | WEIR_RECORD_NOOFF |
			  UINT64_C(1) << WEIR_RECORD_DUR_SHIFT |
			  UINT64_C(1) << WEIR_RECORD_GAP_SHIFT;
	}
	*word++ = number;
	t->used = (uint32_t)((uint8_t *)word - (uint8_t *)t->data);
	t->records++;
	fake_publish(t);
	return 0;
}

/* The thread ends without handing its chunk over: the harder case. */
static inline void fake_end(struct fake_thread *t)
{
	atomic_store(&t->slot->state, WEIR_SLOT_ENDED);
}

#endif
