/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers all facts of a run: sums, and clues for findings. */
#include "analyse/findings/runfacts.h"

#include "analyse/facts/tracescan.h"
#include "analyse/findings/infer.h"
#include "analyse/findings/searches.h"
#include "analyse/findings/writers.h"
#include "analyse/sums/profile.h"
#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define NO UINT32_MAX

/* Bytes of names beyond which there is less memory for the rest. */
#define NAMES (UINT64_C(64) << 20)

/* While facts are gathered. */
struct gathering {
	struct weir_runfacts *facts;
	struct weir_reader *reader;
	struct weir_callviews *views;
	struct weir_shard shards[WEIR_PASS_STATES];
	struct weir_writers writers;
	struct weir_searches searches;
	unsigned workers;
};

void weir_runfacts_fini(struct weir_runfacts *facts)
{
	weir_totals_fini(&facts->totals);
	weir_filesum_fini(&facts->files);
	weir_clues_fini(&facts->clues);
	weir_spending_fini(&facts->spending);
	free(facts->ranks);
	weir_hints_fini(&facts->hints);
	weir_effects_fini(&facts->effects);
	weir_shard_forget_spreads(&facts->spreads);
}

/* A row as it is in the file, in nanoseconds of the common clock. */
static void scale_row(const struct weir_nodeinfo *node, struct weir_row *row)
{
	for (uint32_t i = 0; i < row->count; i++)
		weir_cell_scale(&row->entries[i].cell, node->mult);
	if (!row->first)
		return;
	row->first = weir_nodeinfo_real(node, row->first);
	row->last = weir_nodeinfo_real(node, row->last);
}

/* Of each call, when it was counted, by itself: none is known to overlap. */
static int add_times(struct gathering *g, uint32_t proc, int is_channel,
		     struct weir_row *row)
{
	uint64_t all = 0;
	int err = 0;

	for (uint32_t i = 0; i < row->count; i++)
		all += row->entries[i].cell.outer;
	for (uint32_t i = 0; !err && i < row->count; i++) {
		const struct weir_entry *entry = &row->entries[i];
		/* Old traces do not tell who made a call. */
		uint64_t time = all ? entry->cell.outer : entry->cell.time;
		uint32_t marks = weir_callviews_marks_on(
			g->views, entry->call, is_channel);
		enum weir_iotime_part part = weir_iotime_part_of(marks);

		if (!time)
			continue;
		err = weir_iotime_add(weir_callviews_times(g->views), proc,
				      part, time, entry->cell.longest);
		if (part > WEIR_IOTIME_WAITING)
			continue;
		row->own += time;
		if (entry->cell.longest > row->longest)
			row->longest = entry->cell.longest;
	}
	row->is_channel |= is_channel != 0;
	return err;
}

/* What the program does with files; not with what the system makes up. */
static int infer_from_sums(struct gathering *g, uint32_t file, uint32_t proc,
			   const struct weir_profile_row *from)
{
	if (from->kind != WEIR_PROFILE_FILE ||
	    weir_callviews_is_channel(g->views, from->name, from->name_len) ||
	    weir_callviews_is_live(from->name, from->name_len))
		return 0;
	return weir_infer_sums(&from->row, file, proc, g->views,
			       &g->facts->clues);
}

/* One row of the sums of a process, to those of its file and process. */
static int add_profile_row(struct gathering *g, uint32_t proc,
			   struct weir_profile_row *from)
{
	struct weir_totals *t = &g->facts->totals;
	struct weir_row *file = &t->others, *process;
	uint32_t number = 0, pair;
	int fresh, err, is_channel;

	scale_row(weir_reader_node_of(g->reader, proc), &from->row);
	for (uint32_t i = 0; i < from->row.count; i++)
		weir_callviews_meet(g->views, proc, from->row.entries[i].call);
	err = weir_callviews_number(g->views, from->name, from->name_len,
				    &number);
	if (err || number == NO)
		return err;
	if (from->kind != WEIR_PROFILE_OTHERS)
		file = weir_stock_row(&t->files, number);
	process = weir_ledger_row(&t->processes, proc);
	if (!file || !process)
		return -ENOMEM;
	t->folded += from->names;
	fresh = weir_callviews_pair(g->views, number, proc, &pair);
	if (fresh < 0)
		return fresh;
	file->processes += (uint32_t)fresh;
	is_channel = weir_callviews_is_channel(g->views, from->name,
					       from->name_len);
	for (uint32_t i = 0; i < from->row.count; i++)
		weir_layersum_add(
			g->facts->layers,
			weir_callviews_call(g->views,
					    from->row.entries[i].call),
			&from->row.entries[i].cell, is_channel);
	err = add_times(g, proc, is_channel, &from->row);
	err = err ? err : infer_from_sums(g, number, proc, from);
	err = err ? err : weir_row_merge(file, &from->row);
	return err ? err : weir_row_merge(process, &from->row);
}

