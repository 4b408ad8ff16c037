/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes all totals as one JSON object. */
#include "report/as_json.h"

#include "analyse/sums/headline.h"
#include "analyse/view/who.h"
#include "report/as_advice.h"
#include "report/as_ending.h"
#include "report/as_plan.h"
#include "report/output/jsonout.h"

#include <stdlib.h>
#include <string.h>

static void put_numbers(struct weir_text *out, const char *key,
			const uint64_t *numbers, int count)
{
	weir_jsonout_key(out, key, 0);
	for (int i = 0; i < count; i++) {
		weir_text_char(out, i ? ',' : '[');
		weir_text_unsigned(out, numbers[i]);
	}
	weir_text_char(out, ']');
}

/* What has no meaning for calls of this class is left out. */
static void put_cell(struct weir_text *out, const struct weir_cell *cell,
		     enum weir_callclass class)
{
	weir_jsonout_key(out, "calls", 1);
	weir_text_unsigned(out, cell->calls);
	weir_jsonout_number(out, "failed", cell->failed);
	weir_jsonout_number(out, "time", cell->time);
	weir_jsonout_number(out, "timed", cell->timed);
	weir_jsonout_number(out, "longest", cell->longest);
	if (weir_callclass_moves(class)) {
		weir_jsonout_number(out, "bytes", cell->bytes);
		weir_jsonout_number(out, "top", cell->top);
		weir_jsonout_number(out, "placed", cell->placed);
		weir_jsonout_number(out, "follow", cell->follow);
		weir_jsonout_number(out, "ahead", cell->ahead);
	}
	if (weir_callclass_has_size(class))
		put_numbers(out, "sizes", cell->sizes, WEIR_SUM_SIZES);
	put_numbers(out, "waits", cell->waits, WEIR_SUM_WAITS);
}

/* A call that the dictionary lacks is known by its number alone. */
static void put_call_name(struct weir_text *out, const struct weir_call *call,
			  uint16_t id)
{
	weir_text_char(out, '"');
	if (call) {
		weir_text_string(out, call->name);
	} else {
		weir_text_string(out, "call#");
		weir_text_unsigned(out, id);
	}
	weir_text_char(out, '"');
}

/* Class and layer stand with each call, so that sums by them need no table. */
static void put_calls(struct weir_text *out, const struct weir_totals *f,
		      const struct weir_row *row)
{
	weir_jsonout_key(out, "calls", 0);
	for (uint32_t i = 0; i < row->count; i++) {
		uint16_t id = row->entries[i].call;
		const struct weir_call *call = f->calls[id];
		enum weir_callclass class = f->classes[id];

		weir_text_char(out, i ? ',' : '{');
		put_call_name(out, call, id);
		weir_text_string(out, ":{");
		put_cell(out, &row->entries[i].cell, class);
		weir_jsonout_string(out, "class", weir_callclass_name(class));
		weir_jsonout_string(out, "layer", call ? call->layer : NULL);
		weir_text_char(out, '}');
	}
	weir_text_string(out, row->count ? "}" : "{}");
}

static void put_classes(struct weir_text *out, const struct weir_totals *f,
			const struct weir_row *row)
{
	int some = 0;

	weir_jsonout_key(out, "classes", 0);
	weir_text_char(out, '{');
	for (int class = 0; class < WEIR_CLASS_COUNT; class++) {
		struct weir_cell sum = weir_totals_sum(f, row, class);

		if (!sum.calls)
			continue;
		weir_jsonout_key(out, weir_callclass_name(class), !some);
		weir_text_char(out, '{');
		put_cell(out, &sum, class);
		weir_text_char(out, '}');
		some = 1;
	}
	weir_text_char(out, '}');
}

/* Moments count from the first of the trace. */
static void put_use(struct weir_text *out, const struct weir_totals *f,
		    const struct weir_row *row)
{
	struct weir_digest digest = weir_totals_digest(f, row);

	if (row->first) {
		weir_jsonout_number(out, "first", row->first - f->total.first);
		weir_jsonout_number(out, "last", row->last - f->total.first);
	}
	weir_jsonout_number(out, "read", digest.read);
	weir_jsonout_number(out, "written", digest.written);
	weir_jsonout_number(out, "time", digest.time);
	put_classes(out, f, row);
	put_calls(out, f, row);
}

