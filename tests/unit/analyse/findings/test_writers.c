/* SPDX-License-Identifier: BSD-3-Clause */
/* Who writes where, and whether that could be stored later. */
#include "analyse/findings/writers.h"

#include "analyse/findings/infer.h"
#include "analyse/findings/runfacts.h"
#include "check.h"
#include "spec/findings.h"
#include "viewmaker.h"

#include <stdbool.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define MS  UINT64_C(1000000)

static struct weir_runfacts facts;
static struct weir_writers writers;
static struct weir_shard shard;
static struct weir_mounts mounts;
static struct weir_procinfo processes[] = {
	{ .number = 1 }, { .number = 2 }, { .number = 3 },
};
static uint64_t now;

/* The reader is not asked: these are its answers. */
const struct weir_procinfo *
__wrap_weir_reader_process(const struct weir_reader *reader, uint32_t number);
const struct weir_mounts *
__wrap_weir_reader_mounts(const struct weir_reader *reader, uint32_t node);
uint32_t __wrap_weir_reader_processes(const struct weir_reader *reader);

const struct weir_procinfo *
__wrap_weir_reader_process(const struct weir_reader *reader, uint32_t number)
{
	return number <= 3 ? &processes[number - 1] : NULL;
}

const struct weir_mounts *
__wrap_weir_reader_mounts(const struct weir_reader *reader, uint32_t node)
{
	return &mounts;
}

uint32_t __wrap_weir_reader_processes(const struct weir_reader *reader)
{
	return 3;
}

