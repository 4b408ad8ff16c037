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
	uint64_t bytes, time;
};

/* Who does most of something, and how much there is of it. */
struct most {
	uint64_t all, most, count, time;
	uint32_t proc;
};

static void add_amount(struct most *m, const struct member *member,
		       uint64_t amount)
{
	m->all += amount;
	m->count++;
	if (m->proc && amount <= m->most)
		return;
	m->most = amount;
	m->proc = member->proc;
	m->time = member->time;
}

static uint64_t moved(const struct weir_totals *totals,
		      const struct weir_row *row)
{
	struct weir_digest calls =
		weir_totals_layer_digest(totals, row, "posix");
	struct weir_digest streams =
		weir_totals_layer_digest(totals, row, "stdio");

	return calls.read + calls.written + streams.read + streams.written;
}

static int by_member_rank(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->proc < b->proc ? -1 : a->proc > b->proc;
}

/* Who does nothing counts too; but no launchers and shells beside the ranks. */
static size_t list_members(const struct weir_totals *totals,
			   const struct weir_reader *reader,
			   struct member *members)
{
	size_t count = 0;

	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);
		int64_t rank = process ? weir_procinfo_rank(process) : -1;
		const struct weir_row *row =
			weir_ledger_find(&totals->processes, i);

		if (rank < 0)
			continue;
		members[count++] = (struct member){
			.rank = rank, .proc = i,
			.bytes = row ? moved(totals, row) : 0,
			.time = row ? row->own : 0,
		};
	}
	qsort(members, count, sizeof(*members), by_member_rank);
	return count;
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
	};

	if (time->count < RANKS || time->most < mean + mean / 2 ||
	    time->most - mean < UNEVEN_NS)
		return 0;
	return weir_clues_add(&facts->clues, &clue);
}

int weir_infer_run(struct weir_runfacts *facts,
		   const struct weir_reader *reader)
{
	struct member *members = calloc(
		(size_t)weir_reader_processes(reader) + 1, sizeof(*members));
	struct most bytes = { 0 }, time = { 0 };
	size_t count;
	int err;

	if (!members)
		return -ENOMEM;
	count = list_members(&facts->totals, reader, members);
	count = join_members(members, count);
	for (size_t i = 0; i < count; i++) {
		add_amount(&bytes, &members[i], members[i].bytes);
		add_amount(&time, &members[i], members[i].time);
	}
	free(members);
	if (!count)
		return 0;
	err = infer_one_for_all(facts, &bytes);
	return err ? err : infer_uneven(facts, &time);
}