/* A null name stands for calls on no file; it has a row so that sums agree. */
static void put_files(struct weir_text *out, const struct weir_totals *f,
		      const uint32_t *files, size_t most)
{
	weir_jsonout_key(out, "files", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < f->files.count && i < most; i++) {
		const struct weir_row *row = weir_stock_at(&f->files, files[i]);
		size_t len = 0;
		const char *name = weir_names_get(&f->names,
						  (uint32_t)row->key, &len);

		weir_text_string(out, i ? ",\n{" : "\n{");
		weir_jsonout_key(out, "name", 1);
		if (name)
			weir_text_json(out, name, len);
		else
			weir_text_string(out, "null");
		weir_jsonout_number(out, "processes", row->processes);
		if (weir_totals_is_object(f, row))
			weir_text_string(out, ",\"object\":true");
		put_use(out, f, row);
		weir_text_char(out, '}');
	}
	weir_text_string(out, "]");
}

static void put_args(struct weir_text *out,
		     const struct weir_procinfo *process)
{
	weir_jsonout_key(out, "args", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < process->arg_count; i++) {
		if (i)
			weir_text_char(out, ',');
		weir_text_json(out, process->args[i],
			       strlen(process->args[i]));
	}
	weir_text_char(out, ']');
}

/*
 * What is not known is left out, not guessed: a killed process may have left no
 * description.
 */
static void put_process(struct weir_text *out, const struct weir_totals *f,
			const struct weir_row *row,
			const struct weir_reader *reader)
{
	uint32_t number = (uint32_t)row->key;
	const struct weir_procinfo *process =
		weir_reader_process(reader, number);
	const struct weir_nodeinfo *node = weir_reader_node_of(reader, number);

	weir_jsonout_key(out, "number", 1);
	weir_text_unsigned(out, number);
	if (node)
		weir_jsonout_string(out, "host", node->host);
	if (process) {
		weir_jsonout_number(out, "pid", process->pid);
		if (weir_procinfo_rank(process) >= 0)
			weir_jsonout_number(out, "rank",
				   (uint64_t)weir_procinfo_rank(process));
		weir_jsonout_string(out, "program", process->exe);
		weir_jsonout_string(out, "state", process->state);
		weir_as_ending_members(out, process);
		put_args(out, process);
	}
	put_use(out, f, row);
}

static void put_processes(struct weir_text *out, const struct weir_totals *f,
			  const struct weir_reader *reader,
			  const struct weir_digest *processes, size_t most)
{
	weir_jsonout_key(out, "processes", 0);
	weir_text_char(out, '[');
	for (size_t i = 0; i < f->processes.count && i < most; i++) {
		weir_text_string(out, i ? ",\n{" : "\n{");
		put_process(out, f, processes[i].row, reader);
		weir_text_char(out, '}');
	}
	weir_text_string(out, "]");
}

/* What sums do not tell is null. */
static void put_filesum(struct weir_text *out,
			const struct weir_runfacts *facts)
{
	const struct weir_totals *totals = &facts->totals;
	struct weir_filesum sum = weir_filesum_of(totals, &facts->files);

	weir_jsonout_key(out, "all_files", 0);
	weir_text_char(out, '{');
	weir_jsonout_key(out, "count", 1);
	weir_text_unsigned(out, sum.files);
	weir_jsonout_number(out, "size", sum.size);
	weir_jsonout_number(out, "shared", sum.shared);
	weir_jsonout_number(out, "across_nodes", sum.across);
	weir_jsonout_key(out, "passed_on", 0);
	if (totals->has_sums)
		weir_text_string(out, "null");
	else
		weir_text_unsigned(out, sum.passed_on);
	weir_jsonout_number(out, "read_again", sum.again);
	weir_text_char(out, '}');
}

/*
 * Every counter is there, also those that are zero: readers need not know which
 * may be missing.
 */
