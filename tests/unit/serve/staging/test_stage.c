/* SPDX-License-Identifier: BSD-3-Clause */
/* When files are stored, and what is while others write, and when it fails. */
#include "../stand.h"

#include "serve/failures/unstored.h"
#include "serve/staging/stage.h"
#include "serve/threads/stagewait.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE 5000 /* ms */

static void sleep_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* Waits until a file has so many bytes to store; it may take its time. */
static void expect_dirty(uint32_t file, uint64_t bytes)
{
	for (int i = 0; i < PATIENCE && stand_dirty(file) != bytes; i++)
		sleep_ms(1);
	assert_int_equal(stand_dirty(file), bytes);
}

static void a_file_is_stored_when_it_is_idle(void **state)
{
	(void)state;
	assert_int_equal(weir_stage_begin(), 0);
	stand_write(0, 10, "hello", 5);
	stand_write(1, 0, "there", 5);
	expect_dirty(0, 0);
	expect_dirty(1, 0);
	/* and once more, after all had gone to sleep */
	sleep_ms(30);
	stand_write(0, 15, " you", 4);
	expect_dirty(0, 0);
	weir_stage_end();
	assert_memory_equal(stand_files[0].bytes + 10, "hello you", 9);
	assert_memory_equal(stand_files[1].bytes, "there", 5);
	assert_int_equal(stand_gone, 3);
	assert_int_equal(weir_state->bytes_out, 14);
}

static void a_lazy_stage_waits_for_half_and_leaves_a_quarter(void **state)
{
	static char bytes[1024];
	uint64_t left;

	(void)state;
	stand_setup.policy = WEIR_POLICY_HALF;
	stand_setup.cache = 512 * sizeof(bytes);
	assert_int_equal(weir_stage_begin(), 0);
	/* far apart: each is a run of its own */
	for (uint32_t i = 0; i < 256; i++)
		stand_write(0, i * 2 * sizeof(bytes), bytes, sizeof(bytes));
	sleep_ms(30);
	assert_int_equal(stand_files[0].stores, 0);
	stand_write(0, 1023 * sizeof(bytes), bytes, sizeof(bytes));
	for (int i = 0; i < PATIENCE && stand_dirty(0) >= 128 * 1024; i++)
		sleep_ms(1);
	sleep_ms(30);
	left = stand_dirty(0);
	assert_true(left < 128 * 1024 && left > 120 * 1024);
	/* somebody waits for memory: all of it */
	stand_waiting = 1;
	weir_stagewait_kick();
	expect_dirty(0, 0);
	weir_stage_end();
}

static void what_fails_stays_and_is_told_until_it_is_stored(void **state)
{
	(void)state;
	stand_files[0].bad_from = 100;
	stand_files[0].bad_end = 200;
	stand_files[0].bad_error = ENOSPC;
	stand_write(0, 50, "aaaaaaaaaa", 10);
	stand_write(0, 150, "bbbbbbbbbb", 10);
	stand_write(0, 300, "cccccccccc", 10);
	assert_int_equal(weir_stage_file(&stand_files[0].file), -ENOSPC);
	assert_int_equal(stand_dirty(0), 10);
	assert_int_equal(weir_unstored_count(), 1);
	assert_int_equal(weir_state->ledger[0].offset, 150);
	assert_int_equal(weir_state->ledger[0].length, 10);
	assert_int_equal(stand_files[0].file.error, -ENOSPC);
	assert_int_equal(stand_files[0].file.tries, 1);
	assert_int_equal(weir_stage_file(&stand_files[0].file), -ENOSPC);
	assert_int_equal(weir_unstored_count(), 1);
	assert_int_equal(stand_files[0].file.tries, 2);
	stand_files[0].bad_error = 0;
	assert_int_equal(weir_stage_file(&stand_files[0].file), 0);
	assert_int_equal(weir_unstored_count(), 0);
	assert_int_equal(stand_files[0].file.error, 0);
	assert_int_equal(stand_files[0].file.tries, 0);
	assert_memory_equal(stand_files[0].bytes + 150, "bbbbbbbbbb", 10);
}

/* Of a run that could be stored in part, the rest is the entry. */
static void only_what_is_missing_is_told(void **state)
{
	static char bytes[1000];

	(void)state;
	stand_files[0].bad_from = 600;
	stand_files[0].bad_end = 5000;
	stand_files[0].bad_error = EIO;
	stand_write(0, 0, bytes, 1000);
	assert_int_equal(weir_stage_everything(), 1000);
	assert_int_equal(weir_state->ledger[0].offset, 600);
	assert_int_equal(weir_state->ledger[0].length, 400);
}

static void what_failed_and_was_overwritten_is_resolved(void **state)
{
	(void)state;
	stand_files[0].bad_end = 1000;
	stand_files[0].bad_error = EIO;
	stand_write(0, 0, "abcdef", 6);
	assert_int_equal(weir_stage_file(&stand_files[0].file), -EIO);
	stand_write(0, 3, "DEFghi", 6);
	assert_int_equal(weir_stage_file(&stand_files[0].file), -EIO);
	assert_int_equal(weir_unstored_count(), 1);
	stand_files[0].bad_error = 0;
	assert_int_equal(weir_stage_file(&stand_files[0].file), 0);
	assert_int_equal(weir_unstored_count(), 0);
	assert_int_equal(stand_gone, 2);
	assert_memory_equal(stand_files[0].bytes, "abcDEFghi", 9);
}

