/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways by which calls are made: found, joined and chosen. */
#include "analyse/page/callpaths.h"

#include "check.h"

#include <stdlib.h>

#define NONE   WEIR_CALLPATHS_NONE
#define OTHERS WEIR_CALLPATHS_OTHERS

static uint32_t get(struct weir_callpaths *paths, uint32_t above,
		    uint32_t call)
{
	uint32_t node;

	assert_int_equal(weir_callpaths_get(paths, above, call, &node), 0);
	return node;
}

static void a_way_is_found_again(void **state)
{
	struct weir_callpaths paths = { 0 };
	uint32_t outer = get(&paths, NONE, 7), inner = get(&paths, outer, 7);

	assert_int_not_equal(outer, inner);
	assert_int_equal(get(&paths, NONE, 7), outer);
	assert_int_equal(get(&paths, outer, 7), inner);
	assert_int_equal(paths.nodes[inner].depth, 1);
	assert_int_equal(paths.nodes[inner].above, outer);
	weir_callpaths_fini(&paths);
}

static void too_many_are_one(void **state)
{
	struct weir_callpaths paths = { 0 };
	uint32_t node = 0, first;

	for (uint32_t i = 0; i < WEIR_CALLPATHS_MOST; i++)
		node = get(&paths, i % 100 ? node : NONE, i / 100);
	first = get(&paths, NONE, 60001);
	assert_int_equal(paths.nodes[first].call, OTHERS);
	assert_int_equal(get(&paths, NONE, 60002), first);
	assert_int_equal(get(&paths, first, 5), first);
	weir_callpaths_fini(&paths);
}

static void others_nodes_are_translated(void **state)
{
	struct weir_callpaths one = { 0 }, other = { 0 };
	uint32_t *numbers, low;

	get(&one, get(&one, NONE, 1), 2);
	low = get(&other, get(&other, get(&other, NONE, 3), 1), 9);
	get(&other, get(&other, NONE, 1), 2);
	other.nodes[low].time = 5;
	assert_int_equal(weir_callpaths_merge(&one, &other, &numbers), 0);
	assert_int_equal(one.count, 5);
	for (uint32_t i = 0; i < other.count; i++) {
		const struct weir_callpath *node = &one.nodes[numbers[i]];

		assert_int_equal(node->call, other.nodes[i].call);
		assert_int_equal(node->depth, other.nodes[i].depth);
	}
	assert_int_equal(one.nodes[numbers[low]].time, 5);
	free(numbers);
	weir_callpaths_fini(&one);
	weir_callpaths_fini(&other);
}

/* Those that took longest, with all above them; no time gets lost. */
static void the_longest_are_chosen(void **state)
{
	struct weir_callpaths paths = { 0 }, chosen;
	uint64_t time = 0, left = 0;
	uint32_t *numbers, deep = NONE;

	for (uint32_t i = 0; i < 300; i++) {
		assert_int_equal(get(&paths, i % 3 ? i - 1 : NONE, i), i);
		paths.nodes[i].time = i;
	}
	for (uint32_t i = 0; i < 5; i++)
		deep = get(&paths, deep, 1000);
	paths.nodes[deep].time = 10000;
	for (uint32_t i = 0; i < paths.count; i++)
		time += paths.nodes[i].time;
	assert_true(weir_callpaths_choose(&paths, 40, &chosen, &numbers) > 0);
	assert_true(chosen.count <= 41);
	for (uint32_t i = 0; i < chosen.count; i++) {
		left += chosen.nodes[i].time;
		if (chosen.nodes[i].above != NONE)
			assert_true(chosen.nodes[i].above < i);
	}
	assert_int_equal(left, time);
	assert_int_equal(chosen.nodes[numbers[deep]].depth, 4);
	assert_int_equal(chosen.nodes[numbers[299]].call, 299);
	assert_int_equal(chosen.nodes[numbers[0]].call, OTHERS);
	free(numbers);
	weir_callpaths_fini(&chosen);
	weir_callpaths_fini(&paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_way_is_found_again),
		cmocka_unit_test(too_many_are_one),
		cmocka_unit_test(others_nodes_are_translated),
		cmocka_unit_test(the_longest_are_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
