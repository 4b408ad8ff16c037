/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of faked calls: what they count, and who gets a place. */
#include "capture/record/callsums.h"
#include "capture/record/chunk.h"
#include "capture/record/pass.h"
#include "spec/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DATA_WORDS (WEIR_LIVE_DATA_BYTES / 8)

/* A thread with a chunk and places of its own, and nobody behind it. */
struct stage {
	struct weir_thread thread;
	struct weir_slot slot;
	struct weir_chunk_head chunk;
	uint64_t data[DATA_WORDS];
	struct weir_sum sums[WEIR_SUM_PLACES];
};

static struct stage stage;

static int set_up(void **state)
{
	struct weir_thread *t = &stage.thread;

	memset(&stage, 0, sizeof(stage));
	t->slot = &stage.slot;
	t->chunk = &stage.chunk;
	t->data = t->cursor = stage.data;
	t->limit = stage.data + DATA_WORDS - WEIR_CHUNK_WORDS;
	t->sums = stage.sums;
	t->sequence = 3;
	t->state = WEIR_THREAD_BUSY;
	return 0;
}

static struct weir_brief make(uint16_t call, uint32_t handle, uint64_t size,
			      int64_t ret)
{
	return (struct weir_brief){
		.thread = &stage.thread,
		.start = 1000,
		.end = 1100,
		.size = size,
		.ret = ret,
		.handle = handle,
		.call = call,
		.failed = ret < 0,
	};
}

static bool add(uint16_t call, uint32_t handle, uint64_t size, int64_t ret)
{
	struct weir_brief brief = make(call, handle, size, ret);

	return weir_callsums_add(&brief, false);
}

static struct weir_sum *place(uint16_t call, uint32_t handle)
{
	return weir_callsums_place(&stage.thread,
				   weir_callsums_key(call, handle, 0));
}

static void counts_calls_bytes_and_failures(void **state)
{
	struct weir_sum *sum = place(22, 5);

	assert_false(add(22, 5, 8, 8));
	assert_false(add(22, 5, 8, 3));
	assert_false(add(22, 5, 5000, -1));
	assert_int_equal(sum->calls, 3);
	assert_int_equal(sum->bytes, 11);
	assert_int_equal(sum->failed, 1);
	assert_int_equal(sum->sizes[0], 2);
	assert_int_equal(sum->sizes[2], 1);
	assert_int_equal(sum->timed, 3);
	assert_int_equal(sum->first, 1000);
	assert_int_equal(sum->last, 1100);
	assert_int_equal(sum->longest, 100);
}

static void puts_sizes_into_classes(void **state)
{
	static const uint64_t limits[] = { 100,	     1024,	10240,
					   102400,   1048576,	4194304,
					   10485760, 104857600, 1073741824 };

	assert_int_equal(weir_sum_size_class(0), 0);
	for (uint32_t i = 0; i < 9; i++) {
		assert_int_equal(weir_sum_size_class(limits[i] - 1), i);
		assert_int_equal(weir_sum_size_class(limits[i]), i);
		assert_int_equal(weir_sum_size_class(limits[i] + 1), i + 1);
	}
	assert_int_equal(weir_sum_size_class(UINT64_MAX), 9);
}

static void puts_durations_into_classes(void **state)
{
	assert_int_equal(weir_sum_wait_class(0), 0);
	for (uint32_t i = 0; i < WEIR_SUM_WAITS - 1; i++) {
		uint64_t limit = UINT64_C(1024) << 2 * i;

		assert_int_equal(weir_sum_wait_class(limit - 1), i);
		assert_int_equal(weir_sum_wait_class(limit), i + 1);
	}
	assert_int_equal(weir_sum_wait_class(UINT64_MAX), WEIR_SUM_WAITS - 1);
}

static void sees_what_follows(void **state)
{
	static const int64_t offsets[] = { 0, 10, 20, 100, 50, 60 };
	struct weir_sum *sum = place(23, 1);

	for (int i = 0; i < 6; i++) {
		struct weir_brief brief = make(23, 1, 10, 10);

		brief.has_off = true;
		brief.off = offsets[i];
		assert_false(weir_callsums_add(&brief, false));
	}
	assert_int_equal(sum->placed, 6);
	assert_int_equal(sum->follow, 3);
	assert_int_equal(sum->ahead, 1);
	assert_int_equal(sum->top, 110);
}

