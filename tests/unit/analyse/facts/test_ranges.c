/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges against a map with a writer for every byte. */
#include "analyse/facts/ranges.h"

#include "check.h"

#include <string.h>

#define BYTES	4096
#define PARTIES 5

/* Who wrote each byte last, and when. */
struct naive {
	uint32_t party[BYTES];
	uint64_t end[BYTES];
};

static struct naive naive, told;
static uint64_t seed;

static uint64_t below(uint64_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed >> 33) % limit;
}

/* Ends of joined ranges are those of the last: they only grow. */
static int note(void *context, const struct weir_range *range)
{
	uint64_t *next = context;

	assert_true(range->from >= *next);
	assert_true(range->from < range->to);
	*next = range->to;
	for (uint64_t i = range->from; i < range->to; i++) {
		told.party[i] = range->party;
		told.end[i] = range->end;
	}
	return 0;
}

static void compare(const struct weir_ranges *ranges, uint64_t from,
		    uint64_t to)
{
	const struct weir_extent bytes = { from, to };
	uint64_t next = from;

	memset(&told, 0, sizeof(told));
	assert_int_equal(weir_ranges_each(ranges, bytes, note, &next), 0);
	assert_true(next <= to || from >= to);
	for (uint64_t i = from; i < to; i++) {
		assert_int_equal(told.party[i], naive.party[i]);
		assert_true(told.end[i] >= naive.end[i]);
	}
}

static void write_some(struct weir_ranges *ranges, uint64_t now,
		       uint64_t longest)
{
	struct weir_range range = {
		.from = below(BYTES - longest), .end = now,
		.party = 1 + (uint32_t)below(PARTIES), .committed = now - 3,
	};

	range.to = range.from + below(longest);
	assert_int_equal(weir_ranges_write(ranges, &range), 0);
	for (uint64_t i = range.from; i < range.to; i++) {
		naive.party[i] = range.party;
		naive.end[i] = range.end;
	}
}

static void every_byte_has_its_last_writer(void **state)
{
	for (uint64_t round = 1; round < 60; round++) {
		struct weir_ranges ranges = { 0 };
		uint64_t longest;

		seed = round;
		longest = 2 + below(300);
		memset(&naive, 0, sizeof(naive));
		for (uint64_t now = 10; now < 400; now++) {
			uint64_t from = below(BYTES);

			write_some(&ranges, now, longest);
			compare(&ranges, from, from + below(BYTES - from));
		}
		compare(&ranges, 0, BYTES);
		weir_ranges_fini(&ranges);
		assert_int_equal(ranges.count, 0);
	}
}

static int count(void *context, const struct weir_range *range)
{
	++*(int *)context;
	return 0;
}

static int count_of(const struct weir_ranges *ranges)
{
	const struct weir_extent all = { 0, UINT64_MAX };
	int found = 0;

	weir_ranges_each(ranges, all, count, &found);
	return found;
}

/* Bytes one after the other are one, as long as nobody could see them. */
static void what_goes_on_is_one(void **state)
{
	struct weir_range range = { .party = 1, .committed = 5 };
	struct weir_ranges ranges = { 0 };

	for (uint64_t i = 0; i < 100; i++) {
		range.from = i * 10;
		range.to = range.from + 10;
		range.end = 10 + i;
		assert_int_equal(weir_ranges_write(&ranges, &range), 0);
	}
	assert_int_equal(count_of(&ranges), 1);
	range.from = range.to;
	range.to += 10;
	range.committed = 200; /* those before are seen by now */
	range.end = 201;
	assert_int_equal(weir_ranges_write(&ranges, &range), 0);
	assert_int_equal(count_of(&ranges), 2);
	range.from = range.to;
	range.to += 10;
	range.party = 2;
	assert_int_equal(weir_ranges_write(&ranges, &range), 0);
	assert_int_equal(count_of(&ranges), 3);
	weir_ranges_fini(&ranges);
}

/* In order it is written, the tree is as deep as chance has it. */
static void many_pieces_are_found_soon(void **state)
{
	struct weir_ranges ranges = { 0 };

	for (uint64_t i = 0; i < 200000; i++) {
		const struct weir_range range = {
			.from = i * 2, .to = i * 2 + 1, .party = 1,
			.end = i,
		};

		assert_int_equal(weir_ranges_write(&ranges, &range), 0);
	}
	assert_int_equal(count_of(&ranges), 200000);
	weir_ranges_fini(&ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_has_its_last_writer),
		cmocka_unit_test(what_goes_on_is_one),
		cmocka_unit_test(many_pieces_are_found_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
