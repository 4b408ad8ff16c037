/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random writes, reads, cuts and batches, some of whose runs fail, and crashes
 * at every point between, against arrays of bytes.
 */
#include "cache/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE	256u /* of the file, at most */
#define LONGEST 48u
#define LIVE	64u /* writes that are not gone, at most */
#define STEPS	1500000u

struct kept {
	struct weir_write write;
	uint8_t bytes[LONGEST];
};

static struct world {
	struct weir_index *index;
	struct kept *kept[LIVE];
	uint8_t file[SIZE]; /* in the file system */
	uint8_t seen[SIZE]; /* what a reader is to see */
	/* whose that is; NULL: of a write that is gone, or nobody's */
	const struct kept *whose[SIZE];
	struct weir_batch batch;
	uint8_t fates[SIZE]; /* of its runs */
	bool flies, is_cutting, is_dead;
	uint64_t clock, random, checks, gone;
} world;

enum { WAITS, STORED, FAILED };

static uint64_t draw(uint64_t below)
{
	uint64_t z = world.random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

/* The file, and over it, oldest first, all that is not gone. */
static void replay(uint8_t *bytes)
{
	uint64_t stamps[SIZE] = { 0 };

	memcpy(bytes, world.file, SIZE);
	for (uint32_t i = 0; i < LIVE; i++) {
		const struct kept *kept = world.kept[i];

		for (uint32_t n = 0; kept && n < kept->write.length; n++) {
			uint64_t at = kept->write.offset + n;

			if (kept->write.stamp < stamps[at])
				continue;
			stamps[at] = kept->write.stamp;
			bytes[at] = kept->bytes[n];
		}
	}
}

static void a_crash_now_would_lose_nothing(void)
{
	uint8_t bytes[SIZE];

	replay(bytes);
	assert_memory_equal(bytes, world.seen, SIZE);
	world.checks++;
}

static uint32_t place_of(const struct weir_write *write)
{
	for (uint32_t i = 0; i < LIVE; i++)
		if (world.kept[i] && &world.kept[i]->write == write)
			return i;
	fail_msg("a write is gone twice, or that never was");
	return 0;
}

static void note_gone(void *arg, struct weir_write *write)
{
	uint32_t place;

	if (world.is_dead)
		return;
	place = place_of(write);
	assert_ptr_equal(arg, &world);
	for (uint32_t i = 0; i < SIZE; i++)
		if (world.whose[i] == world.kept[place])
			world.whose[i] = NULL;
	free(world.kept[place]);
	world.kept[place] = NULL;
	world.gone++;
	/* a cut is done again when it was not over */
	if (!world.is_cutting)
		a_crash_now_would_lose_nothing();
}

static void readers_see_what_they_should(void)
{
	struct weir_index_piece piece;
	uint8_t bytes[SIZE];
	uint64_t at = 0, sum = 0;

	memcpy(bytes, world.file, SIZE);
	while (weir_index_find(world.index, at, SIZE, &piece)) {
		assert_true(piece.length > 0 && piece.offset >= at);
		memcpy(bytes + piece.offset, piece.bytes, piece.length);
		at = piece.offset + piece.length;
		sum += piece.length;
	}
	assert_memory_equal(bytes, world.seen, SIZE);
	assert_int_equal(weir_index_bytes(world.index), sum);
	assert_int_equal(weir_index_end(world.index), at);
}

static struct kept *make_write(void)
{
	struct kept *kept = calloc(1, sizeof(*kept));
	uint32_t length = 1 + (uint32_t)draw(draw(4) ? 12 : LONGEST);

	world.clock += 4;
	kept->write = (struct weir_write){
		/* most are in order; no two the same */
		.stamp = world.clock - (draw(4) ? 0 : draw(40) * 4) +
			 (UINT64_C(1) << 20),
		.offset = draw(SIZE - length),
		.bytes = kept->bytes,
		.length = length,
	};
	for (uint32_t i = 0; i < length; i++)
		kept->bytes[i] = (uint8_t)draw(256);
	return kept;
}

static bool is_taken(uint64_t stamp)
{
	for (uint32_t i = 0; i < LIVE; i++)
		if (world.kept[i] && world.kept[i]->write.stamp == stamp)
			return true;
	return false;
}

static void expect(const struct kept *kept)
{
	for (uint32_t i = 0; i < kept->write.length; i++) {
		uint64_t at = kept->write.offset + i;
		const struct kept *other = world.whose[at];

		if (other && other->write.stamp > kept->write.stamp)
			continue;
		world.whose[at] = kept;
		world.seen[at] = kept->bytes[i];
	}
}

static void put(void)
{
	struct kept *kept;
	uint32_t place = 0;

	while (place < LIVE && world.kept[place])
		place++;
	if (place == LIVE)
		return;
	kept = make_write();
	while (is_taken(kept->write.stamp))
		kept->write.stamp++;
	world.kept[place] = kept;
	expect(kept);
	assert_int_equal(weir_index_put(world.index, &kept->write), 0);
}

static void runs_are_in_order(const struct weir_batch_shape *shape)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < world.batch.count; i++) {
		const struct weir_batch_run *run = &world.batch.runs[i];
		uint64_t sum = 0;

		for (int n = 0; n < run->count; n++)
			sum += run->parts[n].iov_len;
		assert_int_equal(sum, run->length);
		assert_true(run->length > 0 && run->length <= shape->most);
		assert_true(run->offset >= end);
		/* two that touch are apart for a reason */
		if (i && run->offset == end && shape->most >= shape->align)
			assert_int_equal(end % shape->align, 0);
		end = run->offset + run->length;
	}
}

