/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of variables: how much they are, in how many runs, and as text. */
#include "layers/pnetcdf/pnetcdf_select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BOX(...) ((const int64_t[]){ __VA_ARGS__ })

static const struct weir_pnetcdf_shape cube = { .rank = 3,
						.dims = { 4, 5, 6 } };

static void expect(const struct weir_pnetcdf_select *sel, uint64_t elements,
		   uint64_t runs, const char *text)
{
	char spelled[WEIR_PNETCDF_SPELLED];

	assert_int_equal(weir_pnetcdf_select_spell(sel, spelled), strlen(text));
	assert_string_equal(spelled, text);
	assert_int_equal(sel->elements, elements);
	assert_int_equal(sel->runs, runs);
}

static void expect_box(const struct weir_pnetcdf_shape *shape,
		       const int64_t *start, const int64_t *count,
		       const int64_t *stride, uint64_t elements, uint64_t runs,
		       const char *text)
{
	struct weir_pnetcdf_select sel;

	weir_pnetcdf_select_start(&sel, shape->rank);
	weir_pnetcdf_select_add(&sel, shape, start, count, stride);
	expect(&sel, elements, runs, text);
}

static void rows_that_are_whole_are_one_run(void **state)
{
	expect_box(&cube, BOX(0, 0, 0), BOX(4, 5, 6), NULL, 120, 1,
		   "0+4,0+5,0+6");
	expect_box(&cube, BOX(1, 0, 0), BOX(2, 5, 6), NULL, 60, 1,
		   "1+2,0+5,0+6");
	expect_box(&cube, BOX(1, 2, 0), BOX(1, 3, 6), NULL, 18, 1,
		   "1+1,2+3,0+6");
	expect_box(&cube, BOX(3, 4, 5), NULL, NULL, 1, 1, "3+1,4+1,5+1");
}

static void rows_that_are_not_are_runs_of_their_own(void **state)
{
	expect_box(&cube, BOX(0, 0, 0), BOX(4, 5, 5), NULL, 100, 20,
		   "0+4,0+5,0+5");
	expect_box(&cube, BOX(0, 1, 0), BOX(4, 2, 6), NULL, 48, 4,
		   "0+4,1+2,0+6");
	expect_box(&cube, BOX(0, 0, 0), BOX(2, 5, 3), BOX(2, 1, 2), 30, 30,
		   "0+2*2,0+5,0+3*2");
	expect_box(&cube, BOX(0, 0, 0), BOX(2, 5, 6), BOX(2, 1, 1), 60, 2,
		   "0+2*2,0+5,0+6");
}

static void steps_of_what_grows_lie_apart(void **state)
{
	struct weir_pnetcdf_shape grows = { .rank = 2,
					    .record = true,
					    .dims = { 3, 6 } };

	expect_box(&grows, BOX(0, 0), BOX(3, 6), NULL, 18, 3, "0+3,0+6");
	expect_box(&grows, BOX(9, 0), BOX(1, 6), NULL, 6, 1, "9+1,0+6");
}

static void nothing_is_nothing(void **state)
{
	struct weir_pnetcdf_shape single = { .rank = 0 };

	expect_box(&cube, BOX(0, 0, 0), BOX(4, 0, 6), NULL, 0, 0, "");
	expect_box(&cube, BOX(0, 0, 0), BOX(4, -1, 6), NULL, 0, 0, "");
	expect_box(&single, NULL, NULL, NULL, 1, 1, "");
}

static void several_have_a_box_around_them(void **state)
{
	struct weir_pnetcdf_select sel;

	weir_pnetcdf_select_start(&sel, 3);
	weir_pnetcdf_select_add(&sel, &cube, BOX(2, 0, 1), BOX(1, 1, 3), NULL);
	weir_pnetcdf_select_add(&sel, &cube, BOX(0, 3, 0), BOX(1, 2, 2), NULL);
	weir_pnetcdf_select_add(&sel, &cube, BOX(0, 0, 0), BOX(0, 0, 0), NULL);
	expect(&sel, 7, 3, "0+3,0+5,0+4");
}

/* However many dimensions, and however large the numbers. */
static void text_has_an_end(void **state)
{
	struct weir_pnetcdf_shape wide = { .rank = 40 };
	int64_t high[40], ones[40];
	struct weir_pnetcdf_select sel;
	char spelled[WEIR_PNETCDF_SPELLED];
	size_t len;

	for (int i = 0; i < 40; i++) {
		high[i] = INT64_MAX - 1;
		ones[i] = 1;
	}
	weir_pnetcdf_select_start(&sel, wide.rank);
	weir_pnetcdf_select_add(&sel, &wide, high, ones, NULL);
	len = weir_pnetcdf_select_spell(&sel, spelled);
	assert_true(len < sizeof(spelled));
	assert_int_equal(strlen(spelled), len);
	assert_string_equal(spelled + len - 3, "...");
	assert_int_equal(sel.elements, 1);
	assert_int_equal(sel.runs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_that_are_whole_are_one_run),
		cmocka_unit_test(rows_that_are_not_are_runs_of_their_own),
		cmocka_unit_test(steps_of_what_grows_lie_apart),
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(several_have_a_box_around_them),
		cmocka_unit_test(text_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
