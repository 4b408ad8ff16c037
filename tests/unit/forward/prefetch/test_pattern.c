/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wished for, by how a file was read. A reader that finds all that was
 * wished for, or nothing, stands for program and daemon. */
#include "forward/prefetch/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KIB  UINT64_C(1024)
#define MIB  (KIB * KIB)
#define MOST 20000

/* What was wished for: offsets of records. */
struct reader {
	struct weir_pattern pattern;
	struct weir_pattern_request wishes[MOST];
	uint32_t count;
	uint64_t bytes; /* wished for */
	uint64_t now, step;
	uint64_t end;
	bool is_denied; /* nothing comes */
	bool is_fast;
};

static struct reader *begin(void)
{
	struct reader *r = calloc(1, sizeof(*r));

	r->now = 1;
	r->step = 20000;
	r->end = UINT64_MAX;
	return r;
}

static bool covers(const struct weir_pattern_request *wish, uint64_t offset,
		   uint64_t size)
{
	for (uint32_t i = 0; i < wish->count; i++) {
		uint64_t at = wish->from +
			      (uint64_t)(wish->stride * (int64_t)i);

		if (offset >= at && offset + size <= at + wish->record)
			return true;
	}
	return false;
}

static bool is_there(const struct reader *r, uint64_t offset, uint64_t size)
{
	for (uint32_t i = r->count; i > 0 && i + 64 > r->count; i--)
		if (covers(&r->wishes[i - 1], offset, size))
			return true;
	return false;
}

/* True: it was there. */
static bool look(struct reader *r, uint64_t offset, uint64_t size)
{
	bool hit = !r->is_denied && is_there(r, offset, size);
	struct weir_pattern_read read = { .offset = offset,
					  .size = size,
					  .hit = hit ? size : 0,
					  .now = r->now += r->step,
					  .end = r->end };
	struct weir_pattern_request wish;

	if (weir_pattern_see(&r->pattern, &read, &wish)) {
		assert_true(r->count < MOST);
		assert_true(wish.count > 0 && wish.record > 0 && wish.stride);
		assert_true((int64_t)wish.from +
				    (wish.count - 1) * wish.stride >= 0);
		r->wishes[r->count++] = wish;
		r->bytes += (uint64_t)wish.count * wish.record;
	}
	if (!hit)
		weir_pattern_time(&r->pattern, size,
				  r->is_fast ? 1100 : 300000 + 2 * size);
	return hit;
}

static uint32_t look_along(struct reader *r, uint64_t from, int64_t stride,
			   uint64_t size, uint32_t count)
{
	uint32_t hits = 0;

	for (uint32_t i = 0; i < count; i++)
		hits += look(r, from + (uint64_t)(stride * (int64_t)i), size);
	return hits;
}

static void test_sequential(void **unused)
{
	struct reader *r = begin();

	assert_int_equal(look_along(r, 0, 4096, 4096, 1), 0);
	assert_int_equal(r->count, 0);
	look(r, 4096, 4096);
	assert_int_equal(r->count, 1);
	assert_int_equal(r->wishes[0].from, 8192);
	assert_true(r->wishes[0].record >= 128 * KIB);
	assert_int_equal(look_along(r, 8192, 4096, 4096, 8192), 8192);
	/* it grows, but not without end, and nothing is wished for twice */
	assert_true(r->wishes[r->count - 1].record > MIB);
	assert_true(r->count < 30);
	for (uint32_t i = 1; i < r->count; i++)
		assert_int_equal(r->wishes[i].from,
				 r->wishes[i - 1].from +
					 r->wishes[i - 1].record);
	assert_true(r->bytes <= 32 * MIB + 2 * WEIR_PATTERN_MOST);
	free(r);
}

static void test_anywhere(void **unused)
{
	struct reader *r = begin();

	look_along(r, 777777, 1000, 1000, 3);
	assert_int_equal(r->count, 1);
	assert_int_equal(r->wishes[0].from, 777777 + 3000);
	/* but those that begin in one wish and end in the next */
	assert_true(look_along(r, 777777 + 3000, 1000, 1000, 5000) > 4980);
	free(r);
}

static void test_large(void **unused)
{
	struct reader *r = begin();

	look_along(r, 0, MIB, MIB, 20);
	assert_true(r->count > 3);
	assert_true(r->wishes[0].record >= 2 * MIB);
	free(r);
	r = begin();
	look_along(r, 0, 16 * MIB, 16 * MIB, 20);
	assert_int_equal(r->count, 0);
	free(r);
}

