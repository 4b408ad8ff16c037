/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists have the room that was asked for, and keep what is in them. */
#include "base/grow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void a_list_grows_by_one(void **state)
{
	uint32_t *list = NULL, count = 0, room = 0, moves = 0;

	(void)state;
	for (; count < 10000; count++) {
		uint32_t before = room;

		assert_int_equal(WEIR_GROW(list, count, room), 0);
		assert_true(room > count);
		moves += room != before;
		list[count] = count;
	}
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(list[i], i);
	assert_true(moves < 30); /* so that it costs little */
	free(list);
}

static void room_is_what_is_wanted(void **state)
{
	size_t room = 0;
	char *list = NULL;

	(void)state;
	assert_int_equal(WEIR_GROW_TO(list, 100, room), 0);
	assert_int_equal(room, 100);
	assert_int_equal(WEIR_GROW_TO(list, 99, room), 0);
	assert_int_equal(room, 100);
	assert_int_equal(WEIR_GROW_TO(list, 101, room), 0);
	assert_int_equal(room, 150);
	free(list);
}

static void what_is_new_is_zero(void **state)
{
	uint16_t room = 0;
	uint64_t *list = NULL;

	(void)state;
	for (uint64_t wanted = 1; wanted < 500; wanted += 7) {
		uint16_t before = room;

		assert_int_equal(WEIR_GROW_ZEROED(list, wanted, room), 0);
		for (uint16_t i = before; i < room; i++)
			assert_int_equal(list[i], 0);
		for (uint16_t i = before; i < room; i++)
			list[i] = UINT64_MAX;
	}
	free(list);
}

static void too_much_leaves_it_as_it_was(void **state)
{
	volatile size_t much = SIZE_MAX / 4; /* gcc warns of constants */
	size_t room = 0;
	uint64_t *list = NULL, *before;

	(void)state;
	assert_int_equal(WEIR_GROW(list, 0, room), 0);
	list[0] = 5;
	before = list;
	assert_int_equal(WEIR_GROW_TO(list, much, room), -ENOMEM);
	assert_ptr_equal(list, before);
	assert_int_equal(room, 8);
	assert_int_equal(list[0], 5);
	assert_int_equal(WEIR_GROW_EXACTLY(list, 1), 0);
	assert_int_equal(list[0], 5);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_grows_by_one),
		cmocka_unit_test(room_is_what_is_wanted),
		cmocka_unit_test(what_is_new_is_zero),
		cmocka_unit_test(too_much_leaves_it_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
