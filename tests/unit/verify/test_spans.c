/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a process wrote, as it told. */
#include "verify/spans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct weir_spans read_text(const char *text)
{
	struct weir_spans spans = { 0 };

	assert_int_equal(weir_spans_read(&spans, text, strlen(text)), 0);
	return spans;
}

static void check_span(const struct weir_spans *spans, size_t at,
		       uint64_t from, uint64_t to)
{
	assert_true(at < spans->count);
	assert_int_equal(spans->list[at].from, from);
	assert_int_equal(spans->list[at].to, to);
}

static void reads_single_spans(void **state)
{
	struct weir_spans spans = read_text("0-10,20-30");

	(void)state;
	assert_true(spans.is_whole);
	assert_int_equal(spans.count, 2);
	check_span(&spans, 0, 0, 10);
	check_span(&spans, 1, 20, 30);
	weir_spans_fini(&spans);
}

static void reads_series_among_each_other(void **state)
{
	struct weir_spans spans = read_text("0-2*3/10,5-7*2/10");

	(void)state;
	assert_true(spans.is_whole);
	assert_int_equal(spans.count, 5);
	check_span(&spans, 1, 5, 7);
	check_span(&spans, 2, 10, 12);
	check_span(&spans, 4, 20, 22);
	weir_spans_fini(&spans);
}

static void joins_what_touches(void **state)
{
	struct weir_spans spans = read_text("4-8,0-4,6-9");

	(void)state;
	assert_int_equal(spans.count, 1);
	check_span(&spans, 0, 0, 9);
	weir_spans_fini(&spans);
}

static void knows_what_is_not_whole(void **state)
{
	static const char *const texts[] = {
		"", "0-10,...", "0-10,", "10-5", "x", "0-1*", "0-1*2/",
		"0-10*2/5", "0-1*99999999999/1", "99999999999999999999-1",
		"0-2*3/18446744073709551615",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct weir_spans spans = read_text(texts[i]);

		assert_false(spans.is_whole);
		weir_spans_fini(&spans);
	}
}

static void sees_what_is_shared(void **state)
{
	struct weir_spans a = read_text("0-2*100/10");
	struct weir_spans b = read_text("2-4*9/10");
	struct weir_spans c = read_text("991-993");

	(void)state;
	assert_false(weir_spans_meet(&a, &b));
	assert_true(weir_spans_meet(&a, &c));
	assert_true(weir_spans_meet(&c, &a));
	assert_false(weir_spans_meet(&b, &c));
	weir_spans_fini(&a);
	weir_spans_fini(&b);
	weir_spans_fini(&c);
}

static void unites(void **state)
{
	struct weir_spans all = { 0 };
	struct weir_spans a = read_text("0-2*3/10");
	struct weir_spans b = read_text("1-7,30-31");

	(void)state;
	assert_int_equal(weir_spans_unite(&all, &a), 0);
	assert_int_equal(weir_spans_unite(&all, &b), 0);
	assert_int_equal(all.count, 4);
	assert_int_equal(all.list[0].to, 7);
	assert_int_equal(all.list[3].from, 30);
	weir_spans_fini(&all);
	weir_spans_fini(&a);
	weir_spans_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_single_spans),
		cmocka_unit_test(reads_series_among_each_other),
		cmocka_unit_test(joins_what_touches),
		cmocka_unit_test(knows_what_is_not_whole),
		cmocka_unit_test(sees_what_is_shared),
		cmocka_unit_test(unites),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