static int begin(void **state)
{
	static const char *const names[] = { "/far/out", "/near/out",
					     "/far/log" };
	const struct weir_mount known[] = {
		{ "nfs4", "/far", "server:/x" }, { "ext4", "/near", "/dev/x" },
	};
	uint32_t number;

	for (int i = 0; i < 3; i++)
		assert_int_equal(weir_names_add(&facts.totals.names, names[i],
						strlen(names[i]), &number), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(weir_mounts_add(&mounts, &known[i]), 0);
	facts.totals.total.first = 1;
	facts.totals.total.last = 1 + 1000 * MS;
	now = UINT64_C(1) << 60;
	return 0;
}

static int forget(void **state)
{
	weir_writers_fini(&writers);
	weir_shard_fini(&shard);
	weir_clues_fini(&facts.clues);
	weir_names_fini(&facts.totals.names);
	weir_mounts_fini(&mounts);
	memset(&facts, 0, sizeof(facts));
	memset(&shard, 0, sizeof(shard));
	processes[2].node = 0;
	return 0;
}

static void take(struct weir_callview view, uint64_t dur)
{
	view.event.dur = dur;
	view.real = now;
	now += dur;
	if (weir_flows_has(view.class))
		assert_int_equal(weir_flows_take(&shard.flows, &view), 0);
	assert_int_equal(weir_uses_take(&shard.uses, &shard.clues, &view), 0);
}

static struct weir_callview of(struct weir_callview view, uint32_t file,
			       uint32_t proc)
{
	view.file = view.whole = file;
	view.event.proc = proc;
	view.pair = file * 4 + proc;
	return view;
}

static void open_it(uint32_t file, uint32_t proc)
{
	take(of(view_call(WEIR_CLASS_OPEN, 3), file, proc), 0);
}

static bool is_inherited;

/* The first time the process opens it. */
static void write_at(uint32_t file, uint32_t proc, uint64_t off, uint64_t dur)
{
	if (!off && !is_inherited)
		open_it(file, proc);
	take(of(view_move(WEIR_CLASS_WRITE, off, KIB), file, proc), dur);
}

static void close_it(uint32_t file, uint32_t proc, uint64_t dur)
{
	take(of(view_call(WEIR_CLASS_CLOSE, 0), file, proc), dur);
}

static const struct weir_forecast *judged(void)
{
	struct weir_rates rates = { 0 };

	assert_int_equal(weir_infer(&shard, &rates), 0);
	assert_int_equal(weir_writers_add(&writers, &shard,
					  &facts.totals.names), 0);
	assert_int_equal(weir_infer_forward(&facts, &writers, NULL), 0);
	return &facts.forecast;
}

static struct weir_clue sum_of(uint32_t rule)
{
	struct weir_clue sum = { 0 };

	for (size_t i = 0; i < facts.clues.count; i++) {
		if (facts.clues.list[i].rule != rule)
			continue;
		sum.count += facts.clues.list[i].count;
		sum.of += facts.clues.list[i].of;
		sum.time += facts.clues.list[i].time;
		sum.saving += facts.clues.list[i].saving;
	}
	return sum;
}

static void remote_files_come_first(void **state)
{
	const struct weir_forecast *forecast;
	struct weir_clue sum;

	for (uint64_t i = 0; i < 100; i++) {
		write_at(1, 1, i * KIB, MS);
		write_at(2, 1, i * KIB, MS);
	}
	close_it(1, 1, 2 * MS);
	forecast = judged();
	assert_int_equal(forecast->why, WEIR_FORECAST_HELPS);
	assert_int_equal(forecast->now, 102 * MS);
	assert_string_equal(forecast->point, "/far");
	assert_string_equal(forecast->type, "nfs4");
	assert_int_equal(writers.sums[WEIR_WRITERS_REMOTE].requests, 1);
	sum = sum_of(WEIR_RULE_WAITING_WRITES);
	assert_int_equal(sum.count, 100);
	assert_int_equal(sum.of, 200);
	assert_int_equal(sum.time, 102 * MS);
	assert_in_range(sum.saving, 95 * MS, 102 * MS);
}

static void local_files_are_the_kernels(void **state)
{
	for (uint64_t i = 0; i < 100; i++)
		write_at(2, 1, i * KIB, MS);
	assert_int_equal(judged()->why, WEIR_FORECAST_LOCAL);
	assert_int_equal(sum_of(WEIR_RULE_WAITING_WRITES).count, 0);
	assert_int_equal(sum_of(WEIR_RULE_FORWARDED_WRITES).count, 100);
}

/* Nobody knows what is mounted: calls tell what they take. */
static void of_unknown_places_dear_ones_count(void **state)
{
	weir_mounts_fini(&mounts);
	for (uint64_t i = 0; i < 3000; i++)
		write_at(1, 1, i * KIB, 21000);
	assert_int_equal(judged()->why, WEIR_FORECAST_HELPS);
	assert_null(facts.forecast.point);
}

static void of_unknown_places_cheap_ones_do_not(void **state)
{
	weir_mounts_fini(&mounts);
	for (uint64_t i = 0; i < 3000; i++)
		write_at(1, 1, i * KIB, 19000);
	assert_int_equal(judged()->why, WEIR_FORECAST_CHEAP);
	assert_int_equal(sum_of(WEIR_RULE_WAITING_WRITES).count, 0);
}

/* Least of the run: a hundredth; and 10 ms. */
static void little_is_not_worth_a_word(void **state)
{
	facts.totals.total.last = 1 + 20000 * MS;
	for (uint64_t i = 0; i < 100; i++)
		write_at(1, 1, i * KIB, MS);
	assert_int_equal(judged()->why, WEIR_FORECAST_LITTLE);
}

static void a_service_serves_one_host(void **state)
{
	processes[2].node = 1;
	for (uint64_t i = 0; i < 100; i++)
		write_at(1, 1, i * KIB, MS);
	assert_int_equal(judged()->why, WEIR_FORECAST_HOSTS);
	assert_int_equal(sum_of(WEIR_RULE_WAITING_WRITES).count, 0);
}

/* What was forwarded need not be; without a cache, it might as well. */
static void who_has_a_service_needs_none(void **state)
{
	char role[] = "role", server[] = "server";
	char policy[] = "policy", idle[] = "idle", through[] = "through";
	struct weir_procinfo_trait traits[] = { { role, server },
						{ policy, idle } };

	processes[2].traits = traits;
	processes[2].trait_count = 2;
	for (uint64_t i = 0; i < 100; i++)
		write_at(1, 1, i * KIB, MS);
	assert_int_equal(judged()->why, WEIR_FORECAST_DONE);
	assert_int_equal(sum_of(WEIR_RULE_WAITING_WRITES).count, 0);
	assert_int_equal(sum_of(WEIR_RULE_FORWARDED_WRITES).saving, 0);
	traits[1].value = through;
	facts.forecast.now = 0;
	assert_int_equal(weir_infer_forward(&facts, &writers, NULL), 0);
	assert_int_equal(facts.forecast.why, WEIR_FORECAST_HELPS);
	processes[2].trait_count = 0;
}

/* Each writes every third piece: together the file is in one. */
static void pieces_of_several_make_one(void **state)
{
	for (uint32_t proc = 1; proc <= 3; proc++)
		open_it(1, proc);
	for (uint64_t i = 0; i < 2000; i++)
		write_at(1, 1 + i % 3, i * KIB, MS);
	judged();
	assert_int_equal(facts.forecast.writes, 2000);
	assert_in_range(facts.forecast.requests, 1, 3);
	assert_int_equal(facts.forecast.joined, facts.forecast.requests);
	assert_int_equal(facts.forecast.why, WEIR_FORECAST_HELPS);
}

/* What lies apart stays apart, and takes as long as before. */
static void pieces_with_gaps_stay_apart(void **state)
{
	for (uint64_t i = 0; i < 2000; i++)
		write_at(1, 1, i * 8 * KIB, MS / 10);
	judged();
	assert_int_equal(writers.sums[WEIR_WRITERS_REMOTE].requests, 2000);
	assert_int_equal(facts.forecast.why, WEIR_FORECAST_LITTLE);
	assert_int_equal(facts.forecast.form, WEIR_FORECAST_SUSTAINED);
}

/* The process that waits longest, and the sum of all its files. */
static void a_process_waits_for_all_its_files(void **state)
{
	for (uint64_t i = 0; i < 100; i++) {
		write_at(1, 1, i * KIB, MS);
		write_at(3, 1, i * KIB, 2 * MS);
		if (!i)
			open_it(1, 2);
		write_at(1, 2, (100 + i) * KIB, MS);
	}
	judged();
	assert_int_equal(facts.forecast.now, 300 * MS);
	assert_int_equal(sum_of(WEIR_RULE_WAITING_WRITES).time, 400 * MS);
}

/* A child writes by what its parent opened: that is the kernel's. */
static void who_has_not_opened_is_not_served(void **state)
{
	is_inherited = true;
	for (uint64_t i = 0; i < 100; i++)
		write_at(1, 1, i * KIB, MS);
	is_inherited = false;
	assert_int_equal(judged()->why, WEIR_FORECAST_MAPPED);
	assert_int_equal(facts.forecast.requests, 0);
}

static void nothing_written_is_nothing(void **state)
{
	take(of(view_move(WEIR_CLASS_READ, 0, KIB), 1, 1), MS);
	assert_int_equal(judged()->why, WEIR_FORECAST_NOTHING);
	assert_int_equal(sum_of(WEIR_RULE_FORWARDED_WRITES).of, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(remote_files_come_first),
		TEST(local_files_are_the_kernels),
		TEST(of_unknown_places_dear_ones_count),
		TEST(of_unknown_places_cheap_ones_do_not),
		TEST(little_is_not_worth_a_word),
		TEST(a_service_serves_one_host),
		TEST(who_has_a_service_needs_none),
		TEST(pieces_of_several_make_one),
		TEST(pieces_with_gaps_stay_apart),
		TEST(a_process_waits_for_all_its_files),
		TEST(who_has_not_opened_is_not_served),
		TEST(nothing_written_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
