/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answer to a query as a table for people. */
#include "report/query/query_text.h"

#include "report/output/measures.h"
#include "report/query/query_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIDEST 40 /* a column; what is longer stands out */
#define FIGURE 11

struct table {
	struct weir_text *out;
	struct weir_text cell; /* goes nowhere: to take its bytes from */
	const struct weir_answer *answer;
	unsigned widths[WEIR_QUERY_GROUPS];
};

/* Letters, not bytes: a continuation byte is part of one. */
static unsigned letters_of(const struct weir_text *cell)
{
	unsigned letters = 0;

	for (size_t i = 0; i < cell->used; i++)
		letters += ((uint8_t)cell->bytes[i] & 0xc0) != 0x80;
	return letters;
}

static void write_cell(struct table *t, const struct weir_query_row *row,
		       unsigned group)
{
	enum weir_query_key key = t->answer->query->groups[group];
	struct weir_query_key_value value =
		weir_query_words_key(t->answer, row, group);
	struct weir_text *cell = &t->cell;

	cell->used = 0;
	cell->err = 0;
	if (!value.is_there)
		weir_text_char(cell, '-');
	else if (key == WEIR_QUERY_ID)
		weir_text_format(cell, "%" PRIu32 ".%" PRIu32 ".%" PRIu64,
				 row->id.proc, row->id.thread, row->id.index);
	else if (key == WEIR_QUERY_CLIENT)
		weir_text_format(cell, "%s %" PRIu64,
				 weir_query_words_is_rank(row, group) ?
					 "rank" : "process",
				 value.number);
	else if (value.text)
		weir_text_safe(cell, value.text, value.len);
	else
		weir_text_unsigned(cell, value.number);
}

static void find_widths(struct table *t)
{
	const struct weir_queryrows *rows = &t->answer->rows;
	const struct weir_query *query = t->answer->query;

	for (unsigned i = 0; i < query->group_count; i++) {
		unsigned width = (unsigned)strlen(
			weir_queryparse_keys[query->groups[i]]);

		for (uint32_t k = 0; k < rows->count && width < WIDEST; k++) {
			write_cell(t, &rows->rows[k], i);
			if (letters_of(&t->cell) > width)
				width = letters_of(&t->cell);
		}
		t->widths[i] = width < WIDEST ? width : WIDEST;
	}
}

static void pad(struct table *t, unsigned from, unsigned to)
{
	for (; from < to; from++)
		weir_text_char(t->out, ' ');
}

static void say_title(struct table *t)
{
	const struct weir_query *query = t->answer->query;
	const struct weir_query_words *words =
		&weir_query_words[query->metric];

	weir_text_string(t->out, weir_queryparse_metrics[query->metric]);
	if (weir_queryparse_has_below(query->metric))
		weir_text_string(t->out, query->exclusive ? ", exclusive" :
							    ", inclusive");
	for (unsigned i = 0; i < query->group_count; i++)
		weir_text_format(t->out, "%s%s", i ? ", " : ", by ",
				 weir_queryparse_keys[query->groups[i]]);
	weir_text_format(t->out, "\n(%s", words->meaning);
	if (query->exclusive && query->metric != WEIR_QUERY_THROUGHPUT)
		weir_text_string(t->out, ",\nless that of the next layer "
				 "below");
	if (query->metric == WEIR_QUERY_POWER ||
	    query->metric == WEIR_QUERY_ENERGY)
		weir_text_format(t->out, "; disk %s",
				 t->answer->means->disk->name);
	weir_text_string(t->out, ")\n\n");
}

/* Of one call there is one figure. */
static bool is_single(const struct table *t)
{
	return weir_queryparse_groups(t->answer->query, WEIR_QUERY_ID);
}

