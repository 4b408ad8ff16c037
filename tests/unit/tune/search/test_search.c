/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what all searches do, and the genetic algorithms. */
#include "tune/search/search.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct weir_domain small = {
	.axes = { { 3, 3 }, { 4, 1 }, { 1, 0 } },
	.count = 3,
};

static const struct weir_domain large = {
	.axes = { { 10, 0 }, { 8, 0 }, { 12, 0 }, { 14, 0 } },
	.count = 4,
};

static struct weir_search *open_search(const char *name,
				       const struct weir_domain *domain,
				       uint64_t seed)
{
	const char *lack = NULL;
	struct weir_search *search = NULL;

	assert_int_equal(weir_search_open(name, domain, seed, &search, &lack),
			 0);
	return search;
}

/* One answer is the best, and each level away from it costs. */
static double cost(const struct weir_domain_point *point)
{
	static const int best[] = { 7, 2, 9, 3 };
	double seconds = 1;

	for (int a = 0; a < 4; a++)
		seconds += fabs(point->level[a] - (double)best[a]);
	return seconds;
}

static bool try_next(struct weir_search *search, struct weir_trial *trial)
{
	*trial = (struct weir_trial){ .end = WEIR_TRIALS_DONE };
	if (weir_search_ask(search, &trial->point))
		return false;
	trial->seconds = cost(&trial->point);
	assert_int_equal(weir_search_tell(search, trial), 0);
	return true;
}

static void test_an_unknown_name_is_refused(void **state)
{
	const char *lack = NULL;
	struct weir_search *search = NULL;

	assert_int_equal(weir_search_open("annealing", &small, 1, &search,
					  &lack), -EINVAL);
	assert_null(search);
}

static void test_random_tries_each_point_once(void **state)
{
	struct weir_search *search = open_search("random", &small, 5);
	struct weir_trial trial;
	int seen[3][4] = { 0 }, count = 0;

	while (try_next(search, &trial)) {
		assert_int_equal(seen[trial.point.level[0]]
				     [trial.point.level[1]]++, 0);
		count++;
	}
	assert_int_equal(count, weir_domain_size(&small));
	weir_search_close(search);
}

static void test_a_seed_repeats_a_search(void **state)
{
	for (unsigned w = 0; weir_search_name(w); w++) {
		const char *name = weir_search_name(w), *lack;
		struct weir_search *one, *other;
		struct weir_trial a, b;

		if (weir_search_open(name, &large, 9, &one, &lack) == -ENOSYS)
			continue;
		other = open_search(name, &large, 9);
		for (int i = 0; i < 40; i++) {
			assert_true(try_next(one, &a));
			assert_true(try_next(other, &b));
			assert_true(weir_domain_same(&large, &a.point,
						     &b.point));
		}
		weir_search_close(one);
		weir_search_close(other);
	}
}

static void test_algorithms_run_forty_generations_of_fifteen(void **state)
{
	static const char *const names[] = { "ga", "ga-repo" };

	for (int w = 0; w < 2; w++) {
		struct weir_search *search = open_search(names[w], &large, 3);
		struct weir_trial trial;
		int count = 0;

		while (try_next(search, &trial))
			count++;
		assert_int_equal(count, 600);
		weir_search_close(search);
	}
}

/* The best of a generation begins the next. */
static void test_the_fastest_member_stays(void **state)
{
	struct weir_search *search = open_search("ga", &large, 11);
	struct weir_trial trial, best = { .seconds = HUGE_VAL };

	for (int generation = 0; generation < 20; generation++) {
		for (int i = 0; i < 15; i++) {
			assert_true(try_next(search, &trial));
			if (!i && generation)
				assert_true(weir_domain_same(
					&large, &trial.point, &best.point));
			if (trial.seconds < best.seconds)
				best = trial;
		}
	}
	assert_true(best.seconds < 5);
	weir_search_close(search);
}

/* What fails has no children while others have not failed. */
static void test_what_failed_dies_out(void **state)
{
	struct weir_search *search = open_search("ga-repo", &large, 2);
	struct weir_trial trial;
	int failed = 0;

	for (int i = 0; i < 600; i++) {
		trial = (struct weir_trial){ 0 };
		assert_int_equal(weir_search_ask(search, &trial.point), 0);
		trial.seconds = cost(&trial.point);
		if (trial.point.level[0] < 5) {
			trial.end = WEIR_TRIALS_FAILED;
			failed += i >= 300;
		}
		assert_int_equal(weir_search_tell(search, &trial), 0);
	}
	assert_in_range(failed, 0, 60); /* mutants */
	weir_search_close(search);
}

static void test_a_mutant_differs_in_its_axis_alone(void **state)
{
	struct weir_dice dice = { 1 };

	for (int i = 0; i < 1000; i++) {
		struct weir_domain_point before, after;
		uint32_t axis = weir_dice_below(&dice, large.count);

		weir_domain_draw(&large, &dice, &before);
		after = before;
		weir_domain_mutate(&large, &dice, axis, &after);
		for (uint32_t a = 0; a < large.count; a++) {
			assert_in_range(after.level[a], 0,
					large.axes[a].levels - 1);
			assert_int_equal(after.level[a] != before.level[a],
					 a == axis);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_unknown_name_is_refused),
		cmocka_unit_test(test_random_tries_each_point_once),
		cmocka_unit_test(test_a_seed_repeats_a_search),
		cmocka_unit_test(
			test_algorithms_run_forty_generations_of_fifteen),
		cmocka_unit_test(test_the_fastest_member_stays),
		cmocka_unit_test(test_what_failed_dies_out),
		cmocka_unit_test(test_a_mutant_differs_in_its_axis_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