static int add_profile(struct gathering *g, uint32_t proc,
		       const struct weir_bytes *payload)
{
	struct weir_profile_walk walk = { payload->data, payload->used };
	struct weir_profile_row row;
	int more, err = 0;

	g->facts->totals.has_sums = 1;
	while (!err && (more = weir_profile_next(&walk, &row)) > 0) {
		err = add_profile_row(g, proc, &row);
		weir_row_fini(&row.row);
	}
	if (!err && more == -EBADMSG)
		weir_reader_note_damage(g->reader);
	return err ? err : more == -EBADMSG ? 0 : more;
}

/* The processes of which only sums were kept. */
static int add_profiles(struct gathering *g)
{
	struct weir_bytes payload = { 0 };
	int more, err = 0;

	for (uint32_t i = 0; !err && i < 2 * weir_reader_processes(g->reader);
	     i++) {
		more = weir_reader_profile(g->reader, i / 2 + 1, i % 2,
					   &payload);
		err = more > 0 ? add_profile(g, i / 2 + 1, &payload) : more;
	}
	weir_bytes_fini(&payload);
	return err;
}

static int take_view(void *shard, const struct weir_callview *view)
{
	return weir_shard_take(shard, view);
}

static int add_events(struct gathering *g)
{
	void *states[WEIR_PASS_STATES];

	for (unsigned i = 0; i < WEIR_PASS_STATES; i++) {
		struct weir_shard *shard = &g->shards[i];

		shard->reader = g->reader;
		shard->uses.reader = g->reader;
		shard->files.most = g->facts->totals.files.most /
				    WEIR_PASS_STATES;
		if (!weir_reader_clocks(g->reader, &shard->conflicts.error))
			shard->conflicts.error = 0;
		states[i] = shard;
	}
	return weir_tracescan_run(g->views, take_view, states, g->workers);
}

/* Rows that are new are taken over, the others added; `from` is gone then. */
static int move_ledger(struct weir_ledger *to, struct weir_ledger *from)
{
	int err = 0;

	for (size_t i = 0; !err && i < from->count; i++) {
		struct weir_row *old = &from->rows[i];
		struct weir_row *row = weir_ledger_row(to, old->key);

		if (!row) {
			err = -ENOMEM;
		} else if (!row->count && !row->processes) {
			*row = *old;
			old->entries = NULL;
		} else {
			row->processes += old->processes;
			err = weir_row_merge(row, old);
		}
	}
	weir_ledger_fini(from);
	return err;
}

static void merge_layers(struct weir_layer_sum *to,
			 const struct weir_layer_sum *from)
{
	for (int i = 0; i < WEIR_CALLVIEW_LAYERS; i++) {
		to[i].calls += from[i].calls;
		to[i].time += from[i].time;
		to[i].self += from[i].self;
		to[i].read += from[i].read;
		to[i].written += from[i].written;
	}
}

static void merge_rates(struct weir_rates *to, const struct weir_rates *from)
{
	for (int l = 0; l < WEIR_CALLVIEW_LAYERS; l++) {
		for (int c = 0; c < WEIR_CLASS_COUNT; c++) {
			to->bytes[l][c] += from->bytes[l][c];
			to->time[l][c] += from->time[l][c];
		}
	}
}

static int merge_spreads(struct weir_spreads *to,
			 const struct weir_spreads *from)
{
	int err = 0;

	for (int l = 0; l < WEIR_CALLVIEW_LAYERS; l++) {
		for (int c = 0; !err && c < WEIR_CLASS_COUNT; c++) {
			err = weir_spread_merge(&to->times[l][c],
						&from->times[l][c]);
			err = err ? err :
				    weir_spread_merge(&to->sizes[l][c],
						      &from->sizes[l][c]);
		}
	}
	return err;
}

static void add_paces(struct weir_rates *to, const struct weir_flows *flows)
{
	for (size_t i = 0; i < flows->count; i++) {
		const struct weir_flow *flow = &flows->list[i];
		struct weir_flow_pace *pace =
			&to->pace[flow->layer][flow->class];

		for (int k = 0; k < WEIR_FLOW_PACES; k++) {
			pace->time[k] += flow->pace.time[k];
			pace->calls[k] += flow->pace.calls[k];
		}
	}
}