static void gather(void)
{
	struct weir_batch_shape shape = { .most = 1 + draw(100),
					  .align = 1 + draw(64) };

	if (world.flies)
		return;
	if (!draw(4))
		shape.before = world.clock + (UINT64_C(1) << 20) -
			       4 * draw(30);
	assert_int_equal(
		weir_batch_gather(world.index, &shape, &world.batch), 0);
	runs_are_in_order(&shape);
	memset(world.fates, WAITS, sizeof(world.fates));
	world.flies = true;
}

static void store(uint32_t n, uint64_t bytes)
{
	const struct weir_batch_run *run = &world.batch.runs[n];
	uint64_t at = run->offset;

	for (int i = 0; i < run->count && bytes > 0; i++) {
		uint64_t length = run->parts[i].iov_len;

		if (length > bytes)
			length = bytes;
		memcpy(world.file + at, run->parts[i].iov_base, length);
		at += length;
		bytes -= length;
	}
}

/* One run: whole, or some of it, or it never gets there. */
static void advance(void)
{
	uint32_t n;

	if (!world.flies || !world.batch.count)
		return;
	n = (uint32_t)draw(world.batch.count);
	if (world.fates[n] != WAITS)
		return;
	if (!draw(8)) {
		store(n, draw(world.batch.runs[n].length));
		world.fates[n] = FAILED;
		return;
	}
	store(n, world.batch.runs[n].length);
	a_crash_now_would_lose_nothing();
	world.fates[n] = STORED;
	weir_batch_stored(world.index, &world.batch, n);
}

static void settle(void)
{
	if (!world.flies)
		return;
	weir_batch_settle(world.index, &world.batch);
	world.flies = false;
}

static void store_the_rest(void)
{
	for (uint32_t i = 0; world.flies && i < world.batch.count; i++)
		if (world.fates[i] == WAITS && draw(20)) {
			store(i, world.batch.runs[i].length);
			weir_batch_stored(world.index, &world.batch, i);
		}
	settle();
}

static void store_everything(void)
{
	struct weir_batch_shape shape = { .most = 64, .align = 16 };

	settle();
	weir_batch_gather(world.index, &shape, &world.batch);
	for (uint32_t i = 0; i < world.batch.count; i++) {
		store(i, world.batch.runs[i].length);
		weir_batch_stored(world.index, &world.batch, i);
	}
	weir_batch_settle(world.index, &world.batch);
	assert_int_equal(weir_index_bytes(world.index), 0);
}

static bool one_lies_across(uint64_t end)
{
	for (uint32_t i = 0; i < LIVE; i++) {
		const struct kept *kept = world.kept[i];

		if (kept && kept->write.offset < end &&
		    kept->write.offset + kept->write.length > end)
			return true;
	}
	return false;
}

static void cut(void)
{
	uint64_t end = draw(SIZE);

	if (draw(8))
		return;
	settle();
	assert_int_equal(weir_index_straddles(world.index, end),
			 one_lies_across(end));
	if (one_lies_across(end))
		store_everything();
	memset(world.file + end, 0, SIZE - end);
	memset(world.seen + end, 0, SIZE - end);
	world.is_cutting = true;
	weir_index_cut(world.index, end);
	world.is_cutting = false;
}

/* All that is known of the index is lost; what is not gone is put in again. */
static void crash(void)
{
	struct kept *left[LIVE];
	uint32_t first = (uint32_t)draw(LIVE);

	if (draw(4))
		return;
	world.is_dead = true;
	settle();
	weir_index_free(world.index);
	world.is_dead = false;
	world.index = weir_index_new(note_gone, &world);
	memcpy(left, world.kept, sizeof(left));
	for (uint32_t i = 0; i < LIVE; i++) {
		struct kept *kept = left[(first + i) % LIVE];

		if (kept)
			assert_int_equal(
				weir_index_put(world.index, &kept->write), 0);
	}
}

static const struct {
	void (*act)(void);
	uint32_t weight;
} acts[] = {
	{ put, 40 },	{ gather, 10 }, { advance, 40 },
	{ settle, 2 },	{ store_the_rest, 6 },
	{ cut, 1 },	{ crash, 1 },
};

static void act(void)
{
	uint64_t at = draw(100);

	for (size_t i = 0;; i++) {
		if (at < acts[i].weight) {
			acts[i].act();
			return;
		}
		at -= acts[i].weight;
	}
}

static void any_order_of_things_loses_nothing(void **state)
{
	(void)state;
	world.index = weir_index_new(note_gone, &world);
	for (uint32_t i = 0; i < STEPS; i++) {
		act();
		a_crash_now_would_lose_nothing();
		readers_see_what_they_should();
	}
	store_everything();
	for (uint32_t i = 0; i < LIVE; i++)
		assert_null(world.kept[i]);
	assert_memory_equal(world.file, world.seen, SIZE);
	/* or nothing of the above was put to the test */
	assert_true(world.gone > STEPS / 4);
	weir_index_free(world.index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_of_things_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
