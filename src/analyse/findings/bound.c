/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds what findings promise: no more can be saved than is spent. */
#include "analyse/findings/bound.h"

#include "analyse/findings/arith.h"
#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>

/* Wall time that a process was in calls; 0: it is not known. */
static uint64_t time_in_io(const struct weir_runfacts *facts, uint32_t proc)
{
	const struct weir_row *row =
		weir_ledger_find(&facts->totals.processes, proc);

	return row ? row->own : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void weir_bound_fini(struct weir_bound *bound)
{
	free(bound->saved);
	*bound = (struct weir_bound){ 0 };
}

int weir_bound_init(struct weir_bound *bound,
		    const struct weir_runfacts *facts)
{
	const struct weir_row *total = &facts->totals.total;

	bound->facts = facts;
	bound->span = total->last - total->first;
	for (size_t i = 0; i < facts->rank_count; i++)
		if (facts->ranks[i] >= bound->count)
			bound->count = (size_t)facts->ranks[i] + 1;
	bound->saved = calloc(bound->count + 1, sizeof(*bound->saved));
	return bound->saved ? 0 : -ENOMEM;
}

/* Who waits for others waits between its calls, too. */
static int is_about_waiting(uint32_t rule)
{
	return rule == WEIR_RULE_WRITES_IN_TURNS;
}

/* What others do is in the mean already. */
static int is_about_mean(uint32_t rule)
{
	return rule == WEIR_RULE_UNEVEN_RANKS;
}

uint64_t weir_bound_process(const struct weir_bound *bound, uint32_t rule,
			    uint32_t proc, uint64_t saving, uint64_t time)
{
	uint64_t spent = weir_spending_of(&bound->facts->spending, proc).calls;
	uint64_t wall = time_in_io(bound->facts, proc);

	if (bound->span)
		saving = least(saving, bound->span);
	if (is_about_waiting(rule))
		return saving;
	saving = least(saving, time);
	/* Threads at a time: what all save is not one after the other. */
	if (wall && wall < spent)
		saving = weir_arith_part(saving, wall, spent);
	return wall ? least(saving, wall) : saving;
}

/* Calls of the system that a rank makes afterwards, at least. */
static uint64_t time_left(const struct weir_bound *bound, uint32_t proc)
{
	struct weir_spent spent =
		weir_spending_of(&bound->facts->spending, proc);
	uint64_t wall = time_in_io(bound->facts, proc);
	uint64_t system = spent.system;

	if (wall < spent.calls)
		system = weir_arith_part(system, wall, spent.calls);
	return weir_arith_less(system, bound->saved[proc]);
}

static int are_together(const struct weir_runfacts *facts, uint32_t one,
			uint32_t other)
{
	const struct weir_ledger *processes = &facts->totals.processes;
	const struct weir_row *a = weir_ledger_find(processes, one);
	const struct weir_row *b = weir_ledger_find(processes, other);

	return a && b && a->first <= b->last && b->first <= a->last;
}

static int is_rank(const struct weir_runfacts *facts, uint32_t proc)
{
	for (size_t i = 0; i < facts->rank_count; i++)
		if (facts->ranks[i] == proc)
			return 1;
	return 0;
}

uint64_t weir_bound_run(const struct weir_bound *bound, uint32_t rule,
			uint32_t proc, uint64_t saving)
{
	const struct weir_runfacts *facts = bound->facts;
	uint64_t slowest = 0, left = 0;

	if (is_about_mean(rule) || !is_rank(facts, proc))
		return saving;
	for (size_t i = 0; i < facts->rank_count; i++) {
		uint32_t other = facts->ranks[i];

		if (!are_together(facts, proc, other))
			continue;
		slowest = most(slowest, time_in_io(facts, other));
		left = most(left, time_left(bound, other));
	}
	return least(saving, weir_arith_less(slowest, left));
}
