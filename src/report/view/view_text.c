/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints figures over time for people: in columns, with bars. */
#include "report/view/view_text.h"

#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BAR	WEIR_VIEW_BAR
#define COLUMNS 8  /* more groups are shown by a letter each */
#define STRIP	96 /* such letters, at most */

#define say	weir_view_say

/* Bytes are rounded for the eye, requests are counted to the last. */
static const char *figure(const struct weir_series *series, uint64_t number,
			  char to[WEIR_MEASURES_ROOM])
{
	if (!series->of_calls)
		return weir_measures_bytes(to, number);
	snprintf(to, WEIR_MEASURES_ROOM, "%" PRIu64, number);
	return to;
}

/* How many decimals of a second the rows need. */
static int decimals_of(const struct weir_series *series)
{
	uint64_t unit = 1000000000;
	int decimals = 0;

	if (series->by_marks)
		return 6;
	for (; series->step % unit || series->from % unit; unit /= 10)
		decimals++;
	return decimals;
}

/*
 * All rows have the same decimals, so that the points stand below each other.
 */
static void say_start(const struct weir_view *view,
		      const struct weir_series *series, uint32_t row)
{
	uint64_t ns = weir_series_start(series, row);
	int decimals = decimals_of(series);
	char digits[16];

	snprintf(digits, sizeof(digits), "%09" PRIu64, ns % 1000000000);
	say(view, "%9" PRIu64 "%s%.*s", ns / 1000000000,
	    decimals ? "." : "", decimals, digits);
}

static int start_width(const struct weir_series *series)
{
	int decimals = decimals_of(series);

	return 9 + decimals + !!decimals;
}

static const char *ways_of(const struct weir_view *view)
{
	static const char *const words[] = {
		[WEIR_TRAFFIC_READ] = "read",
		[WEIR_TRAFFIC_WRITE] = "written",
		[WEIR_TRAFFIC_BOTH] = "read and written",
	};

	return words[view->ways];
}

/* Says which requests are counted: without that two tables look alike. */
static void say_title(const struct weir_view *view,
		      const struct weir_series *series)
{
	static const char *const bys[] = {
		[WEIR_WHO_TOTAL] = "",
		[WEIR_WHO_PROCESS] = " by process",
		[WEIR_WHO_RANK] = " by rank",
		[WEIR_WHO_HOST] = " by host",
	};
	char time[WEIR_MEASURES_ROOM];

	say(view, "%s %s%s, layer %s", series->of_calls ? "requests" :
							      "bytes",
	    series->of_calls && view->ways == WEIR_TRAFFIC_BOTH ?
		    "that read and write" : ways_of(view),
	    bys[series->who.by], view->layer);
	if (series->by_marks)
		say(view, ", in the phases and steps that the program marked");
	else if (series->rows)
		say(view, ", in steps of %s",
		    weir_measures_time(time, series->step));
	say(view, "\n");
}

/* The greatest figure of any row, for a full bar. */
static uint64_t most_of_all(const struct weir_series *series, int way)
{
	uint64_t most = 0;

	for (uint32_t row = 0; row < series->rows; row++) {
		uint64_t sum = weir_series_all(series, row, way);

		most = sum > most ? sum : most;
	}
	return most;
}

/* Whether anything stands to the right of a column of bars. */
static int has_more(const struct weir_view *view,
		    const struct weir_series *series, int way)
{
	return series->by_marks || view->ways >> (way + 1);
}

/* Marks have names, which stand behind the bars as they may be long. */
static void end_row(const struct weir_view *view,
		    const struct weir_series *series, uint32_t row)
{
	if (series->by_marks) {
		say(view, "  ");
		weir_view_mark(view->out, &series->marks, row);
	}
	say(view, "\n");
}

