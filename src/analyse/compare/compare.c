/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two runs. */
#include "analyse/compare/compare.h"

#include "analyse/compare/comparerows.h"
#include "analyse/sums/headline.h"
#include "analyse/view/who.h"

#include <errno.h>
#include <stdlib.h>

void weir_compare_fini(struct weir_compare *compare)
{
	free(compare->files.list);
	free(compare->processes.list);
	*compare = (struct weir_compare){ 0 };
}

/* Own times are known where every call is. */
static void compare_layer(struct weir_compare *compare, unsigned layer,
			  int run)
{
	const struct weir_runfacts *facts = compare->runs[run].facts;
	const struct weir_layer_sum *sum = &facts->layers[layer];
	struct weir_compare_row *row = &compare->layers[layer];
	struct weir_digest all;

	if (compare->of_all_calls) {
		all = weir_totals_layer_digest(
			&facts->totals, &facts->totals.total,
			weir_callviews_layer_name(layer));
		weir_comparerows_add(row, run, &all);
		row->whole = row->time;
		return;
	}
	row->time.of[run] = sum->self > 0 ? (uint64_t)sum->self : 0;
	row->whole.of[run] = sum->time;
	row->calls.of[run] = sum->calls;
	row->read.of[run] = sum->read;
	row->written.of[run] = sum->written;
	row->bytes.of[run] = sum->read + sum->written;
}

static void add_call(struct weir_compare *compare, int run,
		     const struct weir_entry *entry)
{
	const struct weir_totals *totals = &compare->runs[run].facts->totals;
	const struct weir_call *call = totals->calls[entry->call];
	unsigned layer = weir_callviews_layer_of(call);
	int class = totals->classes[entry->call];
	struct weir_compare_row *row = &compare->classes[layer][class];

	if (weir_callviews_is_setup(call))
		return;
	row->time.of[run] += entry->cell.time;
	row->calls.of[run] += entry->cell.calls;
	if (weir_callclass_moves(class))
		row->bytes.of[run] += entry->cell.bytes;
}

/* Waiting for others is no I/O. */
static int compare_classes(struct weir_compare *compare, int run)
{
	const struct weir_totals *totals = &compare->runs[run].facts->totals;
	struct weir_row all, waits;
	int err = weir_totals_apart(totals, &all, &waits);

	for (uint32_t i = 0; !err && i < all.count; i++)
		add_call(compare, run, &all.entries[i]);
	weir_row_fini(&all);
	weir_row_fini(&waits);
	return err;
}

static uint64_t all_times(const struct weir_totals *totals)
{
	uint64_t all = 0;

	for (size_t i = 0; i < totals->processes.count; i++)
		all += totals->processes.rows[i].own;
	return all;
}

static void compare_figures(struct weir_compare *compare, int run)
{
	const struct weir_compare_run *from = &compare->runs[run];
	const struct weir_totals *totals = &from->facts->totals;
	const struct weir_headline headline = weir_headline_of(totals);
	struct weir_digest all = weir_totals_digest(totals, &totals->others);
	const uint64_t values[WEIR_FIGURE_COUNT] = {
		[WEIR_FIGURE_SPAN] = headline.span,
		[WEIR_FIGURE_SLOWEST] = headline.parts[WEIR_IOTIME_IO].time,
		[WEIR_FIGURE_TIME] = all_times(totals),
		[WEIR_FIGURE_READ] = headline.read,
		[WEIR_FIGURE_WRITTEN] = headline.written,
		[WEIR_FIGURE_CALLS] = headline.calls,
		[WEIR_FIGURE_FAILED] = headline.failed,
		[WEIR_FIGURE_FILES] = headline.files,
		[WEIR_FIGURE_PROCESSES] = weir_who_own(from->reader, NULL),
		[WEIR_FIGURE_THREADS] = totals->threads,
	};

	for (int i = 0; i < WEIR_FIGURE_COUNT; i++)
		compare->figures[i].of[run] = values[i];
	weir_comparerows_add(&compare->others, run, &all);
	compare->others.members[run] = (uint32_t)totals->folded;
}

static const struct weir_finding *
find_rule(const struct weir_findings *findings, const struct weir_rule *rule)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->list[i].rule == rule)
			return &findings->list[i];
	return NULL;
}

static enum weir_compare_state
finding_state(const struct weir_compare *compare,
	      const struct weir_compare_finding *finding)
{
	int missing = finding->of[0] ? 1 : 0;

	if (finding->of[0] && finding->of[1])
		return WEIR_FINDING_STILL;
	if (compare->runs[missing].facts->totals.has_sums)
		return WEIR_FINDING_UNKNOWN;
	return missing ? WEIR_FINDING_GONE : WEIR_FINDING_NEW;
}

/* What changes most comes first, then what would save most. */
static int by_saving(const void *left, const void *right)
{
	const struct weir_compare_finding *a = left, *b = right;
	uint64_t apart_a = weir_comparison_distance(&a->saving);
	uint64_t apart_b = weir_comparison_distance(&b->saving);
	const struct weir_finding *some_a = a->of[0] ? a->of[0] : a->of[1];
	const struct weir_finding *some_b = b->of[0] ? b->of[0] : b->of[1];

	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if (apart_a != apart_b)
		return apart_a < apart_b ? 1 : -1;
	return some_a->rule < some_b->rule ? -1 : 1;
}

static void compare_findings(struct weir_compare *compare)
{
	for (size_t i = 0; i < WEIR_RULE_COUNT; i++) {
		struct weir_compare_finding found = { 0 };

		for (int run = 0; run < 2; run++) {
			found.of[run] = find_rule(compare->runs[run].findings,
						  &weir_rules[i]);
			if (found.of[run])
				found.saving.of[run] = found.of[run]->saving;
		}
		if (!found.of[0] && !found.of[1])
			continue;
		found.state = finding_state(compare, &found);
		compare->findings[compare->finding_count++] = found;
	}
	qsort(compare->findings, compare->finding_count,
	      sizeof(*compare->findings), by_saving);
}

int weir_compare_make(struct weir_compare *compare,
		      const struct weir_compare_run runs[2], uint64_t least)
{
	int err = 0;

	compare->runs = runs;
	compare->least = least;
	compare->of_all_calls = runs[0].facts->totals.has_sums ||
				runs[1].facts->totals.has_sums;
	for (int run = 0; !err && run < 2; run++) {
		compare_figures(compare, run);
		for (unsigned i = 1; i < WEIR_CALLVIEW_LAYERS; i++)
			compare_layer(compare, i, run);
		err = compare_classes(compare, run);
	}
	compare_findings(compare);
	err = err ? err : weir_comparerows_files(compare);
	return err ? err : weir_comparerows_processes(compare);
}
