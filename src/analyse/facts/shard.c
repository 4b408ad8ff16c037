/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers all facts of the files that one thread is given. */
#include "analyse/facts/shard.h"

#include "base/hash.h"
#include "spec/findings.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <string.h>

void weir_shard_forget_spreads(struct weir_spreads *spreads)
{
	for (int l = 0; l < WEIR_CALLVIEW_LAYERS; l++) {
		for (int c = 0; c < WEIR_CLASS_COUNT; c++) {
			weir_spread_fini(&spreads->times[l][c]);
			weir_spread_fini(&spreads->sizes[l][c]);
		}
	}
}

void weir_shard_fini(struct weir_shard *shard)
{
	weir_shard_forget_spreads(&shard->spreads);
	weir_stock_fini(&shard->files);
	weir_ledger_fini(&shard->processes);
	weir_flows_fini(&shard->flows);
	weir_uses_fini(&shard->uses);
	weir_clues_fini(&shard->clues);
	weir_hints_fini(&shard->hints);
	weir_effects_fini(&shard->effects);
	weir_lately_fini(&shard->ends);
	weir_conflicts_fini(&shard->conflicts);
	weir_sharing_fini(&shard->sharing);
	weir_spending_fini(&shard->spending);
	weir_row_fini(&shard->entered);
}

/* Where the call before by the same thread on the same handle ended, + 1. */
static int find_end(struct weir_shard *shard, const struct weir_event *event,
		    uint64_t *ret_end)
{
	uint32_t who[] = { event->proc, event->thread, event->call,
			   event->handle };
	uint64_t key;

	*ret_end = 0;
	if (event->flags & (WEIR_EVENT_NOOFF | WEIR_EVENT_FAILED))
		return 0;
	key = weir_hash_bytes(who, sizeof(who));
	return weir_lately_swap(&shard->ends, key,
				weir_cell_end(event) + 1 ?: 1, ret_end);
}

/* The rows of the call's file and of its process. */
static int find_rows(struct weir_shard *shard, uint32_t file, uint32_t proc,
		     struct weir_row *ret_rows[2])
{
	ret_rows[0] = weir_stock_row(&shard->files, file);
	ret_rows[1] = weir_ledger_row(&shard->processes, proc);
	return ret_rows[0] && ret_rows[1] ? 0 : -ENOMEM;
}

/* What calls on a file do for each other counts once: by the outermost. */
static void add_own(struct weir_row *file, const struct weir_callview *view)
{
	uint64_t dur = view->event.dur;

	file->processes += view->fresh;
	file->is_channel |= (view->marks & WEIR_CALLVIEW_NO_FILE) != 0;
	if (!weir_callview_is_of_file(view))
		return;
	file->own += dur;
	if (dur > file->longest)
		file->longest = dur;
}

static int add_to_shard(struct weir_shard *shard,
			const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	struct weir_row *rows[2];
	uint64_t before;
	int err = find_end(shard, event, &before);

	err = err ? err : find_rows(shard, view->file, event->proc, rows);
	for (int i = 0; !err && i < 2; i++) {
		struct weir_cell *cell = weir_row_cell(rows[i], event->call);

		if (!cell)
			return -ENOMEM;
		weir_cell_add_event(cell, event, view->moved);
		if (before)
			weir_cell_add_place(cell, (uint64_t)event->off,
					    before - 1);
		weir_row_span(rows[i], view->real, view->real + event->dur);
		if (view->way)
			cell->done[view->way - 1] += view->moved;
	}
	if (!err)
		add_own(rows[0], view);
	return err;
}