static void say_heading(struct table *t)
{
	static const char *const figures[][5] = {
		{ "calls", "mean", "min", "max", "total" },
		{ "calls", "p50", "p90", "p99", "max" },
	};
	const struct weir_query *query = t->answer->query;
	bool has_fifth = query->percentiles ||
			 weir_query_words[query->metric].has_total;

	for (unsigned i = 0; i < query->group_count; i++)
		weir_text_format(t->out, "  %-*s", (int)t->widths[i],
				 weir_queryparse_keys[query->groups[i]]);
	if (is_single(t))
		weir_text_format(t->out, "   %*s", FIGURE,
				 weir_queryparse_metrics[query->metric]);
	for (unsigned i = 0; !is_single(t) && i < 4u + has_fifth; i++)
		weir_text_format(t->out, " %*s", FIGURE,
				 figures[query->percentiles][i]);
	weir_text_char(t->out, '\n');
}

static uint64_t whole(double figure)
{
	return figure < 1.8e19 ? (uint64_t)(figure + 0.5) : UINT64_MAX;
}

static void say_figure(struct table *t, double figure, bool is_mean)
{
	enum weir_query_metric metric = t->answer->query->metric;
	const struct weir_query_words *words = &weir_query_words[metric];
	char text[WEIR_MEASURES_ROOM + 4];

	if (metric == WEIR_QUERY_THROUGHPUT) {
		weir_measures_bytes(text, whole(figure));
		strcat(text, "/s");
	} else if (metric == WEIR_QUERY_BYTES) {
		weir_measures_bytes(text, whole(figure));
	} else if (words->scale < 1) {
		weir_measures_time(text, whole(figure));
	} else if (words->is_count) {
		snprintf(text, sizeof(text), "%.*f", is_mean ? 2 : 0, figure);
	} else {
		snprintf(text, sizeof(text), "%.4g %s", figure, words->unit);
	}
	weir_text_format(t->out, " %*s", FIGURE, text);
}

static void say_figures(struct table *t, const struct weir_query_row *row)
{
	weir_text_format(t->out, " %*" PRIu64, FIGURE, row->calls);
	if (t->answer->query->percentiles) {
		say_figure(t, row->p50, false);
		say_figure(t, row->p90, false);
		say_figure(t, row->p99, false);
		say_figure(t, row->most, false);
		return;
	}
	say_figure(t, row->sum / (double)row->calls, true);
	say_figure(t, row->least, false);
	say_figure(t, row->most, false);
	if (weir_query_words[t->answer->query->metric].has_total)
		say_figure(t, row->sum, false);
}

static void say_row(struct table *t, const struct weir_query_row *row)
{
	const struct weir_query *query = t->answer->query;

	for (unsigned i = 0; i < query->group_count; i++) {
		write_cell(t, row, i);
		weir_text_string(t->out, "  ");
		weir_text_bytes(t->out, t->cell.bytes, t->cell.used);
		pad(t, letters_of(&t->cell), t->widths[i]);
	}
	if (is_single(t)) {
		weir_text_string(t->out, "  ");
		say_figure(t, row->sum, false);
	} else {
		say_figures(t, row);
	}
	weir_text_string(t->out, row->is_estimate ? " ~\n" : "\n");
}

static void say_foot(struct table *t, bool has_estimates)
{
	const struct weir_queryrows *rows = &t->answer->rows;

	if (!rows->count)
		weir_text_string(t->out, "  no call of the trace matches\n");
	if (has_estimates)
		weir_text_string(t->out,
				 "\n~ estimate: communication was not "
				 "recorded; this is the time of\n"
				 "  collective MPI-IO calls without the I/O "
				 "calls below them\n");
	if (rows->dropped)
		weir_text_format(t->out, "\n%" PRIu32 " rows of %" PRIu64
				 " are shown\n", rows->count,
				 rows->count + rows->dropped);
}

void weir_query_text_write(struct weir_text *out,
			   const struct weir_answer *answer)
{
	struct table t = { .out = out, .answer = answer };
	const struct weir_queryrows *rows = &answer->rows;
	bool has_estimates = false;

	if (weir_text_init(&t.cell, -1)) {
		out->err = out->err ? out->err : -ENOMEM;
		return;
	}
	find_widths(&t);
	say_title(&t);
	say_heading(&t);
	for (uint32_t i = 0; i < rows->count; i++) {
		say_row(&t, &rows->rows[i]);
		has_estimates |= rows->rows[i].is_estimate;
	}
	say_foot(&t, has_estimates);
	weir_text_fini(&t.cell);
}
