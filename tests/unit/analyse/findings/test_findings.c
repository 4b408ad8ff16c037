/* SPDX-License-Identifier: BSD-3-Clause */
/* When a rule speaks, how loud, in which order, and what it shows. */
#include "analyse/findings/findings.h"

#include "base/grow.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define SPAN UINT64_C(1000000)

static struct weir_runfacts facts;
static struct weir_findings findings;

static int forget(void **state)
{
	weir_findings_fini(&findings);
	weir_clues_fini(&facts.clues);
	weir_ledger_fini(&facts.totals.processes);
	weir_spending_fini(&facts.spending);
	free(facts.ranks);
	memset(&facts, 0, sizeof(facts));
	return 0;
}

static int begin(void **state)
{
	facts.totals.total.first = 1;
	facts.totals.total.last = 1 + SPAN;
	return 0;
}

static struct weir_clue clue_of(uint32_t rule, uint64_t count, uint64_t of)
{
	return (struct weir_clue){
		.rule = rule, .file = 1, .proc = 1, .count = count, .of = of,
	};
}

static void add(struct weir_clue clue)
{
	assert_int_equal(weir_clues_add(&facts.clues, &clue), 0);
}

static const struct weir_finding *conclude(size_t expected)
{
	weir_findings_fini(&findings);
	assert_int_equal(weir_findings_conclude(&facts, &findings), 0);
	assert_int_equal(findings.count, expected);
	return findings.list;
}

static void nothing_leads_to_nothing(void **state)
{
	conclude(0);
	assert_int_equal(findings.span, SPAN);
	assert_int_equal(weir_findings_level(&findings), WEIR_LEVEL_BY_SAVING);
}

/* Every rule at its least count, and one below. */
static void rules_speak_from_their_least_on(void **state)
{
	for (uint32_t i = 0; i < WEIR_RULE_COUNT; i++) {
		uint64_t least = weir_rules[i].least;

		if (weir_rules[i].level == WEIR_LEVEL_WHAT_IF)
			continue;
		assert_true(least > 0);
		add(clue_of(i, least, least));
		assert_ptr_equal(conclude(1)->rule, &weir_rules[i]);
		forget(state);
		begin(state);
		add(clue_of(i, least - 1, least - 1));
		conclude(0);
		forget(state);
		begin(state);
	}
}

/* Every rule that asks for a share at exactly that, and one below. */
static void rules_speak_from_their_share_on(void **state)
{
	for (uint32_t i = 0; i < WEIR_RULE_COUNT; i++) {
		uint64_t share = weir_rules[i].share, of = 100000;

		assert_true(share <= 100);
		if (!share || weir_rules[i].level == WEIR_LEVEL_WHAT_IF)
			continue;
		add(clue_of(i, of * share / 100, of));
		conclude(1);
		forget(state);
		begin(state);
		add(clue_of(i, of * share / 100 - 1, of));
		conclude(0);
		forget(state);
		begin(state);
	}
}

/* What counts is the sum over files and processes. */
static void counts_add_up(void **state)
{
	uint64_t least = weir_rules[WEIR_RULE_SMALL_WRITES].least;
	const struct weir_finding *finding;

	for (uint32_t i = 0; i < 10; i++) {
		struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES,
						least / 10, least / 5);

		clue.file = i % 5 + 1;
		clue.proc = i / 5 + 1;
		clue.bytes = 7;
		clue.time = 9;
		clue.saving = clue.proc;
		add(clue);
	}
	finding = conclude(1);
	assert_int_equal(finding->count, least);
	assert_int_equal(finding->of, 2 * least);
	assert_int_equal(finding->bytes, 70);
	assert_int_equal(finding->time, 90);
	assert_int_equal(finding->files, 5);
	assert_int_equal(finding->processes, 2);
	assert_int_equal(finding->saving, 10); /* of process 2 */
	assert_int_equal(finding->slowest, 2);
	assert_int_equal(finding->saving_of_all, 15);
}