/* Reading and writing beside each other, each by a scale of its own. */
static void say_heads(const struct weir_view *view,
		      const struct weir_series *series, const uint64_t most[2])
{
	static const char *const heads[2][2] = { { "read", "written" },
						 { "reads", "writes" } };
	char text[WEIR_MEASURES_ROOM], scale[2 * WEIR_MEASURES_ROOM];

	say(view, "\n%*s", start_width(series), "start s");
	for (int way = 0; way < 2; way++) {
		if (!weir_view_has(view, way))
			continue;
		snprintf(scale, sizeof(scale), "full bar: %s",
			 figure(series, most[way], text));
		say(view, "  %10s %-*s", heads[series->of_calls][way],
		    has_more(view, series, way) ? BAR : 0, scale);
	}
	say(view, "\n");
}

/* Steps without a request are left out: a long pause is seen by the times. */
static void say_totals(const struct weir_view *view,
		       const struct weir_series *series)
{
	const uint64_t most[2] = { most_of_all(series, 0),
				   most_of_all(series, 1) };
	char text[WEIR_MEASURES_ROOM];

	say_heads(view, series, most);
	for (uint32_t row = 0; row < series->rows; row++) {
		if (weir_view_is_void(series, row))
			continue;
		say_start(view, series, row);
		for (int way = 0; way < 2; way++) {
			uint64_t sum = weir_series_all(series, row, way);

			if (!weir_view_has(view, way))
				continue;
			say(view, "  %10s", figure(series, sum, text));
			weir_view_bar(view, sum, most[way],
				      has_more(view, series, way) ? BAR : 0);
		}
		end_row(view, series, row);
	}
}

/* Of the ways that were asked for. */
static uint64_t cell_of(const struct weir_view *view,
			const struct weir_series *series, uint32_t row,
			uint32_t group)
{
	uint64_t sum = 0;

	for (int way = 0; way < 2; way++)
		if (weir_view_has(view, way))
			sum += weir_series_at(series, row, group, way);
	return sum;
}

static uint64_t row_sum(const struct weir_view *view,
			const struct weir_series *series, uint32_t row)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < series->shown_count; i++)
		sum += cell_of(view, series, row, series->shown[i]);
	return sum;
}

static uint64_t most_of_rows(const struct weir_view *view,
			     const struct weir_series *series)
{
	uint64_t most = 0;

	for (uint32_t row = 0; row < series->rows; row++) {
		uint64_t sum = row_sum(view, series, row);

		most = sum > most ? sum : most;
	}
	return most;
}

/* Who stands in which column, where that says too little. */
static void say_who(const struct weir_view *view,
		    const struct weir_series *series)
{
	const struct weir_who *who = &series->who;
	char label[WEIR_VIEW_LABEL];

	for (uint32_t i = 0; i < series->shown_count; i++) {
		const struct weir_who_group *it =
			&who->groups[series->shown[i]];
		const struct weir_procinfo *process =
			weir_reader_process(view->reader, it->proc);

		say(view, "%12s  ", weir_view_label(view, who,
						    series->shown[i], label));
		if (it->host)
			weir_text_safe(view->out, it->host, strlen(it->host));
		if (who->by == WEIR_WHO_PROCESS && it->rank >= 0)
			say(view, " rank %" PRIi64, it->rank);
		if (who->by == WEIR_WHO_PROCESS && process && process->exe) {
			say(view, " ");
			weir_text_safe(view->out, process->exe,
				       strlen(process->exe));
		}
		say(view, "\n");
	}
}

/*
 * Ranks are named by their column; others are listed below, with program and
 * host.
 */
static void say_columns(const struct weir_view *view,
			const struct weir_series *series)
{
	uint64_t most = most_of_rows(view, series);
	char text[WEIR_MEASURES_ROOM], label[WEIR_VIEW_LABEL];

	say(view, "\n%*s", start_width(series), "start s");
	for (uint32_t i = 0; i < series->shown_count; i++)
		say(view, "  %10s", weir_view_label(view, &series->who,
						    series->shown[i], label));
	say(view, "  %10s\n", "all");
	for (uint32_t row = 0; row < series->rows; row++) {
		if (weir_view_is_void(series, row))
			continue;
		say_start(view, series, row);
		for (uint32_t i = 0; i < series->shown_count; i++)
			say(view, "  %10s",
			    figure(series, cell_of(view, series, row,
						   series->shown[i]), text));
		say(view, "  %10s",
		    figure(series, row_sum(view, series, row), text));
		weir_view_bar(view, row_sum(view, series, row), most,
			      series->by_marks ? BAR : 0);
		end_row(view, series, row);
	}
	if (series->who.by != WEIR_WHO_RANK) {
		say(view, "\n");
		say_who(view, series);
	}
}

