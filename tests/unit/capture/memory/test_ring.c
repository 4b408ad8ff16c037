/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings of short records, written by capture and read by trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/memory/ring.h"
#include "capture/memory/tick.h"
#include "spec/ring.h"
#include "trace/file/blocks.h"
#include "trace/live/ringtake.h"
#include "trace/file/ringblock.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define READ  0
#define DAY   (UINT64_C(86400) * 1000000)
#define START UINT64_C(0x123456789abc)

bool weir_tick_is_counter; /* of the part of capture that is not here */

static char dir[] = "/tmp/weir-test-XXXXXX";
static int dir_fd;

struct ring {
	struct weir_ring_head *memory;
	size_t bytes;
};

/* In a file, as a process makes it; one unit is one tick is 1 us. */
static struct ring make_ring(uint32_t slots)
{
	struct ring ring = { .bytes = WEIR_RING_HEAD_BYTES + slots * 16u };
	int fd = openat(dir_fd, "one.live.ring", O_RDWR | O_CREAT | O_TRUNC,
			0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)ring.bytes), 0);
	ring.memory = mmap(NULL, ring.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			   fd, 0);
	assert_true(ring.memory != MAP_FAILED);
	close(fd);
	weir_ring_init(ring.memory, slots, 0, START);
	return ring;
}

static struct weir_ringtake read_ring(struct ring *ring)
{
	struct weir_ringtake recall;

	assert_int_equal(weir_ringtake_load(dir_fd, "one.live", &recall), 0);
	munmap(ring->memory, ring->bytes);
	return recall;
}

static uint64_t handle_word(uint32_t handle)
{
	return (uint64_t)handle << WEIR_RING_WHO_SHIFT;
}

static void add(struct ring *ring, uint64_t at, uint64_t data)
{
	struct weir_ring_record record = { handle_word(7) | READ, data };

	weir_ring_add(ring->memory, at, &record, 1);
}

/* The unit of a record, told from the base. */
static uint64_t time_of(const struct weir_ringtake *recall, uint64_t i)
{
	uint64_t unit = recall->base;

	for (uint64_t k = 0; k <= i; k++)
		unit += weir_ringblock_gap(&recall->records[k]);
	return unit;
}

static void a_megabyte_holds_65536(void **state)
{
	struct ring ring = make_ring((1 << 20) / 16);
	struct weir_ringtake recall;

	(void)state;
	for (uint64_t i = 0; i < 65536; i++)
		add(&ring, START + i, i);
	recall = read_ring(&ring);
	assert_int_equal(recall.count, 65536);
	assert_int_equal(recall.sequence, 0);
	for (uint64_t i = 0; i < 65536; i++)
		assert_int_equal(recall.records[i].data, i);
	weir_ringtake_fini(&recall);
}

static void the_newest_stay(void **state)
{
	static const uint64_t totals[] = { 1,	99,  100, 101,	150,
					   199, 200, 201, 1000, 1234 };

	(void)state;
	for (size_t t = 0; t < sizeof(totals) / sizeof(*totals); t++) {
		uint64_t total = totals[t], kept = total < 100 ? total : 100;
		struct ring ring = make_ring(100);
		struct weir_ringtake recall;

		for (uint64_t i = 0; i < total; i++)
			add(&ring, START + 10 * (i + 1), i);
		recall = read_ring(&ring);
		assert_int_equal(recall.count, kept);
		assert_int_equal(recall.count + recall.sequence, total);
		for (uint64_t i = 0; i < kept; i++)
			assert_int_equal(recall.records[i].data,
					 total - kept + i);
		assert_int_equal(time_of(&recall, kept - 1),
				 START + 10 * total);
		assert_int_equal(time_of(&recall, 0),
				 START + 10 * (total - kept + 1));
		weir_ringtake_fini(&recall);
	}
}

static void check_gap(uint64_t gap, bool has_filler)
{
	struct ring ring = make_ring(100);
	struct weir_ringtake recall;

	add(&ring, START + 5, 1);
	add(&ring, START + 5 + gap, 2);
	add(&ring, START + 5 + gap + 1, 3);
	recall = read_ring(&ring);
	assert_int_equal(recall.count, has_filler ? 4 : 3);
	if (has_filler) {
		assert_int_equal(weir_ringblock_kind(&recall.records[1]),
				 WEIR_RING_FILLER);
		assert_int_equal(recall.records[1].data, gap);
		assert_int_equal(weir_ringblock_gap(&recall.records[2]), 0);
	}
	assert_int_equal(time_of(&recall, 0), START + 5);
	assert_int_equal(time_of(&recall, recall.count - 2), START + 5 + gap);
	assert_int_equal(time_of(&recall, recall.count - 1), START + 6 + gap);
	weir_ringtake_fini(&recall);
}