/* Rates are those of the whole run before clues are drawn from them. */
static int merge_shards(struct gathering *g)
{
	struct weir_runfacts *f = g->facts;
	struct weir_rates rates = { 0 };
	int err = 0;

	for (unsigned i = 0; i < WEIR_PASS_STATES; i++) {
		merge_rates(&rates, &g->shards[i].rates);
		add_paces(&rates, &g->shards[i].flows);
	}
	for (unsigned i = 0; !err && i < WEIR_PASS_STATES; i++) {
		struct weir_shard *shard = &g->shards[i];

		err = weir_infer(shard, &rates);
		err = err ? err : weir_writers_add(&g->writers, shard,
						   &f->totals.names);
		err = err ? err : weir_searches_add(&g->searches, &shard->uses,
						    &f->totals.names);
		err = err ? err : weir_filesum_add(&f->files, &shard->uses,
						   g->reader);
		weir_flows_fini(&shard->flows);
		weir_uses_fini(&shard->uses);
		weir_sharing_fini(&shard->sharing);
		err = err ? err : weir_stock_merge(&f->totals.files,
						   &shard->files);
		err = err ? err : move_ledger(&f->totals.processes,
					      &shard->processes);
		err = err ? err : weir_clues_merge(&f->clues, &shard->clues);
		weir_clues_fini(&shard->clues);
		err = err ? err : weir_spending_merge(&f->spending,
						      &shard->spending);
		err = err ? err : weir_hints_merge(&f->hints, &shard->hints);
		err = err ? err : weir_effects_merge(&f->effects,
						     &shard->effects);
		err = err ? err : merge_spreads(&f->spreads, &shard->spreads);
		merge_layers(f->layers, shard->layers);
		err = err ? err : weir_row_merge(&f->totals.unreturned,
						 &shard->entered);
		f->totals.behind += shard->behind;
		f->totals.has_sums |= shard->has_sums;
		f->totals.is_untimed |= shard->is_untimed;
	}
	weir_filesum_sort(&f->files);
	f->totals.entered = weir_row_weight(&f->totals.unreturned);
	err = err ? err : weir_searches_infer(&g->searches, &f->clues);
	err = err ? err : weir_stock_settle(&f->totals.files);
	weir_hints_sort(&f->hints);
	/* All processes' last calls are known now. */
	for (unsigned i = 0; !err && i < WEIR_PASS_STATES; i++) {
		err = weir_conflicts_judge(&g->shards[i].conflicts,
					   &f->totals.processes, g->reader,
					   &f->clues);
		f->unchecked += weir_conflicts_unchecked(
			&g->shards[i].conflicts, &f->totals.processes,
			g->reader);
	}
	return err;
}

/* The descriptions of calls are kept for who prints them. */
static int keep_calls(struct gathering *g)
{
	struct weir_totals *t = &g->facts->totals;

	t->calls = calloc(UINT16_MAX + 1, sizeof(*t->calls));
	t->classes = calloc(UINT16_MAX + 1, 1);
	if (!t->calls || !t->classes)
		return -ENOMEM;
	for (uint32_t i = 0; i <= UINT16_MAX; i++) {
		t->calls[i] = weir_callviews_call(g->views, (uint16_t)i);
		t->classes[i] =
			(uint8_t)weir_callviews_class(g->views, (uint16_t)i);
	}
	return 0;
}

/* Files that profiles had no room for, and those that we had none for. */
static int take_others(struct weir_totals *t)
{
	t->folded += t->files.folded;
	return weir_row_merge(&t->others, &t->files.others);
}

/* How the work was divided must not show. */
static void sort_rows(struct weir_totals *t)
{
	for (size_t i = 0; i < t->processes.count; i++)
		weir_row_sort(&t->processes.rows[i]);
	weir_row_sort(&t->others);
	weir_row_sort(&t->total);
	weir_row_sort(&t->unreturned);
}

static int list_ranks(struct weir_runfacts *f,
		      const struct weir_reader *reader)
{
	for (uint32_t i = 1; i <= weir_reader_processes(reader); i++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, i);

		if (!process || weir_procinfo_rank(process) < 0)
			continue;
		if ((uint64_t)weir_procinfo_rank(process) >= f->size)
			f->size = (uint64_t)weir_procinfo_rank(process) + 1;
		f->mpi = f->mpi ?: weir_procinfo_tells(process, "mpi");
		if (WEIR_GROW(f->ranks, f->rank_count, f->rank_room))
			return -ENOMEM;
		f->ranks[f->rank_count++] = i;
	}
	return 0;
}