static void add_part(uint32_t file, uint32_t proc, uint64_t count, uint64_t of)
{
	struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, count, of);

	clue.file = file;
	clue.proc = proc;
	add(clue);
}

/* One file is not excused by others; nor blamed with them. */
static void files_are_judged_by_themselves(void **state)
{
	const struct weir_finding *finding;

	add_part(1, 1, 2000, 2000);
	add_part(2, 1, 2000, 9000);
	add_part(3, 1, 0, 9000);
	assert_int_equal(weir_clues_settle(&facts.clues), 0);
	finding = conclude(1);
	assert_int_equal(finding->count, 2000);
	assert_int_equal(finding->of, 2000);
	assert_int_equal(finding->files, 1);
	assert_int_equal(finding->top[0].file, 1);
}

/* Whoever uses a file well speaks for it, before or after. */
static void all_processes_of_a_file_count(void **state)
{
	add_part(1, 1, 0, 1500);
	add_part(1, 2, 2000, 2000);
	add_part(1, 3, 0, 1000);
	assert_int_equal(weir_clues_settle(&facts.clues), 0);
	conclude(0);
	forget(state);
	begin(state);
	add_part(1, 1, 0, 1000);
	add_part(1, 2, 2000, 2000);
	add_part(1, 3, 0, 1000);
	assert_int_equal(weir_clues_settle(&facts.clues), 0);
	assert_int_equal(conclude(1)->of, 4000);
	assert_int_equal(findings.list[0].processes, 1);
}

static const struct weir_finding *with_saving(uint64_t saving)
{
	struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 5000, 5000);

	weir_clues_fini(&facts.clues);
	clue.saving = clue.time = saving;
	add(clue);
	return conclude(1);
}

static void levels_are_parts_of_the_run(void **state)
{
	assert_int_equal(with_saving(SPAN / 10)->level, WEIR_LEVEL_HIGH);
	assert_int_equal(with_saving(SPAN / 10 - 1)->level, WEIR_LEVEL_MEDIUM);
	assert_int_equal(with_saving(SPAN / 100)->level, WEIR_LEVEL_MEDIUM);
	assert_int_equal(with_saving(SPAN / 100 - 1)->level, WEIR_LEVEL_LOW);
	assert_int_equal(with_saving(0)->level, WEIR_LEVEL_LOW);
	assert_int_equal(with_saving(SPAN * 3)->saving, SPAN);
	assert_int_equal(weir_findings_level(&findings), WEIR_LEVEL_HIGH);
	facts.totals.total.last = facts.totals.total.first;
	assert_int_equal(with_saving(5)->level, WEIR_LEVEL_LOW);
}

/* A process that is so long in calls, of which so long in the system's. */
static void add_process(uint32_t proc, uint64_t wall, uint64_t threads,
			uint64_t system)
{
	struct weir_row *row = weir_ledger_row(&facts.totals.processes, proc);
	struct weir_callview view = {
		.event.proc = proc, .event.dur = system,
		.layer = WEIR_CALLVIEW_POSIX,
		.above = WEIR_CALLVIEW_MPIIO, .event.depth = 1,
	};

	assert_non_null(row);
	row->own = wall;
	row->first = 1;
	row->last = 1 + SPAN;
	assert_int_equal(weir_spending_take(&facts.spending, &view), 0);
	view.event.depth = 0;
	view.event.dur = threads;
	view.layer = WEIR_CALLVIEW_MPIIO;
	view.above = WEIR_CALLVIEW_APPLICATION;
	assert_int_equal(weir_spending_take(&facts.spending, &view), 0);
}

static void add_rank(uint32_t proc, uint64_t wall, uint64_t system)
{
	add_process(proc, wall, wall, system);
	assert_int_equal(WEIR_GROW(facts.ranks, facts.rank_count,
				   facts.rank_room), 0);
	facts.ranks[facts.rank_count++] = proc;
}

static const struct weir_finding *of_process(uint32_t proc, uint64_t saving,
					     uint64_t time)
{
	struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 5000, 5000);

	clue.proc = proc;
	clue.saving = saving;
	clue.time = time;
	add(clue);
	return conclude(1);
}