static void long_gaps_have_fillers(void **state)
{
	const uint64_t most = (UINT64_C(1) << 28) - 1;

	(void)state;
	check_gap(0, false);
	check_gap(1, false);
	check_gap(most, false);
	check_gap(most + 1, true);
	check_gap(DAY, true);
	check_gap((UINT64_C(1) << 36) - 1, true);
	check_gap((UINT64_C(1) << 37) + 1, true); /* half of what `head` has */
	check_gap(UINT64_C(1) << 38, true);
	check_gap(3 * DAY, true);
	check_gap(400 * DAY, true);
}

/* A call that began long ago and ends now. */
static void time_never_goes_back(void **state)
{
	static const uint64_t ago[] = { 1,	 1000,	  1u << 30,
					2 * DAY, 5 * DAY, 30 * DAY };

	(void)state;
	for (size_t i = 0; i < sizeof(ago) / sizeof(*ago); i++) {
		struct ring ring = make_ring(100);
		struct weir_ringtake recall;

		add(&ring, START + 40 * DAY, 1);
		add(&ring, START + 40 * DAY - ago[i], 2);
		add(&ring, START + 40 * DAY + 1, 3);
		recall = read_ring(&ring);
		assert_int_equal(recall.count, 4); /* and a filler */
		assert_int_equal(time_of(&recall, 1), START + 40 * DAY);
		assert_int_equal(time_of(&recall, 2), START + 40 * DAY);
		assert_int_equal(time_of(&recall, 3), START + 40 * DAY + 1);
		weir_ringtake_fini(&recall);
	}
}

/* Two records and a filler at every place of the ring's end. */
static void pairs_and_fillers_cross_the_end(void **state)
{
	(void)state;
	for (uint32_t before = 90; before < 110; before++) {
		struct weir_ring_record pair[2] = {
			{ handle_word(3) | WEIR_RING_LSEEK, 4096 },
			{ handle_word(3) | READ, 8 },
		};
		struct ring ring = make_ring(100);
		struct weir_ringtake recall;

		for (uint32_t i = 0; i < before; i++)
			add(&ring, START + i, i);
		weir_ring_add(ring.memory, START + DAY, pair, 2);
		recall = read_ring(&ring);
		assert_int_equal(recall.count + recall.sequence, before + 3);
		for (uint64_t i = 0; i < 3; i++) {
			static const uint32_t kinds[] = { WEIR_RING_FILLER,
							  WEIR_RING_LSEEK,
							  READ };

			assert_int_equal(
				weir_ringblock_kind(
					&recall.records[recall.count - 3 + i]),
				kinds[i]);
		}
		assert_int_equal(time_of(&recall, recall.count - 1),
				 START + DAY);
		weir_ringtake_fini(&recall);
	}
}

/* A thread was killed between taking its place and writing there. */
static void what_was_not_written_is_told(void **state)
{
	(void)state;
	for (uint64_t before = 50; before <= 350; before += 100) {
		struct ring ring = make_ring(100);
		struct weir_ringtake recall;

		for (uint64_t i = 0; i < before; i++)
			add(&ring, START + i, i);
		atomic_fetch_add(&ring.memory->head, 1);
		recall = read_ring(&ring);
		assert_int_equal(recall.count + recall.sequence, before + 1);
		assert_int_equal(
			weir_ringblock_kind(&recall.records[recall.count - 1]),
			WEIR_RING_UNWRITTEN);
		assert_int_equal(recall.records[recall.count - 2].data,
				 before - 1);
		weir_ringtake_fini(&recall);
	}
}

#define THREADS 4
#define TURNS	200000

static struct ring common;
static _Atomic uint64_t clock_now = START;

/* Unlike a real clock, this one gives every time once. */
static void *add_many(void *arg)
{
	for (uint64_t i = 0; i < TURNS; i++)
		add(&common, atomic_fetch_add(&clock_now, 3) + 3,
		    (uint64_t)(uintptr_t)arg << 32 | i);
	return NULL;
}