static void put_unseen(struct weir_text *out, const struct weir_totals *f)
{
	const struct weir_reader_losses *losses = &f->losses;
	struct weir_unrecorded_count none =
		weir_unrecorded_sum(&losses->unrecorded);

	weir_jsonout_key(out, "unseen", 0);
	weir_text_char(out, '{');
	weir_jsonout_key(out, "dropped", 1);
	weir_text_unsigned(out, losses->dropped);
	weir_jsonout_number(out, "lost", losses->lost);
	for (int i = 0; i < 4; i++)
		weir_jsonout_number(out, weir_procinfo_hidden[i],
				    losses->hidden[i]);
	weir_jsonout_number(out, "never_returned", f->entered);
	weir_jsonout_number(out, "unrecorded_processes", none.processes);
	weir_jsonout_number(out, "unrecorded_calls", none.calls);
	weir_jsonout_number(out, "damaged_events", losses->damaged_events);
	weir_jsonout_number(out, "damaged_blocks", losses->damaged_blocks);
	weir_jsonout_number(out, "damaged_bytes", losses->damaged_bytes);
	weir_jsonout_number(out, "unended", losses->unended);
	weir_jsonout_number(out, "refused", losses->refused);
	weir_text_char(out, '}');
}

/* Times of events count from `begin`, which is UTC in nanoseconds. */
static void put_trace(struct weir_text *out, const struct weir_totals *f,
		      const struct weir_reader *reader)
{
	const struct weir_nodeinfo *node;

	weir_jsonout_key(out, "manner", 1);
	weir_text_string(out, f->has_sums     ? "\"profile\""
			      : f->is_untimed ? "\"ring\""
					      : "\"calls\"");
	weir_jsonout_key(out, "hosts", 0);
	weir_text_char(out, '[');
	for (uint32_t i = 0; (node = weir_reader_node(reader, i)); i++) {
		if (i)
			weir_text_char(out, ',');
		weir_text_json(out, node->host, strlen(node->host));
	}
	weir_text_char(out, ']');
	weir_jsonout_number(out, "begin", f->total.first);
	weir_jsonout_number(out, "span", f->total.last - f->total.first);
	weir_jsonout_number(out, "process_count",
			    weir_who_own(reader, NULL));
	weir_jsonout_number(out, "threads", f->threads);
}

/* Each of the process that it took longest. */
static void put_times(struct weir_text *out,
		      const struct weir_headline *headline)
{
	weir_jsonout_key(out, "times", 0);
	weir_text_char(out, '{');
	for (int i = 0; i < WEIR_IOTIME_PARTS; i++) {
		const struct weir_headline_part *part = &headline->parts[i];

		weir_jsonout_key(out, weir_headline_key(i), !i);
		weir_text_string(out, "{\"time\":");
		weir_text_unsigned(out, part->time);
		weir_jsonout_number(out, "process", part->proc);
		weir_jsonout_number(out, "calls", part->calls);
		weir_jsonout_number(out, "read", part->read);
		weir_jsonout_number(out, "written", part->written);
		weir_text_char(out, '}');
	}
	weir_text_char(out, '}');
}

/* The same points as the text shows, by the names statisticians use. */
static void put_spread(struct weir_text *out, const char *key,
		       const struct weir_spread *spread)
{
	static const struct {
		const char *key;
		unsigned thousandths;
	} parts[] = { { "p10", 100 }, { "p50", 500 }, { "p90", 900 },
		      { "p99", 990 }, { "p999", 999 } };

	weir_jsonout_key(out, key, 0);
	weir_text_string(out, "{\"least\":");
	weir_text_unsigned(out, spread->least);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		weir_jsonout_number(out, parts[i].key,
				    weir_spread_at(spread,
						   parts[i].thousandths));
	weir_jsonout_number(out, "most", spread->most);
	weir_text_char(out, '}');
}

