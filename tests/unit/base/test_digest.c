/* SPDX-License-Identifier: BSD-3-Clause */
/* The digest is that of a model which goes byte by byte, however it is cut. */
#include "base/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

#define SIZE 5000

static uint64_t random_number(uint64_t n)
{
	uint64_t z = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* As doc/verify.md says it, one byte after the other. */
static struct weir_digest model(uint64_t position, const uint8_t *bytes,
				size_t size)
{
	wide sum = 0;

	for (size_t i = 0; i < size; i++, position++) {
		uint64_t block = position / 1024;
		wide factor = (wide)random_number(128 + 2 * block + 1) << 64 |
			      random_number(128 + 2 * block) | 1;
		uint64_t key = random_number(position % 1024 / 8) | 1;

		sum += (wide)((uint64_t)bytes[i] << position % 8 * 8) * key *
		       factor;
	}
	return (struct weir_digest){ (uint64_t)sum, (uint64_t)(sum >> 64) };
}

static void fill(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(random_number(i + 77777) >> 11);
}

static void assert_same(struct weir_digest one, struct weir_digest other)
{
	assert_int_equal(one.low, other.low);
	assert_int_equal(one.high, other.high);
}

static void any_place_and_length_is_as_the_model_says(void **state)
{
	uint8_t bytes[SIZE];

	fill(bytes, SIZE);
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t position = random_number(i) % 3000 +
				    (i % 3 ? 0 : UINT64_C(1) << (i % 60));
		size_t from = random_number(i + 1) % 16;
		size_t size = random_number(i + 2) % (i % 2 ? 30 : 3000);
		struct weir_digest d = { 0 };

		weir_digest_add(&d, position, bytes + from, size);
		assert_same(d, model(position, bytes + from, size));
	}
}

static void pieces_in_any_order_are_the_whole(void **state)
{
	uint8_t bytes[SIZE];
	struct weir_digest whole = { 0 };

	fill(bytes, SIZE);
	weir_digest_add(&whole, 13, bytes, SIZE);
	for (unsigned i = 0; i < 200; i++) {
		size_t cut = random_number(i) % SIZE;
		size_t cut2 = cut + random_number(i + 1) % (SIZE - cut);
		struct weir_digest d = { 0 }, e = { 0 };

		weir_digest_add(&d, 13 + cut2, bytes + cut2, SIZE - cut2);
		weir_digest_add(&d, 13, bytes, cut);
		weir_digest_add(&e, 13 + cut, bytes + cut, cut2 - cut);
		weir_digest_sum(&d, &e);
		assert_same(d, whole);
		weir_digest_sub(&d, &e);
		weir_digest_add(&d, 13 + cut, bytes + cut, cut2 - cut);
		assert_same(d, whole);
	}
}

static void what_is_overwritten_can_be_taken_away(void **state)
{
	uint8_t bytes[SIZE], newer[SIZE];
	struct weir_digest d = { 0 };

	fill(bytes, SIZE);
	memcpy(newer, bytes, SIZE);
	memset(newer + 700, 0xa5, 1500);
	weir_digest_add(&d, 5, bytes, SIZE);
	weir_digest_take(&d, 5 + 700, bytes + 700, 1500);
	weir_digest_add(&d, 5 + 700, newer + 700, 1500);
	assert_same(d, model(5, newer, SIZE));
}

static void zeros_add_nothing(void **state)
{
	static const uint8_t zeros[SIZE];
	struct weir_digest d = { 7, 8 };

	weir_digest_add(&d, 99, zeros, SIZE);
	weir_digest_take(&d, 3, zeros, SIZE);
	assert_same(d, (struct weir_digest){ 7, 8 });
}

/* In the same block and in others, and as a swap of two words. */
static void two_changes_do_not_cancel(void **state)
{
	uint8_t bytes[SIZE];
	struct weir_digest whole = { 0 };

	fill(bytes, SIZE);
	weir_digest_add(&whole, 0, bytes, SIZE);
	for (size_t i = 7; i < SIZE; i += 8)
		for (size_t j = i + 8; j < SIZE && j < i + 3000; j += 40) {
			struct weir_digest d = whole;
			uint8_t was[2] = { bytes[i], bytes[j] };
			uint8_t is[2] = { was[0] ^ 0x80, was[1] ^ 0x80 };

			weir_digest_take(&d, i, &was[0], 1);
			weir_digest_take(&d, j, &was[1], 1);
			weir_digest_add(&d, i, &is[0], 1);
			weir_digest_add(&d, j, &is[1], 1);
			assert_false(weir_digest_equal(&d, &whole));
		}
}

static void ones_are_covered_in_no_time(void **state)
{
	uint8_t ones[SIZE];

	memset(ones, 1, SIZE);
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t position = random_number(i) % 3000;
		size_t size = random_number(i + 1) % (i % 2 ? 20 : SIZE);
		struct weir_digest d = { 0 };

		weir_digest_cover(&d, position, size);
		assert_same(d, model(position, ones, size));
		weir_digest_bare(&d, position, size);
		assert_same(d, (struct weir_digest){ 0, 0 });
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_place_and_length_is_as_the_model_says),
		cmocka_unit_test(pieces_in_any_order_are_the_whole),
		cmocka_unit_test(what_is_overwritten_can_be_taken_away),
		cmocka_unit_test(zeros_add_nothing),
		cmocka_unit_test(two_changes_do_not_cancel),
		cmocka_unit_test(ones_are_covered_in_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