static void threads_share_a_ring(void **state)
{
	uint64_t next[THREADS], last = 0, overtaken = 0;
	pthread_t threads[THREADS];
	struct weir_ringtake recall;

	(void)state;
	common = make_ring(THREADS * TURNS / 2 + 1);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, add_many, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	recall = read_ring(&common);
	assert_int_equal(recall.count + recall.sequence, THREADS * TURNS);
	memset(next, 0xff, sizeof(next));
	for (uint64_t i = 0, unit = recall.base; i < recall.count; i++) {
		uint64_t data = recall.records[i].data, who = data >> 32;

		unit += weir_ringblock_gap(&recall.records[i]);
		/* By a thread that slept just while it wrote; see below. */
		if (weir_ringblock_kind(&recall.records[i]) ==
		    WEIR_RING_UNWRITTEN) {
			overtaken++;
			memset(next, 0xff, sizeof(next));
			continue;
		}
		assert_int_equal(weir_ringblock_kind(&recall.records[i]), READ);
		assert_true(next[who] == UINT64_MAX ||
			    (uint32_t)data == next[who]);
		next[who] = (uint32_t)data + 1;
		last = unit;
	}
	assert_true(overtaken < THREADS);
	/* Nothing was added or left out: the last time is the latest. */
	assert_int_equal(last, atomic_load(&clock_now));
	weir_ringtake_fini(&recall);
}

/* Units of 3/4 us: sums must not drift. */
static void units_become_us(void **state)
{
	struct weir_ring_record records[1000];
	struct weir_ringtake recall = {
		.records = records, .count = 1000, .base = 1000, .shift = 2
	};
	uint64_t mult = (UINT64_C(375) << 32) / 2; /* ns of a tick: 187.5 */
	char name[] = "/tmp/weir-test-store-XXXXXX";
	struct weir_blocks_found found;
	struct weir_bytes payload = { 0 };
	struct weir_ringblock block;
	struct weir_store *store;
	struct weir_zip zip = { 0 };
	uint64_t us = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		records[i] = (struct weir_ring_record){
			handle_word(1) | READ |
				(i % 7) << WEIR_RING_GAP_SHIFT,
			i
		};
	assert_int_equal(weir_store_adopt(mkstemp(name), &store), 0);
	assert_int_equal(weir_ringtake_put(&recall, store, 1, mult), 0);
	assert_int_equal(weir_blocks_at(weir_store_fd(store), 0, &found), 0);
	assert_int_equal(found.head.type, WEIR_BLOCK_RING);
	assert_int_equal(found.head.count, 1000);
	assert_int_equal(
		weir_blocks_load(weir_store_fd(store), &found, &zip, &payload),
		0);
	assert_int_equal(
		weir_ringblock_parse(payload.data, payload.used, &block), 0);
	assert_int_equal(block.head.base, 4000);
	for (uint64_t i = 0, units = 0; i < 1000; i++) {
		units += i % 7;
		us += weir_ringblock_gap(&block.records[i]);
		assert_int_equal(us, units * 3 / 4);
	}
	weir_bytes_fini(&payload);
	weir_zip_fini(&zip);
	weir_store_close(store);
	unlink(name);
}

#define PLACED(off, bytes)                                                     \
	(WEIR_RING_PLACED | (uint64_t)(off) << WEIR_RING_MOVED_BITS | (bytes))
#define PLACE  WEIR_RING_FILLER
#define BY(fd) ((uint64_t)(uint32_t)(fd) << WEIR_RING_WHO_SHIFT)