static void calls_save_no_more_than_they_take(void **state)
{
	assert_int_equal(of_process(1, 700, 500)->saving, 500);
	assert_int_equal(findings.list[0].saving_of_all, 500);
	assert_int_equal(findings.list[0].top[0].saving, 500);
}

static void processes_save_no_more_than_they_spend(void **state)
{
	add_process(1, 300, 300, 300);
	assert_int_equal(of_process(1, 500, 500)->saving, 300);
}

/* Of four threads at a time, each second is a quarter of one. */
static void threads_save_time_together(void **state)
{
	add_process(1, 100, 400, 400);
	assert_int_equal(of_process(1, 200, 400)->saving, 50);
}

/* The run takes as long as its slowest rank. */
static void ranks_wait_for_what_others_still_do(void **state)
{
	add_rank(1, 1000, 1000);
	add_rank(2, 900, 900);
	assert_int_equal(of_process(1, 800, 800)->saving, 100);
	assert_int_equal(of_process(2, 700, 700)->saving, 800);
	assert_int_equal(findings.list[0].saving_of_all, 1500);
}

/* What they spend in collective calls, they may spend waiting. */
static void ranks_that_wait_do_not_keep_others(void **state)
{
	add_rank(1, 1000, 1000);
	add_rank(2, 1000, 10);
	assert_int_equal(of_process(1, 800, 800)->saving, 800);
}

/* One program after the other, each with ranks. */
static void ranks_of_another_time_are_nobody(void **state)
{
	add_rank(1, 1000, 1000);
	add_rank(2, 5000, 5000);
	facts.totals.processes.rows[1].first = 2 + SPAN;
	facts.totals.processes.rows[1].last = 3 + SPAN;
	assert_int_equal(of_process(1, 800, 800)->saving, 800);
}

static void some_levels_are_fixed(void **state)
{
	struct weir_clue clue = clue_of(WEIR_RULE_BROKEN_COLLECTIVES, 1, 1);

	clue.saving = SPAN; /* which nobody can know */
	add(clue);
	assert_int_equal(conclude(1)->level, WEIR_LEVEL_MEDIUM);
	assert_int_equal(findings.list[0].saving, 0);
	assert_int_equal(findings.list[0].saving_of_all, 0);
	assert_string_equal(weir_findings_level_name(WEIR_LEVEL_MEDIUM),
			    "medium");
}

/* Questions are answered beside the findings, and fail nobody's run. */
static void answers_are_no_findings(void **state)
{
	size_t answers = 0;

	for (uint32_t i = 0; i < WEIR_RULE_COUNT; i++) {
		struct weir_clue clue = clue_of(i, 5000, 5000);

		if (weir_rules[i].level != WEIR_LEVEL_WHAT_IF)
			continue;
		clue.saving = SPAN;
		add(clue);
		answers++;
	}
	assert_true(answers > 0);
	conclude(0);
	assert_int_equal(findings.answer_count, answers);
	assert_int_equal(weir_findings_level(&findings), WEIR_LEVEL_BY_SAVING);
}

static void rank(uint32_t rule, uint64_t saving, uint64_t time)
{
	struct weir_clue clue = clue_of(rule, 5000, 5000);

	clue.saving = saving;
	clue.time = time;
	add(clue);
}

static void what_saves_most_comes_first(void **state)
{
	static const uint32_t order[] = {
		WEIR_RULE_SMALL_READS, WEIR_RULE_IDLE_SEEKS,
		/* No saving: by level, by time, by the order of the table. */
		WEIR_RULE_BROKEN_COLLECTIVES, WEIR_RULE_SCATTERED_READS,
		WEIR_RULE_SMALL_WRITES, WEIR_RULE_REPEATED_OPENS,
	};

	rank(WEIR_RULE_REPEATED_OPENS, 0, 5);
	rank(WEIR_RULE_SMALL_WRITES, 0, 5);
	rank(WEIR_RULE_BROKEN_COLLECTIVES, 0, 1);
	rank(WEIR_RULE_SCATTERED_READS, 900, 6);
	rank(WEIR_RULE_IDLE_SEEKS, 5, 100000);
	rank(WEIR_RULE_SMALL_READS, 6, 7);
	conclude(6);
	for (size_t i = 0; i < 6; i++)
		assert_ptr_equal(findings.list[i].rule,
				 &weir_rules[order[i]]);
}