/* What is true of all rows together. */
static int conclude_facts(struct gathering *g)
{
	struct weir_totals *t = &g->facts->totals;
	int err = keep_calls(g) ?: list_ranks(g->facts, g->reader) ?:
		  take_others(t);

	t->times = *weir_callviews_times(g->views);
	*weir_callviews_times(g->views) = (struct weir_iotime){ 0 };
	weir_callviews_operations(g->views, &t->submitted, &t->completed);
	for (size_t i = 0; !err && i < t->processes.count; i++) {
		struct weir_row *row = &t->processes.rows[i];
		struct weir_iotime_span span = weir_iotime_of(
			&t->times, (uint32_t)row->key, WEIR_IOTIME_IO);
		const struct weir_procinfo *process =
			weir_reader_process(g->reader, (uint32_t)row->key);

		row->own = row->longest = row->is_channel = 0;
		err = weir_row_merge(&t->total, row);
		row->own = span.time;
		row->longest = span.longest;
		if (span.time > t->total.own)
			t->total.own = span.time;
		if (span.longest > t->total.longest)
			t->total.longest = span.longest;
		for (size_t k = 0; process && k < process->thread_count; k++)
			t->threads += !process->threads[k].level;
	}
	sort_rows(t);
	weir_reader_losses(g->reader, &t->losses);
	g->facts->overflowed = weir_callviews_overflowed(g->views);
	g->facts->has_sites = weir_callviews_has_sites(g->views);
	return err;
}

/* What was counted is of all files and processes. */
static int add_plan(struct gathering *g,
		    const struct weir_callviews_filter *filter)
{
	struct weir_runfacts *f = g->facts;
	struct weir_outcome *outcome;
	int err = weir_reader_outcome(g->reader, &outcome);

	f->plan = weir_effects_hash_plan(outcome);
	if (!err && !filter->process && !filter->file)
		err = weir_effects_complete(&f->effects, outcome);
	weir_effects_sort(&f->effects);
	weir_outcome_free(outcome);
	return err;
}

/* Threads are not worth their start for a few events. */
static unsigned choose_workers(const struct weir_reader *reader,
			       unsigned asked)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (!asked && weir_reader_calls(reader) < 100000)
		return 1;
	if (!asked)
		asked = processors > 1 ? (unsigned)processors : 1;
	return asked < WEIR_PASS_STATES ? asked : WEIR_PASS_STATES;
}

/* Names of very many files, and rows of them, leave less for the rest. */
static void share_memory(struct gathering *g)
{
	const struct weir_names *names = weir_reader_all_names(g->reader);
	unsigned runs = g->facts->runs ?: 1;

	g->facts->totals.files.most = g->facts->most_rows ?: WEIR_STOCK_MOST;
	if (names->count > WEIR_CALLVIEWS_FILES ||
	    weir_names_bytes(names) > NAMES / runs)
		weir_callviews_limit(g->views, WEIR_CALLVIEWS_PAIRS / 2 / runs);
}

int weir_runfacts_gather(struct weir_runfacts *facts,
			 struct weir_reader *reader,
			 const struct weir_callviews_filter *filter,
			 unsigned workers)
{
	struct gathering g = { .facts = facts, .reader = reader };
	int err;

	facts->totals.others.key = NO;
	g.workers = choose_workers(reader, workers);
	weir_reader_limit(reader, WEIR_RUNFACTS_READER);
	err = weir_callviews_new(reader, filter, &facts->totals.names,
				 &g.views);
	if (err)
		return err;
	share_memory(&g);
	err = add_profiles(&g);
	err = err ? err : add_events(&g);
	err = err ? err : merge_shards(&g);
	err = err ? err : add_plan(&g, filter);
	err = err ? err : conclude_facts(&g);
	/* Who shares the work is not to be seen in a part of the run. */
	if (!err && !filter->process && !filter->file)
		err = weir_infer_run(facts, reader) ?:
		      weir_infer_forward(facts, &g.writers, reader);
	weir_clues_close(&facts->clues);
	weir_writers_fini(&g.writers);
	weir_searches_fini(&g.searches);
	for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
		weir_shard_fini(&g.shards[i]);
	weir_callviews_free(g.views);
	return err;
}
