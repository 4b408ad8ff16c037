/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents against a map with a bit for every byte. */
#include "analyse/facts/extents.h"

#include "check.h"

#include <string.h>

#define BYTES 16384 /* of the files that are tried */

struct naive {
	uint8_t has[BYTES];
};

static uint64_t seed;

static uint64_t below(uint64_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) +
	       UINT64_C(1442695040888963407);
	return (seed >> 33) % limit;
}

static void add(struct weir_extents *extents, struct naive *naive,
		uint64_t from, uint64_t to)
{
	assert_int_equal(weir_extents_add(extents, from, to), 0);
	if (from < to)
		memset(naive->has + from, 1, to - from);
}

static void add_some(struct weir_extents *extents, struct naive *naive,
		     uint64_t count, uint64_t longest)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t from = below(BYTES - longest);

		add(extents, naive, from, from + below(longest));
	}
}

static uint64_t bytes_of(const struct naive *naive)
{
	uint64_t bytes = 0;

	for (int i = 0; i < BYTES; i++)
		bytes += naive->has[i];
	return bytes;
}

/* In order, apart, not empty; at least the bytes of the other are there. */
static void check_form(const struct weir_extents *extents,
		       const struct naive *naive)
{
	static struct naive ours;

	memset(&ours, 0, sizeof(ours));
	assert_true(extents->count <= WEIR_EXTENTS_MOST);
	for (uint32_t i = 0; i < extents->count; i++) {
		struct weir_extent piece = extents->list[i];

		assert_true(piece.from < piece.to && piece.to <= BYTES);
		assert_true(!i || extents->list[i - 1].to < piece.from);
		memset(ours.has + piece.from, 1, piece.to - piece.from);
	}
	for (int i = 0; i < BYTES; i++)
		assert_true(ours.has[i] >= naive->has[i]);
	assert_int_equal(weir_extents_bytes(extents), bytes_of(&ours));
}

/* Never too few, and at most those too many that it tells. */
static void check_bytes(const struct weir_extents *extents,
			const struct naive *naive)
{
	uint64_t told = weir_extents_bytes(extents), real = bytes_of(naive);

	assert_true(told >= real && told - real <= extents->filled);
	if (!extents->filled)
		assert_int_equal(told, real);
}

static void any_order_gives_the_same(void **state)
{
	for (uint64_t round = 1; round < 4000; round += 2) {
		struct weir_extents extents = { 0 };
		static struct naive naive;

		seed = round;
		memset(&naive, 0, sizeof(naive));
		add_some(&extents, &naive, 1 + below(60), 1 + below(400));
		check_form(&extents, &naive);
		assert_int_equal(extents.filled, 0);
		check_bytes(&extents, &naive);
		weir_extents_fini(&extents);
	}
}

static void neighbours_become_one(void **state)
{
	struct weir_extents extents = { 0 };

	for (uint64_t i = 100; i--;)
		assert_int_equal(weir_extents_add(&extents, i * 8, i * 8 + 8),
				 0);
	assert_int_equal(extents.count, 1);
	assert_int_equal(weir_extents_bytes(&extents), 800);
	assert_int_equal(weir_extents_add(&extents, 5, 5), 0);
	assert_int_equal(weir_extents_add(&extents, 9, 3), 0);
	assert_int_equal(weir_extents_bytes(&extents), 800);
	weir_extents_fini(&extents);
}

static void too_many_pieces_are_joined_and_told(void **state)
{
	uint64_t squeezed = 0;

	for (uint64_t round = 7; round < 800; round += 2) {
		struct weir_extents extents = { 0 };
		static struct naive naive;

		seed = round;
		memset(&naive, 0, sizeof(naive));
		add_some(&extents, &naive, 300 + below(1500), 2 + below(8));
		check_form(&extents, &naive);
		check_bytes(&extents, &naive);
		squeezed += extents.filled > 0;
		weir_extents_fini(&extents);
	}
	assert_true(squeezed > 100);
}

/* The smallest gaps are closed first: two heaps stay two. */
static void far_pieces_stay_apart(void **state)
{
	struct weir_extents extents = { 0 };

	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t at = i % 2 ? UINT64_C(1) << 40 : 0;

		assert_int_equal(weir_extents_add(&extents, at + i * 4,
						  at + i * 4 + 1), 0);
	}
	assert_true(weir_extents_bytes(&extents) < 10000 * 8);
	assert_true(extents.filled >= weir_extents_bytes(&extents) - 10000);
	weir_extents_fini(&extents);
}

static void merging_is_adding_all(void **state)
{
	for (uint64_t round = 3; round < 2000; round += 2) {
		struct weir_extents both[2] = { { 0 }, { 0 } };
		static struct naive naive;
		uint64_t longest = 2 + round % 100;

		seed = round;
		memset(&naive, 0, sizeof(naive));
		for (int i = 0; i < 2; i++)
			add_some(&both[i], &naive, below(300), longest);
		assert_int_equal(weir_extents_merge(&both[0], &both[1]), 0);
		check_form(&both[0], &naive);
		check_bytes(&both[0], &naive);
		weir_extents_fini(&both[0]);
		weir_extents_fini(&both[1]);
	}
}

static void common_bytes_are_those_of_both(void **state)
{
	for (uint64_t round = 5; round < 2000; round += 2) {
		struct weir_extents both[2] = { { 0 }, { 0 } };
		static struct naive naive[2];
		uint64_t common = 0;

		seed = round;
		memset(naive, 0, sizeof(naive));
		for (int i = 0; i < 2; i++)
			add_some(&both[i], &naive[i], below(60), 300);
		for (int i = 0; i < BYTES; i++)
			common += naive[0].has[i] & naive[1].has[i];
		assert_int_equal(weir_extents_common(&both[0], &both[1]),
				 common);
		assert_int_equal(weir_extents_common(&both[1], &both[0]),
				 common);
		weir_extents_fini(&both[0]);
		weir_extents_fini(&both[1]);
	}
}

static void the_last_bytes_of_all_can_be_told(void **state)
{
	struct weir_extents extents = { 0 };

	assert_int_equal(weir_extents_add(&extents, UINT64_MAX - 1,
					  UINT64_MAX), 0);
	assert_int_equal(weir_extents_add(&extents, 0, 1), 0);
	assert_int_equal(weir_extents_bytes(&extents), 2);
	assert_int_equal(weir_extents_add(&extents, 0, UINT64_MAX), 0);
	assert_int_equal(extents.count, 1);
	assert_true(weir_extents_bytes(&extents) == UINT64_MAX);
	weir_extents_fini(&extents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_gives_the_same),
		cmocka_unit_test(neighbours_become_one),
		cmocka_unit_test(too_many_pieces_are_joined_and_told),
		cmocka_unit_test(far_pieces_stay_apart),
		cmocka_unit_test(merging_is_adding_all),
		cmocka_unit_test(common_bytes_are_those_of_both),
		cmocka_unit_test(the_last_bytes_of_all_can_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
