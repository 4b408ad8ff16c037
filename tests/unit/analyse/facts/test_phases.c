/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes in steps of time: nothing is lost when the steps become longer. */
#include "analyse/facts/phases.h"

#include "check.h"

#define STEP (UINT64_C(1) << WEIR_PHASES_SHORTEST)

static struct weir_phases phases;

static int forget(void **state)
{
	weir_phases_fini(&phases);
	return 0;
}

static void note(uint32_t user, uint64_t real)
{
	const struct weir_phase what = {
		.user = user, .writes = 1, .bytes = 7, .time = 3, .closes = 2,
		.syncs = 4, .syncing = 5,
	};

	assert_int_equal(weir_phases_note(&phases, real, &what), 0);
}

static struct weir_phase sum(void)
{
	struct weir_phase all = { 0 };

	for (size_t i = 0; i < phases.count; i++) {
		all.writes += phases.list[i].writes;
		all.bytes += phases.list[i].bytes;
		all.time += phases.list[i].time;
		all.closes += phases.list[i].closes;
		all.syncs += phases.list[i].syncs;
		all.syncing += phases.list[i].syncing;
	}
	return all;
}

static void a_step_holds_what_falls_into_it(void **state)
{
	note(0, 5 * STEP);
	note(0, 6 * STEP - 1);
	note(1, 6 * STEP - 1);
	note(0, 6 * STEP);
	assert_int_equal(phases.count, 3);
	assert_int_equal(phases.users, 2);
	assert_int_equal(phases.list[0].step, 5);
	assert_int_equal(phases.list[0].bytes, 14);
	assert_int_equal(phases.list[1].user, 1);
	assert_int_equal(phases.list[2].step, 6);
}

static void widening_joins_neighbours_of_a_user(void **state)
{
	for (uint64_t i = 0; i < 8; i++)
		note((uint32_t)i % 2, i * STEP);
	assert_int_equal(weir_phases_widen(&phases, WEIR_PHASES_SHORTEST + 2),
			 0);
	assert_int_equal(phases.count, 4);
	assert_int_equal(phases.list[0].step, 0);
	assert_int_equal(phases.list[3].step, 1);
	assert_int_equal(phases.list[3].writes, 2);
	note(1, 7 * STEP); /* goes on where it was */
	assert_int_equal(phases.count, 4);
	assert_int_equal(phases.list[3].writes, 3);
}

static void long_runs_have_longer_steps(void **state)
{
	const uint32_t writes = 20 * WEIR_PHASES_MOST;
	struct weir_phase all;

	for (uint32_t i = 0; i < writes; i++)
		note(i % 3, i * STEP);
	assert_true(phases.count <= WEIR_PHASES_MOST);
	assert_true(phases.count > WEIR_PHASES_MOST / 8);
	all = sum();
	assert_int_equal(all.writes, writes);
	assert_int_equal(all.bytes, UINT64_C(7) * writes);
	assert_int_equal(all.time, UINT64_C(3) * writes);
	assert_int_equal(all.closes, 2 * writes);
	assert_int_equal(all.syncs, 4 * writes);
	assert_int_equal(all.syncing, 5 * writes);
}

static void many_users_keep_short_steps(void **state)
{
	for (uint32_t i = 0; i < 4 * WEIR_PHASES_MOST; i++)
		note(i, i * STEP);
	assert_int_equal(phases.count, 4 * WEIR_PHASES_MOST);
	assert_true(phases.shift <= WEIR_PHASES_SHORTEST + 1);
}

static void time_never_goes_back(void **state)
{
	for (uint32_t i = 0; i < 4 * WEIR_PHASES_MOST; i++)
		note(i % 2, i % 4 < 2 ? UINT64_MAX : i * STEP);
	assert_int_equal(phases.count, 2);
	assert_int_equal(sum().writes, 4 * WEIR_PHASES_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_step_holds_what_falls_into_it,
					  forget),
		cmocka_unit_test_teardown(widening_joins_neighbours_of_a_user,
					  forget),
		cmocka_unit_test_teardown(long_runs_have_longer_steps, forget),
		cmocka_unit_test_teardown(many_users_keep_short_steps, forget),
		cmocka_unit_test_teardown(time_never_goes_back, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
