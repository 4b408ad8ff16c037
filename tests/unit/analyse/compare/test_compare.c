/* SPDX-License-Identifier: BSD-3-Clause */
/* What is a change, and what is noise. */
#include "analyse/compare/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static int changed(uint64_t a, uint64_t b, enum weir_compare_unit unit)
{
	const struct weir_compare compare = { .least = 5 };
	const struct weir_figure figure = { { a, b } };

	return weir_comparison_changed(&compare, &figure, unit);
}

static void noise_is_no_change(void **state)
{
	assert_false(changed(0, 0, WEIR_UNIT_COUNT));
	assert_false(changed(100, 104, WEIR_UNIT_COUNT));
	assert_true(changed(100, 105, WEIR_UNIT_COUNT));
	assert_true(changed(100, 95, WEIR_UNIT_BYTES));
	assert_true(changed(0, 1, WEIR_UNIT_BYTES));
	assert_true(changed(1, 0, WEIR_UNIT_COUNT));
	/* Times need both: part, and length. */
	assert_false(changed(1000, 2000, WEIR_UNIT_TIME));
	assert_false(changed(0, MS - 1, WEIR_UNIT_TIME));
	assert_true(changed(0, MS, WEIR_UNIT_TIME));
	assert_false(changed(100 * MS, 104 * MS, WEIR_UNIT_TIME));
	assert_true(changed(100 * MS, 95 * MS, WEIR_UNIT_TIME));
	assert_true(changed(UINT64_MAX, 0, WEIR_UNIT_TIME));
}

static int grew(struct weir_figure slowest, struct weir_figure all,
		struct weir_figure processes, uint64_t percent)
{
	const struct weir_compare compare = { .figures = {
		[WEIR_FIGURE_SLOWEST] = slowest,
		[WEIR_FIGURE_TIME] = all,
		[WEIR_FIGURE_PROCESSES] = processes,
	} };

	return weir_comparison_grew(&compare, percent);
}

static void growth_is_of_the_slowest_or_of_as_many(void **state)
{
	const struct weir_figure same = { { 10 * MS, 10 * MS } };
	const struct weir_figure more = { { 10 * MS, 12 * MS } };
	const struct weir_figure less = { { 12 * MS, 10 * MS } };
	const struct weir_figure little = { { 10, 20 } };
	const struct weir_figure as_many = { { 4, 4 } }, others = { { 4, 8 } };

	assert_true(grew(more, same, as_many, 19));
	assert_false(grew(more, same, as_many, 20));
	assert_true(grew(more, same, others, 0));
	assert_false(grew(less, less, as_many, 0));
	assert_false(grew(same, same, as_many, 0));
	assert_false(grew(little, little, as_many, 0));
	assert_true(grew(same, more, as_many, 10));
	assert_false(grew(same, more, others, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_no_change),
		cmocka_unit_test(growth_is_of_the_slowest_or_of_as_many),
	};

	return cmocka_run_group_tests_name("analyse/compare", tests, NULL,
					   NULL);
}
