/* SPDX-License-Identifier: BSD-3-Clause */
/* Spreads against sorted lists of all numbers. */
#include "analyse/sums/spread.h"

#include "check.h"

#include <stdlib.h>

#define NUMBERS 5000

static uint64_t seed = 1, numbers[NUMBERS];

/* Of any size: as many small ones as large ones. */
static uint64_t any(void)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed ^ seed >> 29) >> (seed >> 58);
}

static int by_size(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void is_near(uint64_t told, uint64_t right)
{
	uint64_t off = told > right ? told - right : right - told;

	assert_true(off <= right / 200); /* half of the error that is stated */
}

static void parts_are_never_far_off(void **state)
{
	for (int round = 0; round < 50; round++) {
		struct weir_spread spread = { 0 };

		for (int i = 0; i < NUMBERS; i++) {
			numbers[i] = any();
			assert_int_equal(weir_spread_add(&spread, numbers[i]),
					 0);
		}
		qsort(numbers, NUMBERS, sizeof(*numbers), by_size);
		for (unsigned part = 1; part < 1000; part++)
			is_near(weir_spread_at(&spread, part),
				numbers[(NUMBERS * part + 999) / 1000 - 1]);
		assert_true(weir_spread_at(&spread, 0) == numbers[0]);
		assert_true(weir_spread_at(&spread, 1000) ==
			    numbers[NUMBERS - 1]);
		weir_spread_fini(&spread);
	}
}

static void small_numbers_are_exact(void **state)
{
	struct weir_spread spread = { 0 };

	for (uint64_t i = 0; i <= 255; i++)
		assert_int_equal(weir_spread_add(&spread, i), 0);
	assert_int_equal(weir_spread_at(&spread, 500), 127);
	assert_int_equal(weir_spread_at(&spread, 250), 63);
	weir_spread_fini(&spread);
}

static void any_division_comes_to_the_same(void **state)
{
	struct weir_spread all = { 0 }, parts[3] = { 0 }, sum = { 0 };

	for (int i = 0; i < NUMBERS; i++) {
		uint64_t number = any();

		assert_int_equal(weir_spread_add(&all, number), 0);
		assert_int_equal(weir_spread_add(&parts[i * i % 3], number),
				 0);
	}
	for (int i = 2; i >= 0; i--)
		assert_int_equal(weir_spread_merge(&sum, &parts[i]), 0);
	for (unsigned part = 0; part <= 1000; part++)
		assert_true(weir_spread_at(&all, part) ==
			    weir_spread_at(&sum, part));
	for (int i = 0; i < 3; i++)
		weir_spread_fini(&parts[i]);
	weir_spread_fini(&all);
	weir_spread_fini(&sum);
}

static void nothing_and_everything(void **state)
{
	struct weir_spread none = { 0 }, most = { 0 };

	assert_int_equal(weir_spread_at(&none, 500), 0);
	assert_int_equal(weir_spread_merge(&most, &none), 0);
	assert_int_equal(weir_spread_add(&most, UINT64_MAX), 0);
	assert_true(weir_spread_at(&most, 500) == UINT64_MAX);
	weir_spread_fini(&most);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_never_far_off),
		cmocka_unit_test(small_numbers_are_exact),
		cmocka_unit_test(any_division_comes_to_the_same),
		cmocka_unit_test(nothing_and_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
