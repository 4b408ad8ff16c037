/* SPDX-License-Identifier: BSD-3-Clause */
/* What a service that stores later would bring, by figures known beforehand. */
#include "analyse/findings/forecast.h"

#include "check.h"

#define MS  UINT64_C(1000000)
#define MIB (UINT64_C(1) << 20)
#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

/* 100 MiB in a second, 1 ms for a request. */
static const struct weir_forecast_service slow = {
	.cache = 64 * MIB, .request = MS, .mib = 10 * MS,
};

static struct weir_forecast_step written(uint64_t at, uint64_t busy,
					 uint64_t mib)
{
	return (struct weir_forecast_step){
		.at = at, .busy = busy, .writes = 1, .writers = 1,
		.bytes = mib * MIB,
	};
}

static uint64_t copied(uint64_t mib)
{
	return WEIR_FORECAST_WRITE + mib * MIB / WEIR_FORECAST_BYTES_OF_NS;
}

static void nothing_takes_nothing(void **state)
{
	struct weir_forecast_course course =
		weir_forecast_play(NULL, 0, &slow);

	assert_int_equal(course.copying + course.waiting + course.closing, 0);
	assert_int_equal(course.peak, 0);
}

/* 10 MiB take 100 ms to store; 50 ms go by until it begins. */
static void what_has_time_is_hidden(void **state)
{
	const struct weir_forecast_step steps[] = {
		written(0, 100 * MS, 10), written(250 * MS, 100 * MS, 10),
		{ .at = 500 * MS, .closes = 1, .writers = 1 },
	};
	struct weir_forecast_course course =
		weir_forecast_play(steps, LENGTH(steps), &slow);

	assert_int_equal(course.copying, 2 * copied(10));
	assert_int_equal(course.waiting, 0);
	assert_int_equal(course.closing, 0);
	assert_int_equal(course.peak, 10 * MIB);
}

/* Of 100 ms between, 50 are left: half of it is stored when it is closed. */
static void close_waits_for_what_is_left(void **state)
{
	struct weir_forecast_step steps[] = {
		written(0, 100 * MS, 10),
		{ .at = 200 * MS, .closes = 1, .writers = 1 },
	};
	struct weir_forecast_service async = slow;
	struct weir_forecast_course course =
		weir_forecast_play(steps, LENGTH(steps), &slow);

	assert_int_equal(course.closing, 51 * MS);
	async.is_async = true;
	course = weir_forecast_play(steps, LENGTH(steps), &async);
	assert_int_equal(course.closing, 0);
	steps[1].closes = 0;
	steps[1].syncs = 1; /* waits all the same */
	course = weir_forecast_play(steps, LENGTH(steps), &async);
	assert_int_equal(course.closing, 51 * MS);
	steps[1].syncs = 0; /* the end of the run is an end */
	course = weir_forecast_play(steps, LENGTH(steps), &slow);
	assert_int_equal(course.closing, 50 * MS);
}

/* D bytes without a pause: (D - C) / Bf, and C when it is closed. */
static void without_a_pause_the_file_system_is_the_limit(void **state)
{
	struct weir_forecast_step steps[20];
	struct weir_forecast_course course;

	for (unsigned i = 0; i < 20; i++)
		steps[i] = written(i * 100 * MS, 100 * MS, 10);
	course = weir_forecast_play(steps, 20, &slow);
	/* While it copies, it stores too. */
	assert_in_range(course.waiting, 1300 * MS, 1360 * MS);
	assert_int_equal(course.closing, 640 * MS);
	assert_int_equal(course.copying, 20 * copied(10));
}

/* Each sync is a request, and has nothing to gather. */
static void syncs_leave_nothing_to_gain(void **state)
{
	const struct weir_forecast_step step = {
		.busy = 30 * MS, .syncing = 20 * MS, .writes = 10,
		.bytes = 10240, .writers = 1, .syncs = 10,
	};
	struct weir_forecast_course course =
		weir_forecast_play(&step, 1, &slow);

	assert_in_range(course.closing, 10 * MS, 11 * MS);
	assert_int_equal(course.syncing, 20 * MS);
}

/* Several processes copy, and close, at a time. */
static void processes_work_side_by_side(void **state)
{
	const struct weir_forecast_step step = {
		.busy = 10 * MS, .writes = 40, .writers = 4, .closes = 4,
		.bytes = 4 * MIB,
	};
	struct weir_forecast_course course =
		weir_forecast_play(&step, 1, &slow);

	assert_int_equal(course.copying, 10 * WEIR_FORECAST_WRITE +
					 MIB / WEIR_FORECAST_BYTES_OF_NS);
	assert_int_equal(course.closing, 41 * MS);
}