static void test_apart(void **unused)
{
	static const int64_t strides[] = { 65536, -65536, 4097, -5000 };

	for (size_t i = 0; i < sizeof(strides) / sizeof(*strides); i++) {
		struct reader *r = begin();
		uint64_t from = strides[i] < 0 ? 4000 * 65536u : 100;

		look_along(r, from, strides[i], 4096, 3);
		assert_int_equal(r->count, 0);
		from += (uint64_t)(3 * strides[i]);
		assert_int_equal(look_along(r, from, strides[i], 4096, 997),
				 996);
		assert_int_equal(r->wishes[0].stride, strides[i]);
		assert_int_equal(r->wishes[0].record, 4096);
		assert_true(r->bytes <= (1000 + 2 * 256) * 4096);
		free(r);
	}
}

/* Backwards it ends at the beginning, forwards at the end. */
static void test_ends(void **unused)
{
	struct reader *r = begin();

	look_along(r, 20 * 10000, -10000, 500, 21);
	for (uint32_t i = 0; i < r->count; i++)
		assert_true((int64_t)r->wishes[i].from +
				    r->wishes[i].stride *
					    (r->wishes[i].count - 1) >= 0);
	free(r);
	r = begin();
	r->end = 300 * KIB + 5;
	look_along(r, 0, 4096, 4096, 76);
	assert_true(r->bytes <= r->end);
	free(r);
	r = begin();
	r->end = 20 * 10000 + 100;
	look_along(r, 0, 10000, 500, 21);
	for (uint32_t i = 0; i < r->count; i++)
		assert_true(r->wishes[i].from + (uint64_t)r->wishes[i].stride *
				    (r->wishes[i].count - 1) < r->end);
	free(r);
}

/* Nothing to be seen: it looks away, and costs next to nothing. */
static void test_random(void **unused)
{
	struct reader *r = begin();
	uint64_t seed = 3, rested = 0;

	for (int i = 0; i < 10000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695;
		look(r, (seed >> 40) * 4096, 4096);
		rested += r->pattern.rest > 0;
	}
	assert_true(r->bytes < MIB);
	assert_true(rested > 9000);
	/* and sees it when there is something */
	look_along(r, 0, 4096, 4096, 3000);
	assert_true(r->bytes > MIB);
	free(r);
}

/* Three in a row, then elsewhere: less than half is used. */
static void test_wasteful(void **unused)
{
	struct reader *r = begin();

	for (uint64_t i = 0; i < 3000; i++)
		look_along(r, i * i % 7919 * MIB, 4096, 4096, 3);
	assert_true(r->bytes < 3000 * 3 * 4096);
	free(r);
}

/* What does not come, or comes too late, is not wished for on and on. */
static void test_denied(void **unused)
{
	struct reader *r = begin();

	r->is_denied = true;
	look_along(r, 0, 4096, 4096, 10000);
	assert_true(r->bytes < 20 * MIB);
	free(r);
}

/* Who computes for long has little waiting for him. */
static void test_slow_program(void **unused)
{
	struct reader *r = begin();

	r->step = 100000000;
	look_along(r, 0, 65536, 65536, 200);
	for (uint32_t i = 3; i < r->count; i++)
		assert_true(r->wishes[i].record <= 512 * KIB);
	assert_true(r->count > 20);
	free(r);
}

static void test_fast_file(void **unused)
{
	struct reader *r = begin();

	r->is_fast = true;
	look_along(r, 0, 4096, 4096, 5000);
	assert_true(r->bytes < MIB);
	r->is_fast = false;
	look_along(r, 5000 * 4096, 4096, 4096, 5000);
	assert_true(r->bytes > MIB);
	free(r);
}

static void test_advice(void **unused)
{
	struct reader *r = begin();

	weir_pattern_advise(&r->pattern, WEIR_PATTERN_RANDOM);
	look_along(r, 0, 4096, 4096, 1000);
	assert_int_equal(r->count, 0);
	weir_pattern_advise(&r->pattern, WEIR_PATTERN_SEQUENTIAL);
	look(r, 1000 * 4096, 4096);
	assert_int_equal(r->count, 1);
	assert_true(r->wishes[0].record >= MIB);
	free(r);
	r = begin();
	weir_pattern_advise(&r->pattern, WEIR_PATTERN_UNKNOWN);
	look(r, 0, 4096);
	assert_int_equal(r->count, 0);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_anywhere),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_wasteful),
		cmocka_unit_test(test_denied),
		cmocka_unit_test(test_slow_program),
		cmocka_unit_test(test_fast_file),
		cmocka_unit_test(test_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
