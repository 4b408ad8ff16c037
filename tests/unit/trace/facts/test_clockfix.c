/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks of hosts, corrected by what their collectors measured. */
#include "trace/facts/clockfix.h"

#include "check.h"
#include "trace/facts/nodeinfo.h"

#include <stdio.h>
#include <string.h>

static int add(char *text, size_t room, const char *key, const char *value)
{
	size_t used = strlen(text);

	return value ? snprintf(text + used, room - used, "%s=%s\n", key, value)
		     : 0;
}

static struct weir_clockfix take_of(const char *of, const char *begin,
				    const char *end)
{
	char text[512] = "format=1\nmult=4294967296\nreal0=5000\nmono0=1000\n"
			 "tick0=0\n";
	struct weir_nodeinfo info;

	add(text, sizeof(text), "clock_end", end); /* in any order */
	add(text, sizeof(text), "clock_of", of);
	add(text, sizeof(text), "clock_begin", begin);
	assert_int_equal(weir_nodeinfo_parse(text, strlen(text), &info), 0);
	return info.clock;
}

static struct weir_clockfix take(const char *begin, const char *end)
{
	return take_of("77", begin, end);
}

static void a_clock_is_set_right(void **state)
{
	struct weir_clockfix fix = take("1000 -500 7", NULL);
	struct weir_nodeinfo info = {
		.mono0 = 1000, .real0 = 5000, .mult = UINT64_C(1) << 32 };

	assert_int_equal(fix.count, 1);
	assert_true(weir_clockfix_ahead(&fix, 0) == -500);
	assert_true(weir_clockfix_ahead(&fix, UINT64_MAX) == -500);
	assert_int_equal(weir_clockfix_error(&fix), 7);
	assert_int_equal(weir_nodeinfo_day(&info, 1200), 5200);
	info.clock = fix;
	assert_int_equal(weir_nodeinfo_day(&info, 1200), 4700);
	assert_int_equal(weir_nodeinfo_real(&info, 200), 4700);
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
		"1 2 3%0a", "1 2 3 ",
		("0000000000000000000000000000000000000000000000000000000000"
		 "0000000000000000000000000000000000000000000000000000000001"
		 " 2 3"),
	};
	struct weir_clockfix fix;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		assert_int_equal(take(begins[i], "5 6 7").count, 0);
	assert_int_equal(take(NULL, "5 6 7").count, 0);
	assert_int_equal(take("1000 1 1", "900 1 1").count, 1);
	assert_int_equal(take("1000 1 1", "1100 -99999 1").count, 1);
	assert_int_equal(take("1000 1 1", "rubbish").count, 1);
	fix = take("1000 3000000000000000000 1", "9000 -3000000000000000000 1");
	assert_int_equal(fix.count, 1);
	assert_true(weir_clockfix_ahead(&fix, 0) == 3000000000000000000);
}

/* Compared with nobody knows whose clock: not compared. */
static void it_must_be_told_whose_time_it_is(void **state)
{
	static const char *const of[] = { NULL, "0", "", "-1", "seven",
					  "99999999999999999999" };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		assert_int_equal(take_of(of[i], "1 2 3", "5 6 7").count, 0);
	assert_true(take_of("18446744073709551615", "1 2 3", NULL).of ==
		    UINT64_MAX);
}

static void what_is_written_is_read(void **state)
{
	struct weir_clockfix back, fix = take("1000000 -100 3", "3000000 3 9");
	struct weir_props_walk walk;
	struct weir_props_line line;
	struct weir_props props;

	for (uint32_t count = 0; count < 3; count++) {
		weir_props_init(&props);
		fix.count = count;
		assert_int_equal(weir_clockfix_put(&fix, &props), 0);
		back = (struct weir_clockfix){ 0 };
		weir_props_start(&walk, props.text, props.used);
		while (weir_props_next(&walk, &line))
			weir_clockfix_read(&back, &line);
		weir_clockfix_settle(&back);
		assert_int_equal(back.count, count);
		assert_int_equal(back.of, count ? 77 : 0);
		assert_true(weir_clockfix_ahead(&back, 2000000) ==
			    weir_clockfix_ahead(&fix, 2000000));
		weir_props_fini(&props);
	}
}

static void the_bound_is_that_of_the_worst_two(void **state)
{
	struct weir_clockfix own = take("1 0 0", NULL);
	struct weir_clockfix near = take("1 5 10", NULL);
	struct weir_clockfix far = take("1 5 300", NULL);
	struct weir_clockfix other = take_of("78", "1 5 300", NULL);
	struct weir_clockfix none = { 0 };
	struct weir_clockfix_bound bound = { 0 }, apart;
	uint64_t error = 1;

	assert_false(weir_clockfix_within(&bound, &error));
	weir_clockfix_bind(&bound, &own);
	weir_clockfix_bind(&bound, &far);
	assert_true(weir_clockfix_within(&bound, &error));
	assert_int_equal(error, 300);
	weir_clockfix_bind(&bound, &near);
	assert_true(weir_clockfix_within(&bound, &error));
	assert_int_equal(error, 310);
	apart = bound;
	weir_clockfix_bind(&apart, &other);
	assert_false(weir_clockfix_within(&apart, &error));
	weir_clockfix_bind(&bound, &none);
	assert_false(weir_clockfix_within(&bound, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_is_set_right),
		cmocka_unit_test(between_two_points_it_drifts_evenly),
		cmocka_unit_test(nonsense_is_left_alone),
		cmocka_unit_test(it_must_be_told_whose_time_it_is),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(the_bound_is_that_of_the_worst_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