/* Each timed call stands for those since the one before. */
static void estimates_time(void **state)
{
	struct weir_sum *sum = place(22, 5);
	uint64_t key = weir_callsums_key(22, 5, 0);
	uint32_t skipped = 0;

	assert_false(add(22, 5, 8, 8));
	assert_int_equal(sum->time, 100);
	assert_true(sum->skip > 0);
	while (weir_callsums_skips(&stage.thread, key)) {
		assert_true(weir_callsums_count(&stage.thread, key, 8,
						WEIR_CALLSUMS_NOWHERE, 8));
		stage.thread.state = WEIR_THREAD_BUSY;
		skipped++;
	}
	assert_true(skipped >= 16);
	assert_false(add(22, 5, 8, 8));
	assert_int_equal(sum->calls, skipped + 2);
	assert_int_equal(sum->timed, 2);
	assert_int_equal(sum->time, 100 * (skipped + 2));
	assert_int_equal(sum->bytes, 8 * (skipped + 2));
}

static void times_all_long_calls(void **state)
{
	struct weir_brief brief = make(22, 5, 8, 8);

	brief.end = brief.start + 1000000;
	for (int i = 0; i < 5; i++)
		assert_false(weir_callsums_add(&brief, false));
	assert_false(
		weir_callsums_skips(&stage.thread,
				    weir_callsums_key(22, 5, 0)));
}

static void leaves_what_must_be_told(void **state)
{
	struct weir_brief brief = make(1, 0, 0, 3);

	assert_true(weir_callsums_add(&brief, true));
	brief.flags = WEIR_EVENT_NEWHANDLE;
	assert_true(weir_callsums_add(&brief, false));
	assert_int_equal(place(1, 0)->calls, 0);
	assert_true(add(WEIR_CALL_CLOSE, 7, 0, 0));
	assert_int_equal(place(WEIR_CALL_CLOSE, 7)->key, 0);
}

/* Another call on the same place: most are recorded, the eighth gets it. */
static void gives_a_place_to_who_asks_often(void **state)
{
	uint32_t other = 5 + WEIR_SUM_PLACES;
	struct weir_sum *sum = place(22, 5), told;
	const uint64_t *note = stage.data;

	assert_ptr_equal(place(22, other), sum);
	for (int i = 0; i < 10; i++)
		assert_false(add(22, 5, 8, 8));
	for (int i = 0; i < 7; i++)
		assert_true(add(22, other, 8, 8));
	assert_ptr_equal(stage.thread.cursor, stage.data);
	assert_false(add(22, other, 8, 4));
	assert_int_equal(sum->key, weir_callsums_key(22, other, 0));
	assert_int_equal(sum->calls, 1);
	assert_int_equal(sum->bytes, 4);

	assert_int_equal(note[1] & 0xffff, WEIR_NOTE_SUM);
	assert_int_equal(note[1] >> 32, 5);
	assert_int_equal(note[5], sizeof(told));
	memcpy(&told, note + 6, sizeof(told));
	weir_sum_turn(&told);
	assert_int_equal(told.calls, 10);
	assert_int_equal(told.bytes, 80);
	assert_int_equal(told.told >> 16, 3);
	assert_int_equal(told.told & 0xffff, stage.slot.commit & 0xffff);
	assert_int_equal(stage.thread.records, 1);
}

/* One that was not timed cannot be recorded: it gets the place at once. */
static void counts_what_has_no_time(void **state)
{
	struct weir_brief brief = make(22, 5 + WEIR_SUM_PLACES, 8, 8);

	assert_false(add(22, 5, 8, 8));
	brief.start = brief.end = 0;
	assert_false(weir_callsums_add(&brief, false));
	assert_int_equal(place(22, 5)->key,
			 weir_callsums_key(22, brief.handle, 0));
	assert_int_equal(place(22, 5)->timed, 0);
}

static void tells_before_counters_run_over(void **state)
{
	struct weir_sum *sum = place(22, 5);

	assert_false(add(22, 5, 8, 8));
	sum->calls = (UINT32_C(1) << 31) - 1;
	assert_false(add(22, 5, 8, 8));
	assert_int_equal(sum->calls, 0);
	assert_int_equal(stage.thread.records, 1);
	assert_false(add(22, 5, 8, 8));
	assert_int_equal(sum->calls, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counts_calls_bytes_and_failures, set_up),
		cmocka_unit_test_setup(puts_sizes_into_classes, set_up),
		cmocka_unit_test_setup(puts_durations_into_classes, set_up),
		cmocka_unit_test_setup(sees_what_follows, set_up),
		cmocka_unit_test_setup(estimates_time, set_up),
		cmocka_unit_test_setup(times_all_long_calls, set_up),
		cmocka_unit_test_setup(leaves_what_must_be_told, set_up),
		cmocka_unit_test_setup(gives_a_place_to_who_asks_often, set_up),
		cmocka_unit_test_setup(counts_what_has_no_time, set_up),
		cmocka_unit_test_setup(tells_before_counters_run_over, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
