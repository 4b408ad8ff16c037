/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums by time against an array with a place for each; and their folding. */
#include "analyse/page/cube.h"

#include "check.h"

#include <string.h>

#define WIDTH 10
#define KINDS 5

/* What each nanosecond's worth is: by bin and kind. */
static int64_t naive[WEIR_CUBE_BINS][KINDS][WEIR_CUBE_SUMS];
static uint64_t seed;

static uint64_t below(uint64_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed >> 33) % limit;
}

struct call {
	uint64_t kind, start, dur;
	int64_t sums[WEIR_CUBE_SUMS];
};

static struct call any_call(void)
{
	struct call call = {
		.kind = below(KINDS),
		.start = below(WIDTH * WEIR_CUBE_BINS - 3000),
		.dur = below(4) ? below(30) : below(3000),
	};

	call.sums[0] = 1;
	call.sums[1] = (int64_t)below(1 << 20);
	call.sums[2] = (int64_t)call.dur;
	call.sums[3] = below(2) ? (int64_t)call.dur : -(int64_t)call.dur;
	return call;
}

/* The part of a sum that has come `done` ns after the start. */
static int64_t part(const struct call *call, int sum, uint64_t done)
{
	int64_t whole = call->sums[sum];
	uint64_t size = (uint64_t)(whole < 0 ? -whole : whole);

	if (!call->dur)
		return whole;
	size = size * done / call->dur;
	return whole < 0 ? -(int64_t)size : (int64_t)size;
}

static void add_naive(const struct call *call)
{
	uint64_t bin = call->start / WIDTH;
	uint64_t done = 0;

	naive[bin][call->kind][0] += call->sums[0];
	if (!call->dur) {
		for (int i = 1; i < WEIR_CUBE_SUMS; i++)
			naive[bin][call->kind][i] += call->sums[i];
		return;
	}
	while (done < call->dur) {
		uint64_t to = (bin + 1) * WIDTH - call->start;

		to = to < call->dur ? to : call->dur;
		for (int i = 1; i < WEIR_CUBE_SUMS; i++)
			naive[bin][call->kind][i] +=
				part(call, i, to) - part(call, i, done);
		done = to;
		bin++;
	}
}

static int64_t due(uint64_t bin, unsigned folds, uint64_t kind, int sum)
{
	int64_t all = 0;

	for (uint64_t i = bin << folds; i < (bin + 1) << folds; i++)
		for (uint64_t k = 0; k < KINDS; k++)
			if (kind == KINDS || k == kind)
				all += naive[i][k][sum];
	return all;
}

static void check_rows(const struct weir_cube *cube)
{
	int64_t left[WEIR_CUBE_SUMS] = { 0 };

	for (int i = 0; i < WEIR_CUBE_SUMS; i++)
		left[i] = due(0, WEIR_CUBE_FOLDS, KINDS, i);
	for (uint32_t i = 0; i < cube->count; i++) {
		const struct weir_cube_row *row = &cube->rows[i];
		uint64_t kind = cube->joined ? KINDS : weir_cube_rest(row);

		for (int k = 0; k < WEIR_CUBE_SUMS; k++) {
			assert_int_equal(row->sums[k],
					 due(weir_cube_bin(row), cube->folds,
					     kind, k));
			left[k] -= row->sums[k];
		}
		if (i)
			assert_true(row[-1].key < row->key);
	}
	for (int i = 0; i < WEIR_CUBE_SUMS; i++)
		assert_int_equal(left[i], 0);
}

static void rows_are_the_sums_however_often_bins_are_joined(void **state)
{
	/* Rows that there is room for, from all of them to too few. */
	static const uint32_t rooms[] = { 10000, 3000, 600, 100, 20, 5, 1 };

	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		struct weir_cube cube = { .width = WIDTH, .most = rooms[i],
					  .joins = 0xff };

		memset(naive, 0, sizeof(naive));
		seed = 7;
		for (int n = 0; n < 3000; n++) {
			struct call call = any_call();

			add_naive(&call);
			assert_int_equal(weir_cube_spread(&cube, call.kind,
							  call.start, call.dur,
							  call.sums), 0);
		}
		weir_cube_sort(&cube);
		assert_true(cube.count <= rooms[i]);
		if (rooms[i] == 10000)
			assert_int_equal(cube.folds, 0);
		assert_int_equal(cube.joined, rooms[i] < KINDS);
		check_rows(&cube);
		weir_cube_fini(&cube);
	}
}

/* Without anything to join, one bin is the least there is. */
static void what_cannot_be_joined_stays(void **state)
{
	struct weir_cube cube = { .width = WIDTH, .most = 2 };
	const int64_t one[WEIR_CUBE_SUMS] = { 1 };

	for (uint64_t kind = 0; kind < KINDS; kind++)
		assert_int_equal(weir_cube_add(&cube, kind, kind, one), 0);
	assert_int_equal(cube.count, KINDS);
	assert_int_equal(cube.folds, WEIR_CUBE_FOLDS);
	assert_int_equal(weir_cube_fold(&cube), 0);
	assert_int_equal(cube.count, KINDS);
	weir_cube_fini(&cube);
}

/* However the calls are dealt out, the same rows are left. */
static void parts_make_the_same_whole(void **state)
{
	static const uint32_t rooms[] = { 10000, 700, 90, 3 };

	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		const struct weir_cube empty = { .width = WIDTH,
						 .most = rooms[i],
						 .joins = 0xff };
		struct weir_cube whole = empty, sum = empty;
		struct weir_cube parts[3] = { empty, empty, empty };

		seed = 11 + i;
		for (int n = 0; n < 2000; n++) {
			struct call call = any_call();
			struct weir_cube *part_of = &parts[below(10) % 3];

			weir_cube_spread(&whole, call.kind, call.start,
					 call.dur, call.sums);
			weir_cube_spread(part_of, call.kind, call.start,
					 call.dur, call.sums);
		}
		for (int k = 0; k < 3; k++)
			assert_int_equal(weir_cube_merge(&sum, &parts[k]), 0);
		weir_cube_sort(&whole);
		weir_cube_sort(&sum);
		assert_int_equal(sum.folds, whole.folds);
		assert_int_equal(sum.joined, whole.joined);
		assert_int_equal(sum.count, whole.count);
		assert_memory_equal(sum.rows, whole.rows,
				    whole.count * sizeof(*whole.rows));
		for (int k = 0; k < 3; k++)
			weir_cube_fini(&parts[k]);
		weir_cube_fini(&whole);
		weir_cube_fini(&sum);
	}
}

/* What a damaged trace says of times ends in the last bin. */
static void what_is_too_late_is_in_the_last_bin(void **state)
{
	struct weir_cube cube = { .width = WIDTH, .most = 100 };
	const int64_t sums[WEIR_CUBE_SUMS] = { 1, 1000, 50, 50 };

	assert_int_equal(weir_cube_spread(&cube, 0,
					  WIDTH * WEIR_CUBE_BINS + 5, 500,
					  sums), 0);
	assert_int_equal(cube.count, 1);
	assert_int_equal(weir_cube_bin(&cube.rows[0]), WEIR_CUBE_BINS - 1);
	assert_memory_equal(cube.rows[0].sums, sums, sizeof(sums));
	weir_cube_fini(&cube);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			rows_are_the_sums_however_often_bins_are_joined),
		cmocka_unit_test(what_cannot_be_joined_stays),
		cmocka_unit_test(parts_make_the_same_whole),
		cmocka_unit_test(what_is_too_late_is_in_the_last_bin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
