/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks of hosts, corrected by what their processes measured. */
#include "trace/clockfix.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static struct weir_clockfix take(const char *begin, const char *end)
{
	struct weir_clockfix fix = { 0 };
	struct weir_procinfo info;
	char text[512];
	int used = snprintf(text, sizeof(text), "pid=1\n");

	if (begin)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 "trait.clock_begin=%s\n", begin);
	if (end)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 "trait.clock_end=%s\n", end);
	assert_int_equal(weir_procinfo_parse(text, (size_t)used, &info), 0);
	weir_clockfix_take(&fix, &info);
	weir_procinfo_fini(&info);
	return fix;
}

static void a_clock_is_set_right(void **state)
{
	struct weir_clockfix fix = take("1000 -500 7", NULL);

	assert_int_equal(fix.count, 1);
	assert_true(weir_clockfix_ahead(&fix, 0) == -500);
	assert_true(weir_clockfix_ahead(&fix, UINT64_MAX) == -500);
	assert_int_equal(weir_clockfix_error(&fix), 7);
}

static void between_two_points_it_drifts_evenly(void **state)
{
	struct weir_clockfix fix = take("1000000 100 3", "3000000 300 9");

	assert_int_equal(fix.count, 2);
	assert_true(weir_clockfix_ahead(&fix, 1) == 100);
	assert_true(weir_clockfix_ahead(&fix, 2000000) == 200);
	assert_true(weir_clockfix_ahead(&fix, 2500000) == 250);
	assert_true(weir_clockfix_ahead(&fix, 9000000) == 300);
	assert_int_equal(weir_clockfix_error(&fix), 9);
}

/* Time never runs backwards, whatever a trace says. */
static void nonsense_is_left_alone(void **state)
{
	static const char *const begins[] = {
		"", "x", "1 2", "1 2 3 4", "1 9223372036854775807 1",
		"1 -9223372036854775808 1", "1 2 18446744073709551615",
	};
	struct weir_clockfix fix;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		assert_int_equal(take(begins[i], "5 6 7").count, 0);
	assert_int_equal(take(NULL, "5 6 7").count, 0);
	assert_int_equal(take("1000 1 1", "900 1 1").count, 1);
	assert_int_equal(take("1000 1 1", "1100 -99999 1").count, 1);
	fix = take("1000 3000000000000000000 1", "9000 -3000000000000000000 1");
	assert_int_equal(fix.count, 1);
	assert_true(weir_clockfix_ahead(&fix, 0) == 3000000000000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_is_set_right),
		cmocka_unit_test(between_two_points_it_drifts_evenly),
		cmocka_unit_test(nonsense_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
