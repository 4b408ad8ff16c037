/* SPDX-License-Identifier: BSD-3-Clause */
/* Clues from how the processes of a run share the work. */
#include "analyse/infer.h"

#include "analyse/runfacts.h"
#include "spec/findings.h"

/* Fewer processes, bytes or nanoseconds are not worth sharing. */
#define PROCESSES 4
#define BYTES	  (UINT64_C(1) << 20)
#define UNEVEN_NS 1000000

/* Who does most of something, and how much there is of it. */
struct most {
	uint64_t all, most, count;
	uint32_t proc;
};

static void add(struct most *m, uint32_t proc, uint64_t amount)
{
	m->all += amount;
	m->count++;
	if (!m->proc || amount > m->most ||
	    (amount == m->most && proc < m->proc)) {
		m->most = amount;
		m->proc = proc;
	}
}

static uint64_t moved(const struct weir_totals *totals,
		      const struct weir_row *row)
{
	struct weir_digest digest =
		weir_totals_layer_digest(totals, row, "posix");

	return digest.read + digest.written;
}

/* Launchers and shells beside the ranks do not count as idle ranks. */
static int takes_part(const struct weir_reader *reader,
		      const struct weir_row *row)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, (uint32_t)row->key);

	return process && weir_procinfo_rank(process) >= 0;
}

static int infer_one_for_all(struct weir_runfacts *facts,
			     const struct most *bytes, uint64_t own)
{
	const struct weir_clue clue = {
		.rule = WEIR_RULE_ONE_FOR_ALL, .proc = bytes->proc,
		.count = 1, .of = 1, .bytes = bytes->most, .time = own,
		.saving = own - own / (bytes->count ? bytes->count : 1),
	};

	if (bytes->count < PROCESSES || bytes->all < BYTES ||
	    bytes->most / 9 < bytes->all / 10)
		return 0;
	return weir_clues_add(&facts->clues, &clue);
}

static int infer_uneven(struct weir_runfacts *facts, const struct most *time)
{
	uint64_t mean = time->count ? time->all / time->count : 0;
	const struct weir_clue clue = {
		.rule = WEIR_RULE_UNEVEN_RANKS, .proc = time->proc,
		.count = 1, .of = 1, .time = time->most,
		.saving = time->most - mean,
	};

	if (time->count < PROCESSES || time->most < mean + mean / 2 ||
	    time->most - mean < UNEVEN_NS)
		return 0;
	return weir_clues_add(&facts->clues, &clue);
}

int weir_infer_run(struct weir_runfacts *facts,
		   const struct weir_reader *reader)
{
	const struct weir_totals *totals = &facts->totals;
	struct most bytes = { 0 }, time = { 0 };
	const struct weir_row *busiest;
	int err;

	for (size_t i = 0; i < totals->processes.count; i++) {
		const struct weir_row *row = &totals->processes.rows[i];

		if (!takes_part(reader, row))
			continue;
		add(&bytes, (uint32_t)row->key, moved(totals, row));
		add(&time, (uint32_t)row->key, row->own);
	}
	if (!bytes.proc)
		return 0;
	busiest = weir_ledger_row(&facts->totals.processes, bytes.proc);
	err = infer_one_for_all(facts, &bytes, busiest ? busiest->own : 0);
	return err ? err : infer_uneven(facts, &time);
}
