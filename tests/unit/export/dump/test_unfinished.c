/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls whose end is still to be told: their order, and their bounds. */
#include "export/dump/unfinished.h"

#include "check.h"

#include <string.h>

static void add(struct weir_unfinished *all, uint64_t end, uint8_t depth,
		uint64_t index)
{
	uint8_t detail[4];
	struct weir_event event = {
		.depth = depth, .index = index, .detail = detail,
		.detail_len = sizeof(detail),
	};

	memset(detail, (int)index, sizeof(detail));
	assert_int_equal(weir_unfinished_add(all, end, &event, NULL), 0);
	memset(detail, 0xee, sizeof(detail)); /* they keep their own */
}

static void the_first_to_end_comes_first(void **state)
{
	struct weir_unfinished all = { 0 };
	uint64_t last_end = 0, count = 0;
	uint8_t last_depth = UINT8_MAX;

	for (uint64_t i = 0; i < 1000; i++)
		add(&all, i * 7919 % 101, (uint8_t)(i % 5), i);
	while (weir_unfinished_first(&all)) {
		const struct weir_unfinished_call *one =
			weir_unfinished_first(&all);

		assert_true(one->end >= last_end);
		if (one->end != last_end)
			last_depth = UINT8_MAX;
		assert_true(one->event.depth <= last_depth);
		assert_int_equal(one->event.detail[3],
				 (uint8_t)one->event.index);
		last_end = one->end;
		last_depth = one->event.depth;
		weir_unfinished_drop(&all);
		count++;
	}
	assert_int_equal(count, 1000);
	assert_int_equal(all.bytes, 0);
	weir_unfinished_drop(&all);
	weir_unfinished_fini(&all);
}

static void memory_has_a_bound(void **state)
{
	static uint8_t detail[1 << 20];
	struct weir_event event = { .detail = detail,
				    .detail_len = sizeof(detail) };
	struct weir_unfinished all = { 0 };
	int count = 0;

	while (!weir_unfinished_is_full(&all)) {
		assert_int_equal(weir_unfinished_add(&all, 1, &event, NULL),
				 0);
		count++;
	}
	assert_int_equal(count, 64);
	weir_unfinished_drop(&all);
	assert_false(weir_unfinished_is_full(&all));
	weir_unfinished_fini(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_to_end_comes_first),
		cmocka_unit_test(memory_has_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
