/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of each block fits into memory beside the others. */
#include "trace/read/readplan.h"

#include "check.h"

#define ALL(rows) (rows), sizeof(rows) / sizeof(*(rows))

static uint64_t share_of(struct weir_readplan_entry *entries, size_t count,
			 uint64_t memory)
{
	struct weir_readplan plan = { .entries = entries, .count = count };
	uint64_t share = 0;

	assert_int_equal(weir_readplan_share(&plan, memory, &share), 0);
	return share;
}

static void blocks_one_after_the_other_may_be_whole(void **state)
{
	struct weir_readplan_entry entries[] = {
		{ .begin = 10, .end = 19, .bytes = 1000 },
		{ .begin = 20, .end = 29, .bytes = 900 },
		{ .begin = 30, .end = 30, .bytes = 1000 },
		{ .begin = 31, .end = 99, .bytes = 1000 },
	};

	assert_true(share_of(ALL(entries), 1000) >= 1000);
	assert_int_equal(share_of(ALL(entries), 999), 999);
}

/* An end at the very instant of a begin is beside it, too. */
static void blocks_side_by_side_share(void **state)
{
	struct weir_readplan_entry entries[] = {
		{ .begin = 10, .end = 20, .bytes = 1000 },
		{ .begin = 20, .end = 29, .bytes = 1000 },
		{ .begin = 20, .end = 20, .bytes = 1000 },
		{ .begin = 40, .end = 50, .bytes = 1000 },
	};

	assert_int_equal(share_of(ALL(entries), 900), 300);
	assert_int_equal(share_of(ALL(entries), 2), 0);
	assert_true(share_of(ALL(entries), 3000) >= 1000);
}

static void small_blocks_leave_room_for_large_ones(void **state)
{
	struct weir_readplan_entry entries[] = {
		{ .begin = 1, .end = 9, .bytes = 10 },
		{ .begin = 1, .end = 9, .bytes = 20 },
		{ .begin = 2, .end = 9, .bytes = 5000 },
		{ .begin = 3, .end = 9, .bytes = 5000 },
	};

	assert_int_equal(share_of(ALL(entries), 1030), 500);
	assert_true(share_of(ALL(entries), 10030) >= 5000);
}

/* Groups come one after the other, whenever their blocks begin. */
static void groups_do_not_share(void **state)
{
	struct weir_readplan_entry entries[] = {
		{ .group = 1, .begin = 10, .end = 90, .bytes = 1000 },
		{ .group = 1, .begin = 20, .end = 90, .bytes = 1000 },
		{ .group = 2, .begin = 5, .end = 95, .bytes = 1000 },
		{ .group = 3, .begin = 5, .end = 95, .bytes = 1000 },
	};

	assert_int_equal(share_of(ALL(entries), 1000), 500);
	assert_true(share_of(ALL(entries), 2000) >= 1000);
}

static void no_blocks_need_nothing(void **state)
{
	struct weir_readplan_entry none;

	assert_true(share_of(&none, 0, 0) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_one_after_the_other_may_be_whole),
		cmocka_unit_test(blocks_side_by_side_share),
		cmocka_unit_test(small_blocks_leave_room_for_large_ones),
		cmocka_unit_test(groups_do_not_share),
		cmocka_unit_test(no_blocks_need_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
