/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from how the processes of a run share the work. */
#include "analyse/findings/infer.h"

#include "analyse/findings/runfacts.h"
#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Fewer ranks, bytes or nanoseconds are not worth sharing: one moves 64 MiB in
 * a moment, and a machine that has other work is soon late by 10 ms.
 */
#define RANKS	  4
#define BYTES	  (UINT64_C(64) << 20)
#define UNEVEN_NS 10000000

/* What a rank does, with the programs that it has started. */
struct member {
	int64_t rank;
	uint32_t proc; /* its first */
	uint64_t bytes; /* but for collective calls */
	uint64_t moving; /* ns, of these */
	uint64_t all;	 /* bytes */
	uint64_t time;	 /* in all calls */
};

/* Who does most of something, and how much there is of it. */
struct most {
	uint64_t all, most, count, time;
	uint32_t proc;
};

static void add_amount(struct most *m, const struct member *member,
		       uint64_t amount, uint64_t time)
{
	m->all += amount;
	m->count++;
	if (m->proc && amount <= m->most)
		return;
	m->most = amount;
	m->proc = member->proc;
	m->time = time;
}

static int by_member_rank(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->proc < b->proc ? -1 : a->proc > b->proc;
}

/* Who does nothing counts too; but no launchers and shells beside the ranks. */
static size_t list_members(const struct weir_runfacts *facts,
			   const struct weir_reader *reader,
			   struct member *members)
{
	for (size_t i = 0; i < facts->rank_count; i++) {
		uint32_t proc = facts->ranks[i];
		struct weir_spent spent =
			weir_spending_of(&facts->spending, proc);
		const struct weir_row *row =
			weir_ledger_find(&facts->totals.processes, proc);

		members[i] = (struct member){
			.rank = weir_procinfo_rank(
				weir_reader_process(reader, proc)),
			.proc = proc, .bytes = spent.alone,
			.moving = spent.alone_time, .all = spent.moved,
			.time = row ? row->own : 0,
		};
	}
	if (facts->rank_count)
		qsort(members, facts->rank_count, sizeof(*members),
		      by_member_rank);
	return facts->rank_count;
}

/* What a rank starts has its number: together they are one. */
static size_t join_members(struct member *members, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct member *last = kept ? &members[kept - 1] : NULL;

		if (!last || last->rank != members[i].rank) {
			members[kept++] = members[i];
			continue;
		}
		last->bytes += members[i].bytes;
		last->moving += members[i].moving;
		last->all += members[i].all;
		last->time += members[i].time;
	}
	return kept;
}

static int infer_one_for_all(struct weir_runfacts *facts,
			     const struct most *bytes)
{
	const struct weir_clue clue = {
		.rule = WEIR_RULE_ONE_FOR_ALL, .proc = bytes->proc,
		.count = 1, .of = 1, .bytes = bytes->most, .time = bytes->time,
		.saving = bytes->time - bytes->time / bytes->count,
	};

	/* Of all that is moved, for collective calls too. */
	if (bytes->count < RANKS || bytes->all < BYTES ||
	    bytes->most / 9 < bytes->all / 10)
		return 0;
	return weir_clues_add(&facts->clues, &clue);
}

static int infer_uneven(struct weir_runfacts *facts, const struct most *time)
{
	uint64_t mean = time->all / time->count;
	const struct weir_clue clue = {
		.rule = WEIR_RULE_UNEVEN_RANKS, .proc = time->proc,
		.count = 1, .of = 1, .time = time->most,
		.saving = time->most - mean,
		.from_sums = facts->totals.has_sums != 0,
	};

	if (time->count < RANKS || time->most < mean + mean / 2 ||
	    time->most - mean < UNEVEN_NS)
		return 0;
	return weir_clues_add(&facts->clues, &clue);
}

int weir_infer_run(struct weir_runfacts *facts,
		   const struct weir_reader *reader)
{
	struct member *members =
		calloc(facts->rank_count + 1, sizeof(*members));
	struct most bytes = { 0 }, time = { 0 };
	uint64_t all = 0;
	size_t count;
	int err;

	if (!members)
		return -ENOMEM;
	count = list_members(facts, reader, members);
	count = join_members(members, count);
	for (size_t i = 0; i < count; i++) {
		add_amount(&bytes, &members[i], members[i].bytes,
			   members[i].moving);
		add_amount(&time, &members[i], members[i].time,
			   members[i].time);
		all += members[i].all;
	}
	bytes.all = all;
	free(members);
	if (!count)
		return 0;
	err = infer_one_for_all(facts, &bytes);
	return err ? err : infer_uneven(facts, &time);
}
