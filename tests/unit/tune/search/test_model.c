/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the search with a model on times that are known. */
#include "tune/search/search.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEEDS 15
#define MOST  600

/*
 * As stacks are: one switch explains most, another helps only with it, a
 * quantity has a best value, others do little or nothing.
 */
static const struct weir_domain domain = {
	.axes = { { 3, 3 }, { 2, 2 }, { 9, 1 }, { 6, 1 }, { 2, 2 }, { 4, 4 },
		  { 8, 1 }, { 2, 2 } },
	.count = 8,
};

#define BEST (-1.5 - 0.5 - 0.1) /* log of its time */

static double log_time(const struct weir_domain_point *point)
{
	bool on = point->level[0] == 2;
	int size = point->level[2] ? point->level[2] : 3;

	return (on ? -1.5 : 0.4 * point->level[0]) +
	       (point->level[1] ? (on ? -0.5 : 0.3) : 0) +
	       0.06 * abs(size - 6) + (point->level[4] ? 0.2 : 0) -
	       (point->level[5] == 3 ? 0.1 : 0);
}

/* Runs differ by 3 %. */
static double measure(const struct weir_domain_point *point,
		      struct weir_dice *noise)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += weir_dice_share(noise);
	return exp(log_time(point) + 0.03 * sum);
}

/* Runs that it takes to come within 5 % of the best; MOST: it does not. */
static int runs_needed(const char *name, uint64_t seed)
{
	struct weir_dice noise = { seed * 1000 };
	struct weir_search *search = NULL;
	const char *lack = NULL;
	int runs = 0;

	assert_int_equal(weir_search_open(name, &domain, seed, &search, &lack),
			 0);
	while (runs < MOST) {
		struct weir_trial trial = { .end = WEIR_TRIALS_DONE };

		if (weir_search_ask(search, &trial.point)) {
			runs = MOST;
			break;
		}
		runs++;
		if (log_time(&trial.point) < BEST - log(0.95))
			break;
		trial.seconds = measure(&trial.point, &noise);
		weir_search_tell(search, &trial);
	}
	weir_search_close(search);
	return runs;
}

static int compare_numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int median_needed(const char *name)
{
	int runs[SEEDS];

	for (int seed = 0; seed < SEEDS; seed++)
		runs[seed] = runs_needed(name, (uint64_t)seed + 1);
	qsort(runs, SEEDS, sizeof(runs[0]), compare_numbers);
	return runs[SEEDS / 2];
}

static void test_it_needs_few_runs(void **state)
{
	int model = median_needed("model");

	print_message("# model %d, ga %d, random %d\n", model,
		      median_needed("ga"), median_needed("random"));
	assert_in_range(model, 1, 40);
	assert_true(median_needed("random") > 3 * model);
}

static void test_it_begins_with_what_the_program_does(void **state)
{
	struct weir_domain_point point;
	struct weir_search *search = NULL;
	const char *lack = NULL;

	assert_int_equal(weir_search_open("model", &domain, 4, &search, &lack),
			 0);
	assert_int_equal(weir_search_ask(search, &point), 0);
	for (uint32_t a = 0; a < domain.count; a++)
		assert_int_equal(point.level[a], 0);
	weir_search_close(search);
}

static void test_no_point_is_tried_twice_and_it_ends(void **state)
{
	struct weir_trials told = { 0 };
	struct weir_search *search = NULL;
	struct weir_dice noise = { 6 };
	const char *lack = NULL;

	assert_int_equal(weir_search_open("model", &domain, 6, &search, &lack),
			 0);
	for (;;) {
		struct weir_trial trial = { .end = WEIR_TRIALS_DONE };
		int err = weir_search_ask(search, &trial.point);

		if (err) {
			assert_int_equal(err, -ENODATA);
			break;
		}
		assert_null(weir_trials_find(&told, &domain, &trial.point));
		trial.seconds = measure(&trial.point, &noise);
		weir_trials_add(&told, &trial);
		weir_search_tell(search, &trial);
	}
	assert_in_range(told.count, 10, 150);
	weir_trials_fini(&told);
	weir_search_close(search);
}

/* All that is tried fails: it must end, and claim nothing. */
static void test_failures_teach_nothing_good(void **state)
{
	static const struct weir_domain few = { .axes = { { 3, 3 }, { 2, 2 } },
						.count = 2 };
	struct weir_search *search = NULL;
	struct weir_trial trial = { .end = WEIR_TRIALS_FAILED };
	const char *lack = NULL;
	int runs = 0;

	assert_int_equal(weir_search_open("model", &few, 1, &search, &lack),
			 0);
	for (; !weir_search_ask(search, &trial.point); runs++)
		weir_search_tell(search, &trial);
	assert_in_range(runs, 1, 6);
	weir_search_close(search);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_needs_few_runs),
		cmocka_unit_test(test_it_begins_with_what_the_program_does),
		cmocka_unit_test(test_no_point_is_tried_twice_and_it_ends),
		cmocka_unit_test(test_failures_teach_nothing_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
