/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests predictions from a few points. */
#include "tune/search/gauss.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A switch that matters, a quantity that does, and two that do not. */
static const struct weir_domain domain = {
	.axes = { { 2, 2 }, { 11, 0 }, { 3, 3 }, { 11, 0 } },
	.count = 4,
};

static double truth(const struct weir_domain_point *point)
{
	double x = point->level[1] / 10.0;

	return 2.0 * point->level[0] + 3 * (x - 0.6) * (x - 0.6);
}

static struct weir_gauss *learn_truth(int count, double noise)
{
	struct weir_dice dice = { 17 };
	struct weir_gauss *gauss = NULL;

	assert_int_equal(weir_gauss_new(&domain, &gauss), 0);
	for (int i = 0; i < count; i++) {
		struct weir_domain_point point;
		double off = weir_dice_share(&dice) - 0.5;

		weir_domain_draw(&domain, &dice, &point);
		assert_true(weir_gauss_add(gauss, &point,
					   truth(&point) + noise * off));
	}
	/* What is learnt comes nearer with each fit. */
	for (int i = 0; i < 10; i++)
		assert_int_equal(weir_gauss_fit(gauss), 0);
	return gauss;
}

static void test_it_predicts_what_it_has_not_seen(void **state)
{
	struct weir_gauss *gauss = learn_truth(40, 0);
	struct weir_dice dice = { 99 };

	for (int i = 0; i < 200; i++) {
		struct weir_domain_point point;
		struct weir_gauss_guess guess;

		weir_domain_draw(&domain, &dice, &point);
		weir_gauss_predict(gauss, &point, 1, &guess);
		assert_true(fabs(guess.mean - truth(&point)) < 0.2);
		assert_true(guess.spread < 0.5);
	}
	weir_gauss_free(gauss);
}

static void test_it_finds_what_matters(void **state)
{
	struct weir_gauss *gauss = learn_truth(40, 0.05);

	for (uint32_t a = 0; a < 2; a++)
		for (uint32_t b = 2; b < 4; b++)
			assert_true(weir_gauss_weight(gauss, a) >
				    3 * weir_gauss_weight(gauss, b));
	weir_gauss_free(gauss);
}

/* Of one point with many values the mean is known, not each value. */
static void test_noise_is_averaged(void **state)
{
	static const double values[] = { 1, 3, 1, 3, 1, 3, 1, 3, 1, 3 };
	struct weir_domain_point point = { { 1, 5, 0, 2 } };
	struct weir_domain_point other = { { 0, 1, 1, 7 } };
	struct weir_gauss_guess guess;
	struct weir_gauss *gauss = NULL;

	assert_int_equal(weir_gauss_new(&domain, &gauss), 0);
	for (int i = 0; i < 10; i++)
		assert_true(weir_gauss_add(gauss, &point, values[i]));
	assert_true(weir_gauss_add(gauss, &other, 2));
	for (int i = 0; i < 10; i++)
		assert_int_equal(weir_gauss_fit(gauss), 0);
	weir_gauss_predict(gauss, &point, 1, &guess);
	assert_true(fabs(guess.mean - 2) < 0.3);
	weir_gauss_free(gauss);
}

static void test_far_from_all_it_knows_little(void **state)
{
	struct weir_domain_point near = { { 0, 0, 0, 0 } };
	struct weir_domain_point far = { { 1, 10, 2, 10 } };
	struct weir_gauss_guess at, away;
	struct weir_gauss *gauss = NULL;

	assert_int_equal(weir_gauss_new(&domain, &gauss), 0);
	assert_true(weir_gauss_add(gauss, &near, 1));
	near.level[1] = 2;
	assert_true(weir_gauss_add(gauss, &near, 2));
	assert_int_equal(weir_gauss_fit(gauss), 0);
	weir_gauss_predict(gauss, &near, 1, &at);
	weir_gauss_predict(gauss, &far, 1, &away);
	assert_true(away.spread > 2 * at.spread);
	weir_gauss_free(gauss);
}

static void test_equal_values_and_too_many_points(void **state)
{
	struct weir_domain_point point = { 0 };
	struct weir_gauss_guess guess;
	struct weir_gauss *gauss = NULL;

	assert_int_equal(weir_gauss_new(&domain, &gauss), 0);
	for (int i = 0; i < WEIR_GAUSS_POINTS; i++)
		assert_true(weir_gauss_add(gauss, &point, 5));
	assert_false(weir_gauss_add(gauss, &point, 5));
	assert_int_equal(weir_gauss_fit(gauss), 0);
	weir_gauss_predict(gauss, &point, 1, &guess);
	assert_true(fabs(guess.mean - 5) < 1e-6);
	weir_gauss_free(gauss);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_predicts_what_it_has_not_seen),
		cmocka_unit_test(test_it_finds_what_matters),
		cmocka_unit_test(test_noise_is_averaged),
		cmocka_unit_test(test_far_from_all_it_knows_little),
		cmocka_unit_test(test_equal_values_and_too_many_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
