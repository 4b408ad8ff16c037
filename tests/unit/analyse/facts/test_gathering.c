/* SPDX-License-Identifier: BSD-3-Clause */
/* By how many requests a service stores what it has kept. */
#include "analyse/facts/gathering.h"

#include "check.h"
#include "spec/constants.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define MS  UINT64_C(1000000)
#define BEHIND UINT64_MAX

static struct weir_gathering one;
static struct weir_gatherings all;
static uint64_t now;

static int begin(void **state)
{
	now = 1000 * MS;
	return 0;
}

static int forget(void **state)
{
	weir_gathering_fini(&one);
	weir_gathering_fini_all(&all);
	return 0;
}

static void put(uint64_t from, uint64_t bytes)
{
	const struct weir_gathering_write write = { from, bytes, now++ };

	assert_int_equal(weir_gathering_take(&one, &write), 0);
}

static uint64_t requests(void)
{
	weir_gathering_store(&one);
	return one.requests;
}

static void neighbours_go_together(void **state)
{
	for (uint64_t i = 0; i < 100; i++)
		put(i * 100, 100);
	assert_int_equal(requests(), 1);
	assert_int_equal(one.writes, 100);
}

static void whoever_wrote_them(void **state)
{
	for (uint64_t part = 0; part < 4; part++)
		for (uint64_t i = 0; i < 2500; i++)
			put(i * 512 + part * 128, 128);
	assert_int_equal(requests(), 10); /* of 1024 pieces each */
}

static void gaps_divide(void **state)
{
	for (uint64_t i = 0; i < 2000; i++)
		put(i * 4096, 100);
	assert_int_equal(requests(), 2000);
}

static void limits_divide(void **state)
{
	put(0, 30 * MIB);
	assert_int_equal(requests(), 4); /* of 8 MiB */
	put(100, 16 * MIB);
	assert_int_equal(requests(), 4 + 3); /* the first to an even end */
	for (uint64_t i = 0; i < 1024 * 5; i++)
		put(i * 4096, 4096);
	assert_int_equal(requests(), 7 + 5); /* of 1024 pieces */
	for (uint64_t i = 0; i < 10 * MIB / 900; i++)
		put(i * 900, 900);
	assert_int_equal(requests(), 12 + 20); /* two for each MiB */
}

static void what_is_written_over_is_gone(void **state)
{
	for (int i = 0; i < 4000; i++)
		put(0, 64 * KIB);
	assert_int_equal(requests(), 1);
	for (int i = 0; i < 4000; i++) {
		put(MIB, 10);
		put(5, 10);
	}
	assert_int_equal(requests(), 3);
}

static void appended_ones_follow(void **state)
{
	put(0, 100);
	for (int i = 0; i < 50; i++)
		put(BEHIND, 10);
	assert_int_equal(requests(), 1);
	assert_int_equal(one.end, 600);
}

static void pauses_divide(void **state)
{
	put(0, 100);
	now += WEIR_SERVICE_IDLE - 2;
	put(100, 100);
	now += WEIR_SERVICE_IDLE;
	put(200, 100);
	assert_int_equal(requests(), 2);
}

static void what_is_old_is_stored(void **state)
{
	for (int i = 0; i < 600; i++, now += 10 * MS)
		put(BEHIND, 10);
	assert_int_equal(requests(), 2);
}

static void much_is_stored(void **state)
{
	for (int i = 0; i < 96; i++)
		put(BEHIND, MIB);
	assert_int_equal(one.requests, 12);
	assert_int_equal(one.count, 0);
}

static void who_closes_has_it_stored(void **state)
{
	put(0, 100);
	weir_gathering_want(&one, now);
	put(100, 100); /* it comes before the service has looked at all */
	now += 10 * MS;
	put(200, 100);
	assert_int_equal(requests(), 2);
	weir_gathering_want(&one, now); /* there is nothing */
	assert_int_equal(requests(), 2);
}

static void put_on(uint32_t node, uint64_t from, int has_others)
{
	const struct weir_gathering_write write = { from, 100, now++ };
	const struct weir_gathering_node on = { node, has_others };

	assert_int_equal(weir_gathering_take_at(&all, on, &write), 0);
}

static void nodes_have_services_of_their_own(void **state)
{
	uint64_t joined;

	for (uint32_t i = 0; i < 100; i++)
		put_on(i % 2, i * 100, 1);
	assert_int_equal(weir_gathering_end_all(&all), 100);
	assert_int_equal(weir_gathering_count_all(&all, &joined), 100);
	assert_int_equal(joined, 1);
}

static void a_single_node_has_one(void **state)
{
	uint64_t joined;

	for (uint32_t i = 0; i < 100; i++)
		put_on(7, i * 100, 0);
	assert_int_equal(weir_gathering_end_all(&all), 100);
	assert_int_equal(all.count, 1);
	assert_int_equal(weir_gathering_count_all(&all, &joined), 1);
	assert_int_equal(joined, 1);
}

static void traces_may_be_damaged(void **state)
{
	put(0, UINT64_MAX);
	put(UINT64_MAX - 1, UINT64_MAX);
	put(0, UINT64_C(1) << 56);
	assert_int_equal(requests(), UINT64_C(1) << 33);
	now = 0; /* times go back */
	put(0, 1);
	weir_gathering_want(&one, 0);
	put(5, 1);
	assert_true(requests() > UINT64_C(1) << 33);
}

#define unit(test) cmocka_unit_test_setup_teardown(test, begin, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(neighbours_go_together),
		unit(whoever_wrote_them),
		unit(gaps_divide),
		unit(limits_divide),
		unit(what_is_written_over_is_gone),
		unit(appended_ones_follow),
		unit(pauses_divide),
		unit(what_is_old_is_stored),
		unit(much_is_stored),
		unit(who_closes_has_it_stored),
		unit(nodes_have_services_of_their_own),
		unit(a_single_node_has_one),
		unit(traces_may_be_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