/* How calls of a layer are spread, by class. */
static void put_spreads(struct weir_text *out,
			const struct weir_runfacts *facts, unsigned layer)
{
	int some = 0;

	weir_jsonout_key(out, "spread", 0);
	weir_text_char(out, '{');
	for (int class = 0; class < WEIR_CLASS_COUNT; class++) {
		const struct weir_spread *times =
			&facts->spreads.times[layer][class];
		const struct weir_spread *sizes =
			&facts->spreads.sizes[layer][class];

		if (!times->count)
			continue;
		weir_jsonout_key(out, weir_callclass_name(class), !some);
		weir_text_string(out, "{\"calls\":");
		weir_text_unsigned(out, times->count);
		put_spread(out, "time", times);
		if (sizes->count)
			put_spread(out, "bytes", sizes);
		weir_text_char(out, '}');
		some = 1;
	}
	weir_text_char(out, '}');
}

/* Times of all processes added up, by layer. */
static void put_layers(struct weir_text *out, const struct weir_runfacts *facts)
{
	int some = 0;

	weir_jsonout_key(out, "layers", 0);
	weir_text_char(out, '{');
	for (unsigned i = 0; i < WEIR_CALLVIEW_LAYERS; i++) {
		const struct weir_layer_sum *sum = &facts->layers[i];

		if (!sum->calls)
			continue;
		weir_jsonout_key(out, weir_callviews_layer_name(i), !some);
		weir_text_char(out, '{');
		weir_jsonout_key(out, "calls", 1);
		weir_text_unsigned(out, sum->calls);
		weir_jsonout_number(out, "time", sum->time);
		weir_jsonout_number(out, "busy",
				    weir_iotime_busy(&facts->totals.times, i));
		weir_jsonout_number(out, "self",
				    weir_layer_sum_self(sum));
		weir_jsonout_number(out, "read", sum->read);
		weir_jsonout_number(out, "written", sum->written);
		put_spreads(out, facts, i);
		weir_text_char(out, '}');
		some = 1;
	}
	weir_text_char(out, '}');
}

int weir_as_json_write(struct weir_text *out, const struct weir_runfacts *facts,
		       const struct weir_findings *findings,
		       const struct weir_reader *reader)
{
	return weir_as_json_write_part(out, facts, findings, reader, SIZE_MAX);
}

/*
 * Sorting may fail for want of memory: it comes before the first byte, so that
 * what is printed is a whole object or nothing.
 */
int weir_as_json_write_part(struct weir_text *out,
			    const struct weir_runfacts *facts,
			    const struct weir_findings *findings,
			    const struct weir_reader *reader, size_t most)
{
	const struct weir_totals *totals = &facts->totals;
	const struct weir_headline headline = weir_headline_of(totals);
	struct weir_digest *processes;
	uint32_t *files;
	int err = weir_totals_sort_files(totals, WEIR_ORDER_BYTES, &files);

	if (err)
		return err;
	err = weir_totals_sort(totals, WEIR_ORDER_KEY, &processes);
	if (err) {
		free(files);
		return err;
	}
	weir_text_char(out, '{');
	put_trace(out, totals, reader);
	weir_text_string(out, ",\n\"total\":{\"files\":");
	weir_text_unsigned(out, headline.files);
	weir_jsonout_number(out, "objects", headline.objects);
	weir_jsonout_number(out, "channels", headline.channels);
	weir_jsonout_number(out, "call_count", headline.calls);
	weir_jsonout_number(out, "failed", headline.failed);
	weir_jsonout_number(out, "copied", headline.copied);
	put_use(out, totals, &totals->total);
	weir_text_char(out, '}');
	weir_as_ending_json(out, reader);
	put_times(out, &headline);
	put_files(out, totals, files, most);
	weir_text_string(out, ",\n\"others\":{\"files\":");
	weir_text_unsigned(out, totals->folded);
	put_use(out, totals, &totals->others);
	weir_text_char(out, '}');
	put_processes(out, totals, reader, processes, most);
	put_layers(out, facts);
	weir_as_plan_json(out, facts);
	weir_as_advice_json(out, facts, findings);
	put_filesum(out, facts);
	put_unseen(out, totals);
	weir_text_string(out, "}\n");
	free(files);
	free(processes);
	return 0;
}
