/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, sizes and spans: what is read, what is refused. */
#include "base/number.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	const char *text;
	int result;
	uint64_t value;
};

static void numbers_are_read_whole_or_not_at_all(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t value = 0;

		assert_int_equal(weir_number_parse(rows[i].text, &value),
				 rows[i].result);
		assert_true(value == rows[i].value);
	}
}

static void sizes_have_units(void **state)
{
	static const struct row rows[] = {
		{ "512", 0, 512 },
		{ "1k", 0, 1024 },
		{ "3M", 0, 3 << 20 },
		{ "2G", 0, UINT64_C(2) << 30 },
		{ "16777215T", 0, UINT64_C(16777215) << 40 },
		{ "16777216T", -ERANGE, 0 },
		{ "M", -EINVAL, 0 },
		{ "1MB", -EINVAL, 0 },
		{ "1X", -EINVAL, 0 },
		{ "1.5M", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t value = 0;

		assert_int_equal(weir_number_parse_size(rows[i].text, &value),
				 rows[i].result);
		assert_true(value == rows[i].value);
	}
}

static void spans_may_lack_an_end(void **state)
{
	static const struct {
		const char *text;
		uint64_t from;
		uint64_t to;
	} rows[] = {
		{ "1-2", 1000000000, 2000000000 },
		{ "0.5-1.25s", 500000000, 1250000000 },
		{ "10ms-20ms", 10000000, 20000000 },
		{ "1.5us-", 1500, UINT64_MAX },
		{ "-7ns", 0, 7 },
		{ "-", 0, UINT64_MAX },
		{ "3-3", 3000000000, 3000000000 },
		{ "0.123456789-1", 123456789, 1000000000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t from, to;

		assert_int_equal(
			weir_number_parse_span(rows[i].text, &from, &to), 0);
		assert_true(from == rows[i].from);
		assert_true(to == rows[i].to);
	}
}

static void wrong_spans_are_refused(void **state)
{
	static const struct row rows[] = {
		{ "", -EINVAL, 0 },
		{ "1", -EINVAL, 0 },
		{ "2-1", -EINVAL, 0 },
		{ "1-2-3", -EINVAL, 0 },
		{ "1.-2", -EINVAL, 0 },
		{ ".5-2", -EINVAL, 0 },
		{ "0.1234567890-1", -EINVAL, 0 },
		{ "1h-2h", -EINVAL, 0 },
		{ "1--2", -EINVAL, 0 },
		{ "99999999999-", -ERANGE, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t from, to;

		assert_int_equal(
			weir_number_parse_span(rows[i].text, &from, &to),
			rows[i].result);
	}
}

static void times_have_units(void **state)
{
	static const struct row rows[] = {
		{ "2", 0, 2000000000 },	  { "0.5", 0, 500000000 },
		{ "20ms", 0, 20000000 },  { "1.5us", 0, 1500 },
		{ "7ns", 0, 7 },	  { "", -EINVAL, 0 },
		{ "1-2", -EINVAL, 0 },	  { "1 s", -EINVAL, 0 },
		{ "99999999999", -ERANGE, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t ns = 0;

		assert_int_equal(weir_number_parse_time(rows[i].text, &ns),
				 rows[i].result);
		assert_true(ns == rows[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(times_have_units),
		cmocka_unit_test(spans_may_lack_an_end),
		cmocka_unit_test(wrong_spans_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