static void the_files_that_matter_are_named(void **state)
{
	const struct weir_finding *finding;

	for (uint32_t file = 1; file <= 20; file++) {
		struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 500,
						500);

		clue.file = file;
		clue.saving = file % 10; /* each twice: the first is first */
		clue.time = clue.saving;
		clue.bytes = file;
		add(clue);
		clue.proc = 2;
		add(clue);
	}
	finding = conclude(1);
	assert_int_equal(finding->files, 20);
	assert_int_equal(finding->top_count, WEIR_FINDING_SHOWN);
	for (uint32_t i = 0; i < WEIR_FINDING_SHOWN; i++) {
		const struct weir_finding_file *top = &finding->top[i];

		assert_int_equal(top->file, 9 - i / 2 + (i % 2 ? 10 : 0));
		assert_int_equal(top->saving, 2 * (top->file % 10));
		assert_int_equal(top->bytes, 2 * top->file);
		assert_int_equal(top->count, 1000);
	}
}

/* Files of which nothing was counted, and what is of no file, have no row. */
static void the_innocent_are_not_named(void **state)
{
	struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 5000, 5000);

	add(clue);
	clue.file = 2;
	clue.proc = 2;
	clue.count = clue.of = 0;
	add(clue);
	clue.file = 0;
	clue.count = 1;
	add(clue);
	conclude(1);
	assert_int_equal(findings.list[0].files, 1);
	assert_int_equal(findings.list[0].top_count, 1);
	assert_int_equal(findings.list[0].top[0].file, 1);
}

static void the_slowest_events_are_shown(void **state)
{
	const struct weir_finding *finding;

	for (uint32_t i = 0; i < 30; i++) {
		struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 500,
						500);

		clue.file = i + 1;
		clue.witness = (struct weir_witness){ 1, 1, i, i * 7 % 30 };
		add(clue);
	}
	finding = conclude(1);
	assert_int_equal(finding->evidence_count, WEIR_FINDING_SHOWN);
	for (uint32_t i = 0; i < WEIR_FINDING_SHOWN; i++)
		assert_int_equal(finding->evidence[i].dur, 29 - i);
}

static void few_events_are_all_shown(void **state)
{
	struct weir_clue clue = clue_of(WEIR_RULE_SMALL_WRITES, 5000, 5000);

	add(clue); /* without a witness */
	clue.file = 2;
	clue.witness = (struct weir_witness){ 3, 1, 0, 0 };
	add(clue);
	conclude(1);
	assert_int_equal(findings.list[0].evidence_count, 1);
	assert_int_equal(findings.list[0].evidence[0].proc, 3);
}

#define unit(name) cmocka_unit_test_setup_teardown(name, begin, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(nothing_leads_to_nothing),
		unit(rules_speak_from_their_least_on),
		unit(rules_speak_from_their_share_on),
		unit(counts_add_up),
		unit(files_are_judged_by_themselves),
		unit(all_processes_of_a_file_count),
		unit(levels_are_parts_of_the_run),
		unit(calls_save_no_more_than_they_take),
		unit(processes_save_no_more_than_they_spend),
		unit(threads_save_time_together),
		unit(ranks_wait_for_what_others_still_do),
		unit(ranks_that_wait_do_not_keep_others),
		unit(ranks_of_another_time_are_nobody),
		unit(some_levels_are_fixed),
		unit(answers_are_no_findings),
		unit(what_saves_most_comes_first),
		unit(the_files_that_matter_are_named),
		unit(the_innocent_are_not_named),
		unit(the_slowest_events_are_shown),
		unit(few_events_are_all_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