/* The sum of the groups that share a letter of a strip. */
static uint64_t letter_sum(const struct weir_view *view,
			   const struct weir_series *series, uint32_t row,
			   uint32_t letter)
{
	uint32_t each = (series->shown_count + STRIP - 1) / STRIP;
	uint64_t sum = 0;

	for (uint32_t i = letter * each;
	     i < (letter + 1) * each && i < series->shown_count; i++)
		sum += cell_of(view, series, row, series->shown[i]);
	return sum;
}

static const char shades[] = ".:-=+*%#@";

/*
 * A letter for each group, or for several neighbours when there are many: the
 * darker, the more.
 */
static void say_strip(const struct weir_view *view,
		      const struct weir_series *series, uint32_t row,
		      uint64_t most)
{
	uint32_t each = (series->shown_count + STRIP - 1) / STRIP;
	uint32_t letters = (series->shown_count + each - 1) / each;

	say(view, "  |");
	for (uint32_t i = 0; i < letters; i++) {
		uint64_t sum = letter_sum(view, series, row, i);
		unsigned int shade = weir_view_share(
			sum, most, sizeof(shades) - 1);

		weir_text_char(view->out, shade ? shades[shade - 1] : ' ');
	}
	say(view, "|");
}

/* The scale is told: shades without it could not be compared. */
static void explain_strip(const struct weir_view *view,
			  const struct weir_series *series, uint64_t most)
{
	const struct weir_who *who = &series->who;
	uint32_t count = series->shown_count;
	char first[WEIR_VIEW_LABEL], last[WEIR_VIEW_LABEL];
	char text[WEIR_MEASURES_ROOM];

	say(view, "\nBetween the bars a letter for %s%" PRIu32
	    ", from %s on the left to %s; . is\nthe least, %c is %s.\n",
	    count > STRIP ? "some of " : "each of ", count,
	    weir_view_label(view, who, series->shown[0], first),
	    weir_view_label(view, who, series->shown[count - 1], last),
	    shades[sizeof(shades) - 2], figure(series, most, text));
	if (who->by != WEIR_WHO_RANK)
		say_who(view, series);
}

/* Many groups: a picture of their steps. */
static void say_picture(const struct weir_view *view,
			const struct weir_series *series)
{
	uint64_t most = 0;
	char text[WEIR_MEASURES_ROOM];

	for (uint32_t row = 0; row < series->rows; row++) {
		for (uint32_t i = 0; i < STRIP; i++) {
			uint64_t sum = letter_sum(view, series, row, i);

			most = sum > most ? sum : most;
		}
	}
	say(view, "\n%*s  %10s\n", start_width(series), "start s", "all");
	for (uint32_t row = 0; row < series->rows; row++) {
		if (weir_view_is_void(series, row))
			continue;
		say_start(view, series, row);
		say(view, "  %10s",
		    figure(series, row_sum(view, series, row), text));
		say_strip(view, series, row, most);
		end_row(view, series, row);
	}
	explain_strip(view, series, most);
}

/*
 * As wide as a terminal allows: totals with bars, few groups as columns, many
 * as a picture.
 */
void weir_view_text_series(const struct weir_view *view,
			   const struct weir_series *series)
{
	say_title(view, series);
	if (!series->rows || !series->shown_count)
		say(view, "nothing was moved\n");
	else if (series->who.by == WEIR_WHO_TOTAL)
		say_totals(view, series);
	else if (series->shown_count <= COLUMNS)
		say_columns(view, series);
	else
		say_picture(view, series);
}
