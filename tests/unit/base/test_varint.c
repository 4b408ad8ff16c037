/* SPDX-License-Identifier: BSD-3-Clause */
/* LEB128 and zigzag: there and back, and nothing from damaged bytes. */
#include "base/varint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers_come_back(void **state)
{
	for (unsigned shift = 0; shift < 64; shift++) {
		for (int off = -1; off <= 1; off++) {
			uint64_t value = (UINT64_C(1) << shift) +
					 (uint64_t)off;
			uint64_t back = ~value;
			uint8_t bytes[WEIR_VARINT_MAX];
			size_t len = weir_varint_put(bytes, value);

			assert_true(len <= WEIR_VARINT_MAX);
			assert_int_equal(weir_varint_get(bytes, len, &back),
					 len);
			assert_true(back == value);
			assert_int_equal(
				weir_varint_get(bytes, len - 1, &back), 0);
		}
	}
}

static void lengths_are_the_shortest(void **state)
{
	uint8_t bytes[WEIR_VARINT_MAX];

	assert_int_equal(weir_varint_put(bytes, 0), 1);
	assert_int_equal(weir_varint_put(bytes, 127), 1);
	assert_int_equal(weir_varint_put(bytes, 128), 2);
	assert_int_equal(weir_varint_put(bytes, UINT64_MAX), 10);
}

static void more_than_64_bits_is_no_number(void **state)
{
	uint8_t bytes[WEIR_VARINT_MAX + 1];
	uint64_t value;

	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(weir_varint_get(bytes, sizeof(bytes), &value), 0);
	bytes[9] = 2; /* bit 64 */
	assert_int_equal(weir_varint_get(bytes, sizeof(bytes), &value), 0);
	bytes[9] = 1;
	assert_int_equal(weir_varint_get(bytes, sizeof(bytes), &value), 10);
	assert_true(value == UINT64_MAX);
}

static void signs_take_the_low_bit(void **state)
{
	static const int64_t values[] = { 0, -1, 1, INT64_MAX, INT64_MIN };

	assert_true(weir_varint_zigzag(0) == 0);
	assert_true(weir_varint_zigzag(-1) == 1);
	assert_true(weir_varint_zigzag(1) == 2);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		assert_true(weir_varint_unzigzag(
				    weir_varint_zigzag(values[i])) ==
			    values[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(lengths_are_the_shortest),
		cmocka_unit_test(more_than_64_bits_is_no_number),
		cmocka_unit_test(signs_take_the_low_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