/* What a killed process left of its sums: times are ticks there. */
static int add_sum(struct weir_shard *shard, const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	const struct weir_nodeinfo *node =
		weir_reader_node_of(shard->reader, event->proc);
	struct weir_cell cell = { 0 };
	struct weir_row *rows[2];
	struct weir_sum sum;
	int err;

	if (!weir_sum_read(event, &sum) ||
	    (uint16_t)sum.key >= WEIR_NOTE_FIRST)
		return 0;
	shard->has_sums = 1;
	weir_cell_add_sum(&cell, &sum);
	weir_cell_scale(&cell, node ? node->mult : UINT64_C(1) << 32);
	err = find_rows(shard, view->file, event->proc, rows);
	for (int i = 0; !err && i < 2; i++) {
		struct weir_cell *to =
			weir_row_cell(rows[i], (uint16_t)sum.key);

		if (!to)
			return -ENOMEM;
		weir_cell_merge(to, &cell);
		if (sum.first)
			weir_row_span(rows[i], view->real,
				      view->real + event->dur);
	}
	if (err)
		return err;
	weir_layersum_add(shard->layers,
			  weir_reader_call(shard->reader,
					   &(struct weir_event){
						   .proc = event->proc,
						   .call = (uint16_t)sum.key }),
			  &cell, view->marks & WEIR_CALLVIEW_NO_FILE);
	rows[0]->processes += view->fresh;
	rows[0]->own += cell.outer;
	if (cell.outer && cell.longest > rows[0]->longest)
		rows[0]->longest = cell.longest;
	return 0;
}

/* Ends of operations are told with a time that is nobody's. */
static void add_layer(struct weir_shard *shard,
		      const struct weir_callview *view)
{
	struct weir_layer_sum *sum = &shard->layers[view->layer];
	bool is_work = view->class != WEIR_CLASS_DONE &&
		       !(view->marks & WEIR_CALLVIEW_LIES);
	uint64_t dur = is_work ? view->event.dur : 0;

	if (weir_callclass_is_inner(view->class) || !weir_callview_counts(view))
		return;
	sum->calls++;
	sum->read += weir_callview_reads(view) ? view->moved : 0;
	sum->written += weir_callview_writes(view) ? view->moved : 0;
	sum->self += dur;
	if (view->above != view->layer)
		sum->time += dur;
	if (view->above != WEIR_CALLVIEW_APPLICATION)
		shard->layers[view->above].self -= dur;
}

static int add_spread(struct weir_shard *shard,
		      const struct weir_callview *view)
{
	struct weir_spreads *spreads = &shard->spreads;
	int err = weir_spread_add(&spreads->times[view->layer][view->class],
				  view->event.dur);

	if (err || !weir_callclass_moves(view->class))
		return err;
	return weir_spread_add(&spreads->sizes[view->layer][view->class],
			       view->moved);
}

static void add_rate(struct weir_shard *shard, const struct weir_callview *view)
{
	if (view->moved < WEIR_FLOW_SMALL)
		return;
	shard->rates.bytes[view->layer][view->class] += view->moved;
	shard->rates.time[view->layer][view->class] += view->event.dur;
}

/* Without the object, nobody would have made it; the file stays. */
static int is_around(const struct weir_callview *view)
{
	return view->layer == WEIR_CALLVIEW_HDF5 &&
	       view->file != view->whole &&
	       (view->class == WEIR_CLASS_OPEN ||
		view->class == WEIR_CLASS_CLOSE);
}

/* Known at once: a transfer of HDF5 that did not go as it was to. */
static int note_broken(struct weir_shard *shard,
		       const struct weir_callview *view)
{
	const uint32_t both =
		WEIR_CALLVIEW_MEANT_TOGETHER | WEIR_CALLVIEW_WENT_APART;
	const struct weir_clue clue = {
		.rule = WEIR_RULE_BROKEN_COLLECTIVES, .file = view->whole,
		.proc = view->event.proc, .count = 1, .of = 1,
		.bytes = view->moved, .time = view->event.dur,
		.witness = weir_witness_of(&view->event),
	};

	if ((view->marks & both) != both || view->moved < WEIR_FLOW_PAGE)
		return 0; /* less is a header's, wherever it is kept */
	return weir_clues_add(&shard->clues, &clue);
}

