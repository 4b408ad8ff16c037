/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a comparison of two runs as one JSON object. */
#include "report/compare/compare_json.h"

#include "analyse/compare/caveats.h"
#include "analyse/view/who.h"
#include "report/output/jsonout.h"

#include <string.h>

/* One comparison being written. */
struct document {
	struct weir_text *out;
	const struct weir_compare *compare;
};

static const char *const letters[] = { "a", "b" };

static void put_word(struct weir_text *out, const char *key, int is_true)
{
	weir_jsonout_key(out, key, 0);
	weir_text_string(out, is_true ? "true" : "false");
}

/*
 * Both, the change and the ratio, so that scripts need not divide by zero;
 * `changed` is what the text shows as no noise.
 */
static void put_value(const struct document *d,
		      const struct weir_figure *figure,
		      enum weir_compare_unit unit)
{
	uint64_t a = figure->of[0], b = figure->of[1];

	weir_text_string(d->out, "{\"a\":");
	weir_text_unsigned(d->out, a);
	weir_jsonout_number(d->out, "b", b);
	weir_jsonout_key(d->out, "change", 0);
	weir_text_string(d->out, b < a ? "-" : "");
	weir_text_unsigned(d->out, b < a ? a - b : b - a);
	weir_jsonout_key(d->out, "ratio", 0);
	if (a)
		weir_text_format(d->out, "%.6g", (double)b / (double)a);
	else
		weir_text_string(d->out, "null");
	put_word(d->out, "changed",
		 weir_comparison_changed(d->compare, figure, unit));
	weir_text_char(d->out, '}');
}

static void put_figure(const struct document *d, const char *key,
		       const struct weir_figure *figure,
		       enum weir_compare_unit unit)
{
	weir_jsonout_key(d->out, key, 0);
	put_value(d, figure, unit);
}

static void put_hosts(const struct document *d,
		      const struct weir_reader *reader)
{
	const struct weir_nodeinfo *node;

	weir_jsonout_key(d->out, "hosts", 0);
	weir_text_char(d->out, '[');
	for (uint32_t i = 0; (node = weir_reader_node(reader, i)); i++) {
		if (i)
			weir_text_char(d->out, ',');
		weir_text_json(d->out, node->host, strlen(node->host));
	}
	weir_text_char(d->out, ']');
}

static void put_command(const struct document *d,
			const struct weir_reader *reader)
{
	const struct weir_procinfo *first;

	weir_who_own(reader, &first);
	weir_jsonout_key(d->out, "command", 0);
	weir_text_char(d->out, '[');
	for (size_t i = 0; first && i < first->arg_count; i++) {
		if (i)
			weir_text_char(d->out, ',');
		weir_text_json(d->out, first->args[i], strlen(first->args[i]));
	}
	weir_text_char(d->out, ']');
}

/* How each run was recorded: figures of a profile are estimates. */
static void put_run(const struct document *d, int number)
{
	const struct weir_compare_run *run = &d->compare->runs[number];
	const struct weir_totals *totals = &run->facts->totals;

	weir_text_string(d->out, "\n");
	weir_jsonout_key(d->out, letters[number], 1);
	weir_text_string(d->out, "{\"trace\":");
	weir_text_json(d->out, run->path, strlen(run->path));
	weir_jsonout_string(d->out, "manner",
			    totals->has_sums ? "profile" : "calls");
	weir_jsonout_number(d->out, "begin", totals->total.first);
	put_command(d, run->reader);
	put_hosts(d, run->reader);
	weir_text_string(d->out, "},");
}

/* Ids do not change when texts do. */
static void put_caveats(const struct document *d)
{
	struct weir_caveat caveats[WEIR_CAVEATS_MOST];
	unsigned count = weir_caveats_find(d->compare, caveats);

	weir_text_string(d->out, ",\n\"caveats\":[");
	for (unsigned i = 0; i < count; i++) {
		weir_text_string(d->out, i ? ",\n{" : "\n{");
		weir_jsonout_key(d->out, "id", 1);
		weir_text_json(d->out, caveats[i].id, strlen(caveats[i].id));
		weir_jsonout_string(d->out, "text", caveats[i].text);
		for (int run = 0; run < 2; run++)
			weir_jsonout_number(d->out, letters[run],
					    caveats[i].figure.of[run]);
		weir_text_char(d->out, '}');
	}
	weir_text_char(d->out, ']');
}

