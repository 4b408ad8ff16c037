/* SPDX-License-Identifier: BSD-3-Clause */
/* When files are stored, on a clock of the test's own. */
#include "cache/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)
#define NOW (1000 * MS)

static struct weir_policy usual(void)
{
	return (struct weir_policy){ .cache = 1000, .idle = 50 * MS,
				     .age = 5000 * MS, .bulk = 100 };
}

static struct weir_policy_file written(void)
{
	return (struct weir_policy_file){ .bytes = 10, .changed = NOW,
					  .oldest = NOW };
}

static void it_begins_above_half_and_ends_below_a_quarter(void **state)
{
	static const struct {
		uint64_t bytes;
		bool is_pressed;
	} steps[] = { { 0, false },   { 500, false }, { 501, true },
		      { 400, true },  { 250, true },  { 249, false },
		      { 400, false }, { 501, true },  { 0, false } };
	struct weir_policy policy = usual();

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		weir_policy_weigh(&policy, steps[i].bytes, false);
		assert_int_equal(policy.is_pressed, steps[i].is_pressed);
	}
}

static void who_waits_for_memory_is_helped_whatever_there_is(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	weir_policy_weigh(&policy, 10, true);
	assert_int_equal(weir_policy_due(&policy, &file), 0);
	weir_policy_weigh(&policy, 10, false);
	assert_int_not_equal(weir_policy_due(&policy, &file), 0);
}

static void a_file_is_stored_when_idle_or_old(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	assert_int_equal(weir_policy_due(&policy, &file), NOW + 50 * MS);
	file.changed = NOW + 4990 * MS;
	assert_int_equal(weir_policy_due(&policy, &file), NOW + 5000 * MS);
	file.bytes = 0;
	assert_int_equal(weir_policy_due(&policy, &file), WEIR_POLICY_NEVER);
}

static void a_file_with_much_is_stored_at_once(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	file.bytes = policy.bulk - 1;
	assert_int_not_equal(weir_policy_due(&policy, &file), 0);
	file.bytes = policy.bulk;
	assert_int_equal(weir_policy_due(&policy, &file), 0);
	policy.is_lazy = true;
	assert_int_equal(weir_policy_due(&policy, &file), WEIR_POLICY_NEVER);
}

static void a_lazy_policy_waits_for_half(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	policy.is_lazy = true;
	assert_int_equal(weir_policy_due(&policy, &file), WEIR_POLICY_NEVER);
	weir_policy_weigh(&policy, 600, false);
	assert_int_equal(weir_policy_due(&policy, &file), 0);
}

static void a_prompt_policy_waits_for_nothing(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	policy.is_prompt = true;
	assert_int_equal(weir_policy_due(&policy, &file), 0);
}

static void what_failed_waits_whoever_is_pressed(void **state)
{
	struct weir_policy policy = usual();
	struct weir_policy_file file = written();

	(void)state;
	file.tries = 1;
	file.retry = NOW + 700 * MS;
	weir_policy_weigh(&policy, 1000, true);
	assert_int_equal(weir_policy_due(&policy, &file), NOW + 700 * MS);
	policy.is_lazy = true;
	weir_policy_weigh(&policy, 0, false);
	assert_int_equal(weir_policy_due(&policy, &file), NOW + 700 * MS);
}

static void tries_become_rare(void **state)
{
	static const uint64_t seconds[] = { 1, 1, 2, 4, 8, 16, 32, 60, 60 };

	(void)state;
	for (uint32_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++)
		assert_int_equal(weir_policy_retry(NOW, i),
				 NOW + seconds[i] * 1000 * MS);
	assert_int_equal(weir_policy_retry(NOW, UINT32_MAX),
			 NOW + 60000 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_begins_above_half_and_ends_below_a_quarter),
		cmocka_unit_test(
			who_waits_for_memory_is_helped_whatever_there_is),
		cmocka_unit_test(a_file_is_stored_when_idle_or_old),
		cmocka_unit_test(a_file_with_much_is_stored_at_once),
		cmocka_unit_test(a_lazy_policy_waits_for_half),
		cmocka_unit_test(a_prompt_policy_waits_for_nothing),
		cmocka_unit_test(what_failed_waits_whoever_is_pressed),
		cmocka_unit_test(tries_become_rare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