static int note_hints(struct weir_shard *shard,
		      const struct weir_callview *view)
{
	const struct weir_procinfo *process =
		weir_reader_process(shard->reader, view->event.proc);

	return weir_hints_take(&shard->hints, &shard->clues, view,
			       weir_reader_call(shard->reader, &view->event),
			       process ? weir_procinfo_tells(process, "mpi")
				       : NULL);
}

/* Most files are of one process: what nobody else has seen is not shared. */
static int is_shared(const struct weir_shard *shard,
		     const struct weir_callview *view)
{
	const struct weir_uses *uses = &shard->uses;

	if (view->layer > WEIR_CALLVIEW_STDIO)
		return view->unit != 0;
	return uses->file_count && uses->files[uses->last].users > 1;
}

/* The sums have it already. */
static int add_echo(struct weir_shard *shard, const struct weir_callview *view)
{
	if (view->marks & (WEIR_CALLVIEW_NO_FILE | WEIR_CALLVIEW_LIVE))
		return 0;
	return weir_uses_take(&shard->uses, &shard->clues, view);
}

/* What programs and their recorder say is no call; the plan has its sums. */
static int add_mark(struct weir_shard *shard, const struct weir_callview *view)
{
	if (!(view->marks & WEIR_CALLVIEW_PLANS))
		return 0;
	return weir_effects_take(&shard->effects, view,
				 weir_reader_call(shard->reader, &view->event));
}

/* What is done with calls of the program is none of its calls. */
static int add_behind(struct weir_shard *shard,
		      const struct weir_callview *view)
{
	shard->behind++;
	add_layer(shard, view);
	return add_spread(shard, view);
}

/* Nothing but that they were made is known of them. */
static int count_entered(struct weir_shard *shard,
			 const struct weir_callview *view)
{
	struct weir_cell *cell =
		weir_row_cell(&shard->entered, view->event.call);

	if (!cell)
		return -ENOMEM;
	cell->calls++;
	return 0;
}

int weir_shard_take(struct weir_shard *shard, const struct weir_callview *view)
{
	int err;

	if (view->marks & WEIR_CALLVIEW_ECHO)
		return add_echo(shard, view);
	if (view->event.call == WEIR_NOTE_SUM)
		return add_sum(shard, view);
	if (view->layer == WEIR_CALLVIEW_MARK)
		return add_mark(shard, view);
	if (view->event.flags & WEIR_EVENT_ENTERED) {
		return count_entered(shard, view);
	}
	shard->is_untimed |= (view->marks & WEIR_CALLVIEW_UNTIMED) != 0;
	if (view->marks & WEIR_CALLVIEW_BEHIND)
		return add_behind(shard, view);
	err = add_to_shard(shard, view);
	err = err ? err : add_spread(shard, view);
	err = err ? err : weir_spending_take(&shard->spending, view);
	if (err)
		return err;
	add_layer(shard, view);
	add_rate(shard, view);
	if (!view->pair || view->layer == WEIR_CALLVIEW_CLIENT ||
	    view->marks & (WEIR_CALLVIEW_NO_FILE | WEIR_CALLVIEW_LIVE))
		return 0;
	if (weir_flows_has(view->class))
		err = weir_flows_take(&shard->flows, view);
	else if (is_around(view))
		err = weir_flows_surround(&shard->flows, view);
	if (!err && view->layer == WEIR_CALLVIEW_HDF5)
		err = note_broken(shard, view);
	if (!err && view->marks & WEIR_CALLVIEW_ASKS)
		err = note_hints(shard, view);
	if (!err)
		err = weir_conflicts_take(&shard->conflicts, view);
	err = err ? err : weir_uses_take(&shard->uses, &shard->clues, view);
	if (err || !is_shared(shard, view))
		return err;
	return weir_sharing_take(&shard->sharing, view);
}