/* What transfers tell of where they were, by records of a packed block. */
static void places_are_told(void **state)
{
	const struct weir_ring_record records[] = {
		{ BY(3) | WEIR_RING_WRITE, PLACED(4096, 7) },
		{ BY(3) | WEIR_RING_WRITE, 9 },
		{ BY(3) | PLACE | 5 << WEIR_RING_GAP_SHIFT, UINT64_C(1) << 50 },
		{ BY(3) | READ, UINT64_C(1) << 40 },
		{ BY(3) | PLACE, 11 },
		{ BY(3) | READ, (uint64_t)-EIO },
		{ BY(3) | PLACE, 12 },
		{ BY(4) | READ, 13 }, /* of another one */
		{ BY(-1) | WEIR_RING_FILLER, 1000 },
		{ BY(-1) | READ, 14 }, /* after a long gap */
		{ BY(3) | PLACE, 15 },
		{ BY(3) | WEIR_RING_LSEEK, 16 },
	};
	static const struct {
		int64_t off; /* -1: not known */
		int64_t ret;
	} must[] = {
		{ 4096, 7 }, { -1, 9 },	 { INT64_C(1) << 50, INT64_C(1) << 40 },
		{ 11, EIO }, { -1, 13 }, { -1, 14 },
		{ 16, 16 }
	};
	enum { COUNT = sizeof(must) / sizeof(*must) };
	const struct weir_ringblock block = {
		.head = { .mult = UINT64_C(1) << 32,
			  .records = sizeof(records) / sizeof(*records) },
		.records = records,
	};
	struct weir_event events[COUNT];
	struct weir_bytes details = { 0 };
	struct weir_names names = { 0 };

	(void)state;
	assert_int_equal(weir_ringblock_measure(&block).events, COUNT);
	assert_int_equal(
		weir_ringblock_events(&block, &names, &details, events), 0);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(!(events[i].flags & WEIR_EVENT_NOOFF),
				 must[i].off >= 0);
		assert_int_equal(events[i].off,
				 must[i].off >= 0 ? must[i].off : 0);
		assert_int_equal(events[i].ret, must[i].ret);
	}
	assert_int_equal(events[COUNT - 1].start, 1005 * 1000);
	weir_bytes_fini(&details);
	weir_names_fini(&names);
}

/* The place that a full block would end with begins the next one. */
static void a_place_stays_with_its_transfer(void **state)
{
	enum { LAST = WEIR_RINGBLOCK_RECORDS - 1 };
	struct weir_ringtake taken = {
		.records = calloc(LAST + 2, sizeof(*taken.records)),
		.count = LAST + 2,
	};
	char name[] = "/tmp/weir-test-store-XXXXXX";
	struct weir_blocks_found found;
	struct weir_store *store;

	(void)state;
	taken.records[LAST] =
		(struct weir_ring_record){ handle_word(1) | PLACE, 123 };
	assert_int_equal(weir_store_adopt(mkstemp(name), &store), 0);
	assert_int_equal(weir_ringtake_put(&taken, store, 1, UINT64_C(1) << 32),
			 0);
	assert_int_equal(weir_blocks_at(weir_store_fd(store), 0, &found), 0);
	assert_int_equal(found.head.count, LAST);
	weir_ringtake_fini(&taken);
	weir_store_close(store);
	unlink(name);
}

static void no_ring_is_taken_for_one(void **state)
{
	struct ring ring = make_ring(100);
	struct weir_ringtake recall;

	(void)state;
	ring.memory->slots = 101; /* more than the file has */
	assert_int_equal(weir_ringtake_load(dir_fd, "one.live", &recall),
			 -EBADMSG);
	ring.memory->slots = UINT32_MAX;
	assert_int_equal(weir_ringtake_load(dir_fd, "one.live", &recall),
			 -EBADMSG);
	ring.memory->slots = 10;
	atomic_store(&ring.memory->head, 20);
	assert_int_equal(weir_ringtake_load(dir_fd, "one.live", &recall),
			 -EBADMSG);
	munmap(ring.memory, ring.bytes);
	assert_int_equal(weir_ringtake_load(dir_fd, "two.live", &recall),
			 -ENOENT);
}

static int set_up(void **state)
{
	(void)state;
	dir_fd = mkdtemp(dir) ? open(dir, O_RDONLY | O_DIRECTORY) : -1;
	return dir_fd < 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlinkat(dir_fd, "one.live.ring", 0);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_megabyte_holds_65536),
		cmocka_unit_test(the_newest_stay),
		cmocka_unit_test(long_gaps_have_fillers),
		cmocka_unit_test(time_never_goes_back),
		cmocka_unit_test(pairs_and_fillers_cross_the_end),
		cmocka_unit_test(what_was_not_written_is_told),
		cmocka_unit_test(threads_share_a_ring),
		cmocka_unit_test(units_become_us),
		cmocka_unit_test(places_are_told),
		cmocka_unit_test(a_place_stays_with_its_transfer),
		cmocka_unit_test(no_ring_is_taken_for_one),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