static void what_is_given_up_is_not_tried_again(void **state)
{
	(void)state;
	stand_files[0].bad_from = 100;
	stand_files[0].bad_end = 200;
	stand_files[0].bad_error = EIO;
	stand_write(0, 150, "lost", 4);
	stand_write(1, 150, "kept", 4);
	assert_int_equal(weir_stage_file(&stand_files[0].file), -EIO);
	stand_write(0, 300, "also kept", 9);
	assert_int_equal(weir_stage_discard("/some/other"), 0);
	assert_int_equal(stand_dirty(0), 13);
	assert_int_equal(weir_stage_discard("/some/file.0"), 1);
	assert_int_equal(stand_dirty(0), 0);
	assert_int_equal(weir_unstored_count(), 0);
	assert_int_equal(weir_state->ledger[0].fate, WEIR_FATE_DISCARDED);
	assert_int_equal(stand_files[0].file.error, 0);
	assert_memory_equal(stand_files[0].bytes + 300, "also kept", 9);
	assert_int_equal(weir_stage_everything(), 0);
	assert_memory_equal(stand_files[1].bytes + 150, "kept", 4);
}

#define WRITERS 3u
#define WRITES	20000u
#define CELLS	2048u /* that each writes: file and place by number */

/* What a writer left in its cells. */
static unsigned char marks[WRITERS][CELLS];

static uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Cells of all writers lie side by side, so that their writes are joined. */
static uint64_t offset_of(uint64_t writer, uint64_t cell)
{
	return cell * WRITERS + writer;
}

static void *write_much(void *arg)
{
	unsigned char *own = arg;
	uint64_t writer = (uint64_t)(own - marks[0]) / CELLS;
	uint64_t seed = writer;

	for (uint32_t i = 0; i < WRITES; i++) {
		uint64_t cell = draw(&seed) % CELLS;

		own[cell] = (unsigned char)(1 + draw(&seed) % 255);
		stand_write(cell % STAND_FILES, offset_of(writer, cell),
			    &own[cell], 1);
	}
	return NULL;
}

static void compare_all(void)
{
	for (uint64_t writer = 0; writer < WRITERS; writer++)
		for (uint64_t cell = 0; cell < CELLS; cell++)
			assert_int_equal(
				stand_files[cell % STAND_FILES]
					.bytes[offset_of(writer, cell)],
				marks[writer][cell]);
}

/* Commits and stagers at once, a backend with moods, and an error that goes. */
static void writers_do_not_mind_who_stores(void **state)
{
	pthread_t writers[WRITERS];

	(void)state;
	memset(marks, 0, sizeof(marks));
	stand_setup.cache = 4096;
	for (uint32_t i = 0; i < STAND_FILES; i++)
		stand_files[i].is_moody = i != 1;
	stand_files[2].bad_from = 1000;
	stand_files[2].bad_end = 1500;
	stand_files[2].bad_error = ENOSPC;
	assert_int_equal(weir_stage_begin(), 0);
	for (uint32_t i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, write_much, marks[i]);
	for (int i = 0; i < 50; i++)
		weir_stage_file(&stand_files[i % 3].file);
	for (uint32_t i = 0; i < WRITERS; i++)
		pthread_join(writers[i], NULL);
	weir_stage_everything();
	assert_true(weir_unstored_count() > 0);
	stand_files[2].bad_error = 0;
	assert_int_equal(weir_stage_everything(), 0);
	weir_stage_end();
	assert_int_equal(weir_unstored_count(), 0);
	assert_int_equal(stand_gone, WRITERS * WRITES);
	compare_all();
}

static void where_it_takes_long_several_are_under_way(void **state)
{
	(void)state;
	stand_files[0].is_slow = true;
	stand_setup.policy = WEIR_POLICY_HALF;
	assert_int_equal(weir_stage_begin(), 0);
	for (uint32_t i = 0; i < 40; i++)
		stand_write(0, i * 100, "0123456789", 10);
	assert_int_equal(weir_stage_file(&stand_files[0].file), 0);
	weir_stage_end();
	assert_true(stand_files[0].most_at_once > 1);
	assert_int_equal(stand_gone, 40);
	for (uint32_t i = 0; i < 40; i++)
		assert_memory_equal(stand_files[0].bytes + i * 100,
				    "0123456789", 10);
}

static void nobody_wakes_up_for_nothing(void **state)
{
	uint64_t looks;

	(void)state;
	assert_int_equal(weir_stage_begin(), 0);
	stand_write(0, 0, "x", 1);
	expect_dirty(0, 0);
	sleep_ms(50);
	looks = stand_looks;
	sleep_ms(200);
	assert_int_equal(stand_looks, looks);
	weir_stage_end();
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stand_begin, stand_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_file_is_stored_when_it_is_idle),
		CASE(a_lazy_stage_waits_for_half_and_leaves_a_quarter),
		CASE(what_fails_stays_and_is_told_until_it_is_stored),
		CASE(only_what_is_missing_is_told),
		CASE(what_failed_and_was_overwritten_is_resolved),
		CASE(what_is_given_up_is_not_tried_again),
		CASE(writers_do_not_mind_who_stores),
		CASE(where_it_takes_long_several_are_under_way),
		CASE(nobody_wakes_up_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
