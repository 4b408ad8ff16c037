/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of memory that show files are found, cut and forgotten. */
#include "gate/maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define PAGE 4096ul

static void add(uintptr_t page, uintptr_t pages, int64_t off, uint32_t handle)
{
	struct weir_maps_part part = { page * PAGE, (page + pages) * PAGE, off,
				       handle };

	assert_true(weir_maps_add(&part));
}

static bool find(uintptr_t page, uintptr_t pages, struct weir_maps_part *part)
{
	return weir_maps_find(page * PAGE, (page + pages) * PAGE, part);
}

static int forget(void **state)
{
	weir_maps_cut(0, UINTPTR_MAX - PAGE);
	return 0;
}

static void what_overlaps_is_found(void **state)
{
	struct weir_maps_part part;

	add(10, 5, 0x7000, 3);
	assert_false(find(5, 5, &part));
	assert_false(find(15, 5, &part));
	assert_true(find(12, 100, &part));
	assert_int_equal(part.start, 12 * PAGE);
	assert_int_equal(part.end, 15 * PAGE);
	assert_int_equal(part.off, 0x7000 + 2 * PAGE);
	assert_int_equal(part.handle, 3);
}

static void the_lowest_is_found_first(void **state)
{
	struct weir_maps_part part;

	add(30, 1, 0, 1);
	add(10, 1, 0, 2);
	add(20, 1, 0, 3);
	assert_true(find(0, 100, &part));
	assert_int_equal(part.handle, 2);
}

static void a_cut_leaves_both_sides(void **state)
{
	struct weir_maps_part part;

	add(10, 10, 0, 4);
	weir_maps_cut(13 * PAGE, 14 * PAGE + 1); /* to the page's end */
	assert_false(find(13, 2, &part));
	assert_true(find(12, 1, &part));
	assert_true(find(15, 5, &part));
	assert_int_equal(part.off, 5 * PAGE);
	weir_maps_cut(0, 13 * PAGE);
	assert_false(find(0, 13, &part));
	weir_maps_cut(15 * PAGE, 100 * PAGE);
	assert_false(find(0, 100, &part));
}

static void a_child_keeps_the_ranges_only(void **state)
{
	struct weir_maps_part part;

	add(10, 1, 0, 9);
	weir_maps_disown();
	assert_true(find(10, 1, &part));
	assert_int_equal(part.handle, 0);
}

static void memory_without_a_file_takes_its_place(void **state)
{
	void *at = (void *)(10 * PAGE);

	add(10, 2, 0, 9);
	assert_true(mapped(at, 1));
	assert_false(backed(at, 1, WEIR_MAPS_ANONYMOUS));
	assert_true(mapped(at, 1));
	assert_false(backed(at, 1, WEIR_MAPS_ANONYMOUS | WEIR_MAPS_FIXED));
	assert_false(mapped(at, 1));
	assert_true(mapped(at, PAGE + 1));
	assert_true(backed(at, 1, WEIR_MAPS_FIXED));
}

static void a_full_table_says_so(void **state)
{
	struct weir_maps_part part = { PAGE, 2 * PAGE, 0, 1 };

	for (int i = 0; i < WEIR_MAPS_COUNT; i++)
		assert_true(weir_maps_add(&part));
	assert_false(weir_maps_add(&part));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_overlaps_is_found, forget),
		cmocka_unit_test_teardown(the_lowest_is_found_first, forget),
		cmocka_unit_test_teardown(a_cut_leaves_both_sides, forget),
		cmocka_unit_test_teardown(a_child_keeps_the_ranges_only,
					  forget),
		cmocka_unit_test_teardown(memory_without_a_file_takes_its_place,
					  forget),
		cmocka_unit_test_teardown(a_full_table_says_so, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