/* A call that outlasts its step is no time to store in. */
static void long_calls_are_no_pauses(void **state)
{
	const struct weir_forecast_step steps[] = {
		written(0, 1000 * MS, 10), written(500 * MS, 500 * MS, 10),
		{ .at = 1500 * MS, .closes = 1, .writers = 1 },
	};
	struct weir_forecast_course course =
		weir_forecast_play(steps, LENGTH(steps), &slow);

	assert_int_equal(course.closing, 201 * MS);
	assert_int_equal(course.peak, 20 * MIB);
}

static struct weir_forecast conclude(const struct weir_forecast_step *steps,
				     size_t count)
{
	struct weir_forecast forecast = { .rate = 1 };

	for (size_t i = 0; i < count; i++)
		forecast.now += steps[i].busy;
	weir_forecast_conclude(&forecast, steps, count, &slow);
	return forecast;
}

static void cases_are_told_apart(void **state)
{
	struct weir_forecast_step steps[] = {
		written(0, 400 * MS, 20), written(1000 * MS, 400 * MS, 20),
		{ .at = 5000 * MS, .closes = 1, .writers = 1 },
	};
	struct weir_forecast forecast = conclude(steps, 3);

	assert_int_equal(forecast.form, WEIR_FORECAST_HIDDEN);
	assert_int_equal(forecast.cache, 0);
	assert_int_equal(forecast.then, 2 * copied(20));
	steps[2].at = 1400 * MS;
	forecast = conclude(steps, 3);
	assert_int_equal(forecast.form, WEIR_FORECAST_SUSTAINED);
	assert_int_equal(forecast.closing, 201 * MS);
	assert_int_equal(forecast.async, 2 * copied(20));
	/* 200 MiB at a time, and three seconds to store them. */
	steps[0] = written(0, 4000 * MS, 200);
	steps[1] = written(7000 * MS, 4000 * MS, 200);
	steps[2].at = 14000 * MS;
	forecast = conclude(steps, 3);
	assert_int_equal(forecast.form, WEIR_FORECAST_CRAMPED);
	assert_int_equal(forecast.cache, 256 * MIB);
	assert_true(forecast.then > 2000 * MS);
}

/* A damaged trace may tell of more than there can be. */
static void no_number_is_too_large(void **state)
{
	struct weir_forecast_step steps[] = {
		{ .writes = UINT64_MAX, .bytes = UINT64_MAX,
		  .busy = UINT64_MAX, .writers = 1 },
		{ .at = UINT64_MAX, .writes = 1, .bytes = UINT64_MAX,
		  .writers = 1, .closes = UINT32_MAX },
	};
	struct weir_forecast forecast = conclude(steps, 2);

	assert_true(forecast.cache <= UINT64_C(1) << 40);
	steps[0] = written(0, 4000 * MS, 2 << 20);
	steps[1] = written(UINT64_MAX / 2, 4000 * MS, 2 << 20);
	forecast = conclude(steps, 2); /* two TiB: no cache is that large */
	assert_int_equal(forecast.cache, 0);
	assert_int_equal(forecast.form, WEIR_FORECAST_SUSTAINED);
}

static void every_case_has_a_name(void **state)
{
	assert_string_equal(weir_forecast_case_name(WEIR_FORECAST_CRAMPED),
			    "cramped");
	assert_string_equal(weir_forecast_why_name(WEIR_FORECAST_NOTHING),
			    "nothing-written");
	for (int i = 0; i <= WEIR_FORECAST_HELPS; i++)
		assert_non_null(weir_forecast_why_name(
			(enum weir_forecast_why)i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_takes_nothing),
		cmocka_unit_test(what_has_time_is_hidden),
		cmocka_unit_test(close_waits_for_what_is_left),
		cmocka_unit_test(without_a_pause_the_file_system_is_the_limit),
		cmocka_unit_test(syncs_leave_nothing_to_gain),
		cmocka_unit_test(processes_work_side_by_side),
		cmocka_unit_test(long_calls_are_no_pauses),
		cmocka_unit_test(cases_are_told_apart),
		cmocka_unit_test(no_number_is_too_large),
		cmocka_unit_test(every_case_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
