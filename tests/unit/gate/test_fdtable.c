/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of the table of descriptors: what one station puts, others leave. */
#include "gate/fdmap.h"
#include "gate/fdtable.h"
#include "gate/ofd.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int start_anew(void **state)
{
	for (int fd = 0; fd < 64; fd++)
		weir_fdtable_set(fd, -1);
	weir_fdmap_reset();
	weir_ofd_reset();
	return 0;
}

static void strange_descriptors_have_no_row(void **state)
{
	assert_false(weir_fdtable_holds(-1));
	assert_false(weir_fdtable_holds((int)WEIR_FDTABLE_COUNT));
	assert_true(weir_fdtable_holds((int)WEIR_FDTABLE_COUNT - 1));
	assert_int_equal(weir_fdtable_peek(-1), -1);
	assert_int_equal(weir_fdtable_peek(INT_MAX), -1);
	assert_int_equal(weir_fdtable_swap(INT_MIN, 5), -1);
	assert_int_equal(weir_fdtable_swap(INT_MAX, 5), -1);
}

static void one_takes_the_place_of_another(void **state)
{
	assert_int_equal(weir_fdtable_swap(7, 0), -1);
	assert_int_equal(weir_fdtable_peek(7), 0);
	assert_int_equal(weir_fdtable_swap(7, 4095), 0);
	assert_false(weir_fdtable_change(7, 0, 1));
	assert_true(weir_fdtable_change(7, 4095, 1));
	assert_int_equal(weir_fdtable_swap(7, -1), 1);
	assert_int_equal(weir_fdtable_peek(7), -1);
}

static void forwarded_ones_are_found(void **state)
{
	weir_fdtable_set(3, 1);
	weir_fdtable_set(60, 2);
	assert_true(weir_fdtable_top() > 60);
	assert_int_equal(weir_fdtable_next(0, UINT_MAX), 3);
	assert_int_equal(weir_fdtable_next(4, UINT_MAX), 60);
	assert_int_equal(weir_fdtable_next(4, 60), -1);
	assert_int_equal(weir_fdtable_next(61, UINT_MAX), -1);
}

/* A number that stands for something else is deferred only when told so. */
static void a_mark_goes_with_its_file(void **state)
{
	weir_fdtable_set(9, 3);
	atomic_store(&weir_fdtable[9].is_deferred, true);
	assert_int_equal(weir_fdtable_swap(9, 4), 3);
	assert_false(atomic_load(&weir_fdtable[9].is_deferred));
}

static void a_lazy_one_is_no_open_file(void **state)
{
	assert_false(weir_fdtable_is_lazy(-1));
	assert_false(weir_fdtable_is_lazy(4095));
	assert_true(weir_fdtable_is_lazy((int)WEIR_FDTABLE_LAZY - 1));
}

static void stations_leave_each_other_alone(void **state)
{
	weir_fdtable_set(11, 8);
	weir_fdmap_set(11,
		       weir_fdmap_entry(weir_fdmap_next_handle(), 0, false));
	assert_int_equal(weir_fdtable_peek(11), 8);
	weir_fdmap_reset();
	assert_int_equal(weir_fdmap_get(11), 0);
	assert_int_equal(weir_fdtable_peek(11), 8);
	weir_fdmap_set(11, weir_fdmap_entry(5, 0, false));
	weir_fdtable_set(11, -1);
	assert_int_equal(weir_fdmap_handle(weir_fdmap_get(11)), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(strange_descriptors_have_no_row,
				       start_anew),
		cmocka_unit_test_setup(one_takes_the_place_of_another,
				       start_anew),
		cmocka_unit_test_setup(forwarded_ones_are_found, start_anew),
		cmocka_unit_test_setup(a_mark_goes_with_its_file, start_anew),
		cmocka_unit_test_setup(a_lazy_one_is_no_open_file, start_anew),
		cmocka_unit_test_setup(stations_leave_each_other_alone,
				       start_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
