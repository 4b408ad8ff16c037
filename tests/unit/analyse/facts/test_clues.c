/* SPDX-License-Identifier: BSD-3-Clause */
/* Clues add up, whoever adds them first. */
#include "analyse/facts/clues.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define CLUES 600
#define PARTS 5

static uint64_t seed = 1;

static uint64_t below(uint64_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed >> 33) % limit;
}

static struct weir_clue any_clue(void)
{
	return (struct weir_clue){
		.rule = (uint32_t)below(6), .file = (uint32_t)below(8),
		.proc = (uint32_t)below(5), .count = below(100),
		.of = below(200), .bytes = below(1 << 30),
		.time = below(1 << 20), .saving = below(1 << 20),
		/* Few durations, so that some are equal. */
		.witness = { (uint32_t)below(3), (uint32_t)below(3),
			     below(10), below(4) },
	};
}

static int by_what(const void *left, const void *right)
{
	const struct weir_clue *a = left, *b = right;

	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->proc < b->proc ? -1 : a->proc > b->proc;
}

static void sort(struct weir_clues *clues)
{
	qsort(clues->list, clues->count, sizeof(*clues->list), by_what);
}

static void check_same(struct weir_clues *a, struct weir_clues *b)
{
	sort(a);
	sort(b);
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct weir_clue *x = &a->list[i], *y = &b->list[i];

		assert_int_equal(by_what(x, y), 0);
		assert_int_equal(x->count, y->count);
		assert_int_equal(x->of, y->of);
		assert_int_equal(x->bytes, y->bytes);
		assert_int_equal(x->time, y->time);
		assert_int_equal(x->saving, y->saving);
		assert_memory_equal(&x->witness, &y->witness,
				    sizeof(x->witness));
	}
}

/* All one after the other; and in parts, which are merged in some order. */
static void any_order_gives_the_same(void **state)
{
	for (int round = 0; round < 200; round++) {
		struct weir_clues all = { 0 }, merged = { 0 };
		struct weir_clues parts[PARTS] = { { 0 } };
		uint64_t turn = below(PARTS);

		for (int i = 0; i < CLUES; i++) {
			struct weir_clue clue = any_clue();

			assert_int_equal(weir_clues_add(&all, &clue), 0);
			assert_int_equal(weir_clues_add(&parts[below(PARTS)],
							&clue), 0);
		}
		for (uint64_t i = 0; i < PARTS; i++) {
			uint64_t next = (i * 2 + turn) % PARTS;

			assert_int_equal(weir_clues_merge(&merged,
							  &parts[next]), 0);
		}
		check_same(&all, &merged);
		for (int i = 0; i < PARTS; i++)
			weir_clues_fini(&parts[i]);
		weir_clues_fini(&all);
		weir_clues_fini(&merged);
	}
}

static void one_is_found_again(void **state)
{
	struct weir_clues clues = { 0 };
	struct weir_clue *first = weir_clues_get(&clues, 1, 2, 3);

	assert_non_null(first);
	first->count = 7;
	assert_int_equal(weir_clues_get(&clues, 1, 2, 3)->count, 7);
	assert_int_equal(weir_clues_get(&clues, 3, 2, 1)->count, 0);
	assert_int_equal(clues.count, 2);
	weir_clues_fini(&clues);
	assert_int_equal(clues.count, 0);
}

static void the_slowest_testifies(void **state)
{
	const struct weir_witness none = { 0 }, slow = { 2, 1, 5, 90 };
	const struct weir_witness earlier = { 2, 1, 4, 90 };
	const struct weir_witness other = { 1, 7, 9, 90 };
	struct weir_witness known = none;

	weir_witness_take(&known, none);
	assert_int_equal(known.proc, 0);
	weir_witness_take(&known, slow);
	weir_witness_take(&known, none);
	assert_int_equal(known.index, 5);
	weir_witness_take(&known, earlier);
	assert_int_equal(known.index, 4);
	weir_witness_take(&known, slow);
	assert_int_equal(known.index, 4);
	weir_witness_take(&known, other);
	assert_int_equal(known.proc, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_gives_the_same),
		cmocka_unit_test(one_is_found_again),
		cmocka_unit_test(the_slowest_testifies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