static void put_figures(const struct document *d)
{
	weir_text_string(d->out, ",\n\"total\":{");
	for (int i = 0; i < WEIR_FIGURE_COUNT; i++) {
		weir_jsonout_key(d->out, weir_comparison_measures[i].id, !i);
		put_value(d, &d->compare->figures[i],
			  weir_comparison_measures[i].unit);
	}
	weir_text_char(d->out, '}');
}

/* What files and processes have, and layers too. */
static void put_both(const struct document *d,
		     const struct weir_compare_row *row)
{
	put_figure(d, "calls", &row->calls, WEIR_UNIT_COUNT);
	put_figure(d, "read", &row->read, WEIR_UNIT_BYTES);
	put_figure(d, "written", &row->written, WEIR_UNIT_BYTES);
}

static int is_empty(const struct weir_compare_row *row)
{
	return !row->calls.of[0] && !row->calls.of[1];
}

/* Own time needs the calls below each call, which a profile does not have. */
static void put_layers(const struct document *d)
{
	int some = 0;

	weir_text_string(d->out, ",\n\"layers\":[");
	for (unsigned i = 1; i < WEIR_CALLVIEW_LAYERS; i++) {
		const struct weir_compare_row *row = &d->compare->layers[i];

		if (is_empty(row))
			continue;
		weir_text_string(d->out, some++ ? ",\n{" : "\n{");
		weir_jsonout_key(d->out, "layer", 1);
		weir_text_json(d->out, weir_callviews_layer_name(i),
			       strlen(weir_callviews_layer_name(i)));
		if (!d->compare->of_all_calls)
			put_figure(d, "self", &row->time, WEIR_UNIT_TIME);
		put_figure(d, "time", &row->whole, WEIR_UNIT_TIME);
		put_both(d, row);
		weir_text_char(d->out, '}');
	}
	weir_text_char(d->out, ']');
}

static void put_class(const struct document *d, unsigned layer, int class)
{
	const struct weir_compare_row *row =
		&d->compare->classes[layer][class];

	weir_jsonout_key(d->out, "layer", 1);
	weir_text_json(d->out, weir_callviews_layer_name(layer),
		       strlen(weir_callviews_layer_name(layer)));
	weir_jsonout_string(d->out, "class", weir_callclass_name(class));
	put_figure(d, "time", &row->time, WEIR_UNIT_TIME);
	put_figure(d, "calls", &row->calls, WEIR_UNIT_COUNT);
	if (weir_callclass_moves(class))
		put_figure(d, "bytes", &row->bytes, WEIR_UNIT_BYTES);
}

/* A list of rows and not an object by layer: scripts filter it. */
static void put_classes(const struct document *d)
{
	int some = 0;

	weir_text_string(d->out, ",\n\"classes\":[");
	for (unsigned i = 0; i < WEIR_CALLVIEW_LAYERS * WEIR_CLASS_COUNT; i++) {
		unsigned layer = i / WEIR_CLASS_COUNT;
		int class = i % WEIR_CLASS_COUNT;

		if (is_empty(&d->compare->classes[layer][class]))
			continue;
		weir_text_string(d->out, some++ ? ",\n{" : "\n{");
		put_class(d, layer, class);
		weir_text_char(d->out, '}');
	}
	weir_text_char(d->out, ']');
}

/* What one run calls it: `,"a":{...}`, or null. */
static void put_file(const struct document *d,
		     const struct weir_compare_row *row, int run)
{
	size_t len = 0;
	const char *name = weir_names_get(
		&d->compare->runs[run].facts->totals.names, row->key[run],
		&len);

	weir_text_string(d->out, "{\"name\":");
	if (name)
		weir_text_json(d->out, name, len);
	else
		weir_text_string(d->out, "null");
	weir_jsonout_number(d->out, "files", row->members[run]);
	weir_text_char(d->out, '}');
}

