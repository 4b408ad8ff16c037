/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a comparison of two runs for people. */
#include "report/compare/compare_text.h"

#include "analyse/compare/caveats.h"
#include "analyse/view/who.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One comparison being written. */
struct screen {
	struct weir_text *out;
	const struct weir_compare *compare;
	uint64_t top;
};

static void print_format(const struct screen *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void print_format(const struct screen *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	weir_text_format_list(s->out, format, args);
	va_end(args);
}

static const char *const letters[] = { "A", "B" };

static const char *measure(char to[WEIR_MEASURES_ROOM], uint64_t number,
			   enum weir_compare_unit unit)
{
	static const char *(*const ways[])(char *, uint64_t) = {
		[WEIR_UNIT_TIME] = weir_measures_time,
		[WEIR_UNIT_BYTES] = weir_measures_bytes,
		[WEIR_UNIT_COUNT] = weir_measures_count,
	};

	return ways[unit](to, number);
}

/* "-1.2 s"; "=": none, "~": noise. */
static const char *change(char to[WEIR_MEASURES_ROOM + 1],
			  const struct screen *s,
			  const struct weir_figure *figure,
			  enum weir_compare_unit unit)
{
	uint64_t a = figure->of[0], b = figure->of[1];

	if (!weir_comparison_changed(s->compare, figure, unit))
		return a == b ? "=" : "~";
	to[0] = b > a ? '+' : '-';
	measure(to + 1, b > a ? b - a : a - b, unit);
	return to;
}

/* Digits by size: three that count, whether it is a thousandth or a million. */
static const char *ratio(char to[WEIR_MEASURES_ROOM], const struct screen *s,
			 const struct weir_figure *figure,
			 enum weir_compare_unit unit)
{
	double times = (double)figure->of[1] / (double)figure->of[0];

	if (!weir_comparison_changed(s->compare, figure, unit))
		return "";
	if (!figure->of[0])
		return "new";
	if (!figure->of[1])
		return "gone";
	snprintf(to, WEIR_MEASURES_ROOM,
		 times < 0.0995 ? "x%.3f" : times < 9.995 ? "x%.2f" :
		 times < 1e5 ? "x%.0f" : "x%.0e", times);
	return to;
}

/* Both, the change and the ratio: 37 letters. */
static void say_change(const struct screen *s, const struct weir_figure *figure,
		       enum weir_compare_unit unit)
{
	char a[WEIR_MEASURES_ROOM], b[WEIR_MEASURES_ROOM];
	char apart[WEIR_MEASURES_ROOM + 1], times[WEIR_MEASURES_ROOM];

	print_format(s, "%9s %9s %10s %6s", measure(a, figure->of[0], unit),
		     measure(b, figure->of[1], unit),
		     change(apart, s, figure, unit),
		     ratio(times, s, figure, unit));
}

static void say_both(const struct screen *s, const struct weir_figure *figure,
		     enum weir_compare_unit unit)
{
	char a[WEIR_MEASURES_ROOM], b[WEIR_MEASURES_ROOM];
	int width = unit == WEIR_UNIT_BYTES ? 9 : 7;

	print_format(s, " %*s %*s", width, measure(a, figure->of[0], unit),
		     width, measure(b, figure->of[1], unit));
}

static void say_safe(const struct screen *s, const char *text)
{
	weir_text_safe(s->out, text, strlen(text));
}

/*
 * One host is enough to tell two machines apart; a list would fill the screen.
 */
static void say_hosts(const struct screen *s, const struct weir_reader *reader)
{
	const struct weir_nodeinfo *node = weir_reader_node(reader, 0);
	uint32_t count = 0;

	while (weir_reader_node(reader, count))
		count++;
	if (!node)
		return;
	print_format(s, " on ");
	say_safe(s, node->host);
	if (count > 1)
		print_format(s, " and %" PRIu32 " more", count - 1);
}

static void say_run(const struct screen *s, int number)
{
	const struct weir_compare_run *run = &s->compare->runs[number];
	const struct weir_procinfo *first;
	uint64_t begin = run->facts->totals.total.first;
	uint32_t processes = weir_who_own(run->reader, &first);
	char moment[WEIR_MEASURES_ROOM] = "no calls";

	print_format(s, "%s  ", letters[number]);
	say_safe(s, run->path);
	if (begin)
		weir_measures_moment(moment, begin);
	print_format(s, ": %s, %" PRIu32 " process%s", moment, processes,
		     processes == 1 ? "" : "es");
	say_hosts(s, run->reader);
	print_format(s, "\n  ");
	for (size_t i = 0; first && i < first->arg_count; i++) {
		print_format(s, " ");
		say_safe(s, first->args[i]);
	}
	print_format(s,
		     first && first->arg_count ? "\n" : " command not known\n");
}

static void say_caveat(const struct screen *s,
		       const struct weir_caveat *caveat)
{
	const uint64_t *of = caveat->figure.of;

	if (caveat->is_count)
		print_format(s, "! %s: %" PRIu64 " in A, %" PRIu64 " in B\n",
			     caveat->text, of[0], of[1]);
	else
		print_format(s, "! %s %s\n",
			     of[0] && of[1] ? "A and B are"
			     : of[0]	    ? "A is"
					    : "B is",
			     caveat->text);
}

/* First of all: what makes figures incomparable must be read before them. */
static void say_caveats(const struct screen *s)
{
	struct weir_caveat caveats[WEIR_CAVEATS_MOST];
	unsigned count = weir_caveats_find(s->compare, caveats);

	for (unsigned i = 0; i < count; i++)
		say_caveat(s, &caveats[i]);
}

/* By the slowest process: the run ends when that one does. */
static void say_verdict(const struct screen *s)
{
	const struct weir_figure *time =
		&s->compare->figures[WEIR_FIGURE_SLOWEST];
	char a[WEIR_MEASURES_ROOM], b[WEIR_MEASURES_ROOM];
	const char *verdict = "took as long in both";

	if (weir_comparison_changed(s->compare, time, WEIR_UNIT_TIME))
		verdict = time->of[1] > time->of[0] ? "took longer in B"
						    : "took less time in B";
	print_format(s, "\nI/O %s: %s in A, %s in B, of the slowest process\n",
		     verdict, weir_measures_time(a, time->of[0]),
		     weir_measures_time(b, time->of[1]));
	print_format(s,
		     "(~ is a difference of less than %" PRIu64 "%% or 1 ms)\n",
		     s->compare->least);
}

/* Rows that are zero in both runs say nothing. */
static void say_figures(const struct screen *s)
{
	print_format(s, "\n  %-18s %9s %9s %10s %6s\n", "", "A", "B", "change",
		     "ratio");
	for (int i = 0; i < WEIR_FIGURE_COUNT; i++) {
		const uint64_t *of = s->compare->figures[i].of;

		if (!of[0] && !of[1])
			continue;
		print_format(s, "  %-18s ", weir_comparison_measures[i].title);
		say_change(s, &s->compare->figures[i],
			   weir_comparison_measures[i].unit);
		print_format(s, "\n");
	}
}

static void say_kind(const struct screen *s, const char *name, int indent,
		     const struct weir_compare_row *row)
{
	if (!row->calls.of[0] && !row->calls.of[1])
		return;
	print_format(s, "  %*s%-*s ", indent, "", 14 - indent, name);
	say_change(s, &row->time, WEIR_UNIT_TIME);
	say_both(s, &row->calls, WEIR_UNIT_COUNT);
	if (row->bytes.of[0] || row->bytes.of[1])
		say_both(s, &row->bytes, WEIR_UNIT_BYTES);
	print_format(s, "\n");
}

static void say_layer(const struct screen *s, unsigned layer)
{
	const struct weir_compare *compare = s->compare;

	say_kind(s, weir_callviews_layer_name(layer), 0,
		 &compare->layers[layer]);
	for (int i = 0; i < WEIR_CLASS_COUNT; i++)
		say_kind(s, weir_callclass_name(i), 2,
			 &compare->classes[layer][i]);
}

static void say_layers(const struct screen *s)
{
	print_format(s, "\nlayers%s, and what their calls did\n",
		     s->compare->of_all_calls ? "" : " by their own time");
	print_format(s, "  %-14s %9s %9s %10s %6s %7s %7s %9s %9s\n", "",
		     "time A", "B", "change", "ratio", "calls A", "B",
		     "bytes A", "B");
	for (unsigned i = WEIR_CALLVIEW_LAYERS; i-- > 1;)
		if (i != WEIR_CALLVIEW_MARK)
			say_layer(s, i);
}

/* The first of a group, and how many more there are. */
static void say_files(const struct screen *s,
		      const struct weir_compare_row *row, int run)
{
	size_t len = 0;
	const char *name = weir_names_get(
		&s->compare->runs[run].facts->totals.names, row->key[run],
		&len);

	if (name)
		weir_text_safe(s->out, name, len);
	else
		print_format(s, "(no file, or an unknown one)");
	if (row->members[run] > 1)
		print_format(s, " and %" PRIu32 " more", row->members[run] - 1);
}

static void say_only_in(const struct screen *s,
			const struct weir_compare_row *row)
{
	if (!row->members[0] || !row->members[1])
		print_format(s, " (only in %s)", letters[row->members[1] != 0]);
}

/* What both call it, where that is not the same. */
static void say_file(const struct screen *s,
		     const struct weir_compare_row *row)
{
	say_files(s, row, row->members[1] != 0);
	say_only_in(s, row);
	if (row->how == WEIR_PAIRED_PLACE || row->how == WEIR_PAIRED_FORM) {
		print_format(s,
			     " (by %s; A: ", weir_pairing_how_name(row->how));
		say_files(s, row, 0);
		print_format(s, ")");
	}
}

/* NULL: not in that run, or not known. */
static const struct weir_procinfo *
process_of(const struct screen *s, const struct weir_compare_row *row, int run)
{
	return row->members[run] ?
		       weir_reader_process(s->compare->runs[run].reader,
					   row->key[run]) : NULL;
}

static void say_process(const struct screen *s,
			const struct weir_compare_row *row)
{
	const struct weir_procinfo *a = process_of(s, row, 0);
	const struct weir_procinfo *b = process_of(s, row, 1);
	const struct weir_procinfo *some = b ? b : a;

	if (!some)
		return;
	if (a && b)
		print_format(s, "%" PRIu32 ", ", a->pid);
	print_format(s, "%" PRIu32 " ", some->pid);
	if (weir_procinfo_rank(some) >= 0)
		print_format(s, "rank %" PRIi64 " ", weir_procinfo_rank(some));
	say_safe(s, some->exe ? some->exe : "");
	say_only_in(s, row);
	if (a && b && a->exe && b->exe && strcmp(a->exe, b->exe)) {
		print_format(s,
			     " (by %s; A: ", weir_pairing_how_name(row->how));
		say_safe(s, a->exe);
		print_format(s, ")");
	}
}

/* A table of rows that have names: files, or processes. */
struct named {
	const char *title, *last; /* heading of the last column */
	const struct weir_compare_rows *rows;
	void (*name)(const struct screen *s,
		     const struct weir_compare_row *row);
};

static void say_row(const struct screen *s, const struct named *table,
		    const struct weir_compare_row *row)
{
	print_format(s, "  ");
	say_change(s, &row->time, WEIR_UNIT_TIME);
	say_both(s, &row->calls, WEIR_UNIT_COUNT);
	print_format(s, "  ");
	table->name(s, row);
	print_format(s, "\n");
}

static int is_change(const struct screen *s, const struct weir_compare_row *row)
{
	return weir_comparison_changed(s->compare, &row->time, WEIR_UNIT_TIME);
}

/* Rows that are in one run only, and their time there. */
static void say_only(const struct screen *s,
		     const struct weir_compare_rows *rows, int run)
{
	char time[WEIR_MEASURES_ROOM];

	if (rows->only[run])
		print_format(s, "  only in %s: %" PRIu64 ", for %s in all\n",
			     letters[run], rows->only[run],
			     weir_measures_time(time, rows->only_time[run]));
}

static void say_table(const struct screen *s, const struct named *table)
{
	const struct weir_compare_rows *rows = table->rows;
	uint64_t shown = 0;

	print_format(s, "\n%s\n  %9s %9s %10s %6s %7s %7s  %s\n", table->title,
		     "time A", "B", "change", "ratio", "calls A", "B",
		     table->last);
	for (size_t i = 0; i < rows->count && shown < s->top; i++) {
		if (!is_change(s, &rows->list[i]))
			continue;
		say_row(s, table, &rows->list[i]);
		shown++;
	}
	if (!rows->changes)
		print_format(s, "  none\n");
	if (rows->changes > shown)
		print_format(s, "  and %" PRIu64 " more\n",
			     rows->changes - shown);
	say_only(s, rows, 0);
	say_only(s, rows, 1);
}

static void say_others(const struct screen *s)
{
	const struct weir_compare_row *row = &s->compare->others;

	if (!row->members[0] && !row->members[1])
		return;
	print_format(s, "  ");
	say_change(s, &row->time, WEIR_UNIT_TIME);
	say_both(s, &row->calls, WEIR_UNIT_COUNT);
	print_format(s, "  (%" PRIu32 " and %" PRIu32 " files added up)\n",
		     row->members[0], row->members[1]);
}

static void say_finding(const struct screen *s,
			const struct weir_compare_finding *finding)
{
	const struct weir_finding *some = finding->of[1] ? finding->of[1]
							 : finding->of[0];
	char a[WEIR_MEASURES_ROOM], b[WEIR_MEASURES_ROOM];

	print_format(s, "  %-7s %s", weir_comparison_state_name(finding->state),
		     some->rule->name);
	if (some->saves == WEIR_SAVES_UNKNOWN)
		print_format(s, ": saves an unknown time");
	else if (finding->of[0] && finding->of[1])
		print_format(s, ": would save %s in B, %s in A",
			     weir_measures_time(b, finding->saving.of[1]),
			     weir_measures_time(a, finding->saving.of[0]));
	else
		print_format(s, ": would save %s in %s",
			     weir_measures_time(a, some->saving),
			     letters[some == finding->of[1]]);
	if (finding->state == WEIR_FINDING_UNKNOWN)
		print_format(s, "; sums do not tell of %s",
			     letters[some == finding->of[0]]);
	print_format(s, "\n");
}

static void say_findings(const struct screen *s)
{
	const struct weir_compare *compare = s->compare;
	size_t count = compare->finding_count;

	print_format(s, "\nfindings (details: weir report)\n");
	for (size_t i = 0; i < count && i < s->top; i++)
		say_finding(s, &compare->findings[i]);
	if (!count)
		print_format(s, "  none in either%s\n",
			     compare->of_all_calls
				     ? "; a profile has too little detail"
				     : "");
	if (count > s->top)
		print_format(s, "  and %zu more\n", count - (size_t)s->top);
}

void weir_compare_text_write(struct weir_text *out,
			     const struct weir_compare *compare, uint64_t top)
{
	const struct screen s = { out, compare, top };
	const struct named files = { "files whose time changed most", "file",
				     &compare->files, say_file };
	const struct named processes = { "processes whose time changed most",
					 "pids and program",
					 &compare->processes, say_process };

	say_run(&s, 0);
	say_run(&s, 1);
	say_caveats(&s);
	say_verdict(&s);
	say_figures(&s);
	say_layers(&s);
	say_table(&s, &files);
	say_others(&s);
	say_table(&s, &processes);
	say_findings(&s);
}
