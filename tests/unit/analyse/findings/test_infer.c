/* SPDX-License-Identifier: BSD-3-Clause */
/* Who does the work of collective calls. */
#include "analyse/findings/infer.h"

#include "check.h"
#include "spec/findings.h"

#define MIB (UINT64_C(1) << 20)
#define RANKS 4
#define SECOND UINT64_C(1000000000)

static struct weir_flow flows[2 * RANKS];
static const struct weir_flow *sorted[2 * RANKS];
static struct weir_clues clues;

/* Ranks that take part, two on a node; the first does all the work. */
static int make_ranks(void **state)
{
	for (uint32_t i = 0; i < 2 * RANKS; i++) {
		flows[i] = (struct weir_flow){
			.file = 1,
			.proc = i / 2 + 1,
			.node = i / 4 + 1,
			.collective = 1,
			.class = WEIR_CLASS_WRITE,
			.layer = i % 2 ? WEIR_CALLVIEW_POSIX
				       : WEIR_CALLVIEW_MPIIO,
			.slowest = {.proc = i / 2 + 1, .thread = 1},
		};
		if (!(i % 2))
			flows[i].bytes = 16 * MIB;
		sorted[i] = &flows[i];
	}
	flows[1].bytes = 64 * MIB;
	flows[1].time = 4 * SECOND;
	return 0;
}

static int forget(void **state)
{
	weir_clues_fini(&clues);
	return 0;
}

static size_t found(void)
{
	weir_clues_fini(&clues);
	assert_int_equal(weir_infer_collective_lone(sorted, 2 * RANKS, &clues),
			 0);
	return clues.count;
}

static void one_works_for_all(void **state)
{
	assert_int_equal(found(), 1);
	assert_int_equal(clues.list[0].rule, WEIR_RULE_LONE_AGGREGATORS);
	assert_int_equal(clues.list[0].proc, 1);
	assert_int_equal(clues.list[0].count, 1);
	assert_int_equal(clues.list[0].bytes, 64 * MIB);
	assert_int_equal(clues.list[0].saving, 3 * SECOND);
	assert_int_equal(clues.list[0].witness.proc, 1);
}

/* Others would only share the memory. */
static void nothing_is_saved_of_the_cache(void **state)
{
	flows[1].time = SECOND / 10;
	assert_int_equal(found(), 1);
	assert_int_equal(clues.list[0].saving, 0);
}

static void so_it_is_of_reads(void **state)
{
	for (int i = 0; i < 2 * RANKS; i++)
		flows[i].class = WEIR_CLASS_READ;
	assert_int_equal(found(), 1);
}

static void a_tenth_may_be_of_others(void **state)
{
	flows[1].bytes = 90 * MIB;
	flows[5].bytes = 10 * MIB;
	assert_int_equal(found(), 1);
	flows[5].bytes = 11 * MIB;
	assert_int_equal(found(), 0);
}

/* One a host is ROMIO's default, and too few there as well. */
static void so_it_is_on_one_node(void **state)
{
	for (int i = 0; i < 2 * RANKS; i++)
		flows[i].node = 1;
	assert_int_equal(found(), 1);
}

static void three_ranks_are_too_few(void **state)
{
	flows[6].collective = 0;
	assert_int_equal(found(), 0);
}

static void a_little_is_moved_at_once(void **state)
{
	flows[1].bytes = 64 * MIB - 1;
	assert_int_equal(found(), 0);
}

static void who_writes_for_itself_is_not_asked(void **state)
{
	flows[1].collective = 0;
	assert_int_equal(found(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_works_for_all, make_ranks,
						forget),
		cmocka_unit_test_setup_teardown(
			nothing_is_saved_of_the_cache, make_ranks, forget),
		cmocka_unit_test_setup_teardown(so_it_is_of_reads, make_ranks,
						forget),
		cmocka_unit_test_setup_teardown(a_tenth_may_be_of_others,
						make_ranks, forget),
		cmocka_unit_test_setup_teardown(so_it_is_on_one_node,
						make_ranks, forget),
		cmocka_unit_test_setup_teardown(three_ranks_are_too_few,
						make_ranks, forget),
		cmocka_unit_test_setup_teardown(a_little_is_moved_at_once,
						make_ranks, forget),
		cmocka_unit_test_setup_teardown(
			who_writes_for_itself_is_not_asked, make_ranks,
			forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