/* The number is that of its own trace; ranks are the same in both. */
static void put_process(const struct document *d,
			const struct weir_compare_row *row, int run)
{
	const struct weir_procinfo *process = weir_reader_process(
		d->compare->runs[run].reader, row->key[run]);

	weir_text_string(d->out, "{\"number\":");
	weir_text_unsigned(d->out, row->key[run]);
	if (process) {
		weir_jsonout_number(d->out, "pid", process->pid);
		if (weir_procinfo_rank(process) >= 0)
			weir_jsonout_number(d->out, "rank",
				(uint64_t)weir_procinfo_rank(process));
		weir_jsonout_string(d->out, "program", process->exe);
	}
	weir_text_char(d->out, '}');
}

/*
 * A row that only one run has is null in the other; `matched` tells how two
 * were found to be one.
 */
static void put_rows(const struct document *d,
		     const struct weir_compare_rows *rows,
		     void (*put)(const struct document *d,
				 const struct weir_compare_row *row, int run))
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct weir_compare_row *row = &rows->list[i];
		const char *how = weir_pairing_how_name(row->how);

		weir_text_string(d->out, i ? ",\n{" : "\n{");
		weir_jsonout_key(d->out, "matched", 1);
		weir_text_json(d->out, how, strlen(how));
		for (int run = 0; run < 2; run++) {
			weir_jsonout_key(d->out, letters[run], 0);
			if (row->members[run])
				put(d, row, run);
			else
				weir_text_string(d->out, "null");
		}
		put_figure(d, "time", &row->time, WEIR_UNIT_TIME);
		put_both(d, row);
		if (row->is_channel)
			put_word(d->out, "channel", 1);
		weir_text_char(d->out, '}');
	}
}

/* Files that did not fit into memory, so that sums agree with the total. */
static void put_others(const struct document *d)
{
	const struct weir_compare_row *row = &d->compare->others;
	const struct weir_figure files = { { row->members[0],
					     row->members[1] } };

	weir_text_string(d->out, ",\n\"others\":{\"files\":");
	put_value(d, &files, WEIR_UNIT_COUNT);
	put_figure(d, "time", &row->time, WEIR_UNIT_TIME);
	put_both(d, row);
	weir_text_char(d->out, '}');
}

/* A level of null: that run does not have the finding. */
static void put_finding(const struct document *d,
			const struct weir_compare_finding *finding)
{
	const struct weir_finding *some = finding->of[0] ? finding->of[0]
							 : finding->of[1];

	weir_jsonout_key(d->out, "id", 1);
	weir_text_json(d->out, some->rule->name, strlen(some->rule->name));
	weir_jsonout_string(d->out, "state",
			    weir_comparison_state_name(finding->state));
	weir_jsonout_key(d->out, "level", 0);
	weir_text_char(d->out, '{');
	for (int run = 0; run < 2; run++) {
		const struct weir_finding *of = finding->of[run];

		weir_jsonout_key(d->out, letters[run], !run);
		if (of)
			weir_text_format(d->out, "\"%s\"",
					 weir_findings_level_name(of->level));
		else
			weir_text_string(d->out, "null");
	}
	weir_text_char(d->out, '}');
	put_figure(d, "saving", &finding->saving, WEIR_UNIT_TIME);
}

static void put_findings(const struct document *d)
{
	weir_text_string(d->out, ",\n\"findings\":[");
	for (size_t i = 0; i < d->compare->finding_count; i++) {
		weir_text_string(d->out, i ? ",\n{" : "\n{");
		put_finding(d, &d->compare->findings[i]);
		weir_text_char(d->out, '}');
	}
	weir_text_char(d->out, ']');
}

void weir_compare_json_write(struct weir_text *out,
			     const struct weir_compare *compare)
{
	const struct document d = { out, compare };

	weir_text_char(out, '{');
	put_run(&d, 0);
	put_run(&d, 1);
	weir_text_string(out, "\n");
	weir_jsonout_key(out, "least_change", 1);
	weir_text_unsigned(out, compare->least);
	weir_jsonout_string(out, "times", compare->of_all_calls ? "all-calls"
								: "own-calls");
	put_caveats(&d);
	put_figures(&d);
	put_layers(&d);
	put_classes(&d);
	weir_text_string(out, ",\n\"files\":[");
	put_rows(&d, &compare->files, put_file);
	weir_text_char(out, ']');
	put_others(&d);
	weir_text_string(out, ",\n\"processes\":[");
	put_rows(&d, &compare->processes, put_process);
	weir_text_char(out, ']');
	put_findings(&d);
	weir_text_string(out, "}\n");
}
