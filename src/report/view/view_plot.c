/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws views: writes the script for gnuplot. */
#include "report/view/view_plot.h"

#include "report/output/gnuplot.h"
#include "report/output/measures.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define NAMED	 40	/* rows or columns with a name each, at most */
#define DRAWN	 200000 /* boxes in a picture, at most */
#define HEAD	 1.05	/* how much higher the axis is than the figures */
#define TICS	 8	/* of bytes at an axis, at most */

#define say weir_view_say

/* Blue and vermilion, which everybody can tell apart. */
static const char *const colours[] = { "#0072B2", "#D55E00" };

/* Light to dark, also to who sees no colours. */
void weir_view_plot_shades(const struct weir_view *view)
{
	say(view, "set palette defined (0 '#fde725', 1 '#5ec962', "
	    "2 '#21918c', 3 '#3b528b', 4 '#440154')\n");
}

/* Names of files may hold quotes and backslashes. */
static void put_string(const struct weir_view *view, const char *text)
{
	weir_gnuplot_string(view->out, text, strlen(text));
}

/*
 * One title over all panels; damage is written into it, as pictures are passed
 * on without what was printed.
 */
void weir_view_plot_title(const struct weir_view *view, const char *what,
			  const char *file)
{
	int panels = (view->ways & 1) + (view->ways >> 1);

	say(view, "set tics out nomirror\n"
	    "set grid ytics back lt 1 lw 0.5 lc rgb '#cccccc'\n"
	    "set style fill solid 0.9 noborder\nset lmargin 14\n"
	    "set rmargin 14\nset key outside right\n"
	    "set multiplot layout %d,1 title ", panels);
	/* strings behind each other are joined by the dot */
	put_string(view, what);
	say(view, " . ");
	put_string(view, file ? " to " : ": ");
	say(view, " . ");
	put_string(view, file ? file : view->trace);
	say(view, " . ', layer %s%s'\n", view->layer,
	    weir_reader_is_damaged(view->reader)
		    ? " (incomplete: the trace is damaged)"
		    : "");
}

void weir_view_plot_panel(const struct weir_view *view, int way,
			  const char *x_label, int last)
{
	say(view, "set title '%s' offset 0,-0.5\nset xlabel '%s'\n",
	    way ? "written" : "read", last ? x_label : "");
}

/* gnuplot's own tics are round in tens; sizes are round in powers of two. */
void weir_view_plot_bytes(const struct weir_view *view, const char *axis,
			  uint64_t most)
{
	char text[WEIR_MEASURES_ROOM];
	uint64_t each = 1;

	while (most / each > TICS)
		each *= 2;
	say(view, "set %stics (", axis);
	for (uint64_t i = 0; i <= most / each; i++)
		say(view, "%s'%s' %" PRIu64, i ? ", " : "",
		    weir_measures_bytes(text, i * each), i * each);
	say(view, ")\n");
}

/* How figures stand at an axis. */
static void say_tics(const struct weir_view *view,
		     const struct weir_series *series, const char *axis,
		     uint64_t most)
{
	if (series->of_calls)
		say(view, "set format %s '%%.0f'\n", axis);
	else
		weir_view_plot_bytes(view, axis, most);
}

/* Names at an axis, for as many as can be read. */
static void begin_names(const struct weir_view *view, const char *axis)
{
	say(view, "set %stics (", axis);
}

static void end_names(const struct weir_view *view, int rotated)
{
	say(view, ")%s\n", rotated ? " rotate by -40 left" : "");
}

/* More names than can be read are left out. */
static void name_marks(const struct weir_view *view,
		       const struct weir_series *series)
{
	if (!series->by_marks || series->rows > NAMED)
		return;
	begin_names(view, "x");
	for (uint32_t row = 0; row < series->rows; row++) {
		const struct weir_markstep *mark = &series->marks.rows[row];
		size_t len = 0;
		const char *name = weir_names_get(&series->marks.names,
						  mark->phase, &len);

		weir_text_string(view->out, row ? ", " : "");
		if (name)
			weir_gnuplot_string(view->out, name, len);
		else
			put_string(view, mark->has_step ? "" :
						"before any mark");
		if (mark->has_step)
			say(view, " . '%sstep %" PRIi64 "'", name ? " " : "",
			    mark->step);
		say(view, " %" PRIu32, row);
	}
	end_names(view, 1);
}

/* Where a row begins at the axis, `half` steps later. */
static void put_x(const struct weir_view *view,
		  const struct weir_series *series, uint32_t row, int half)
{
	if (series->by_marks)
		say(view, "%.1f ", row - 0.5 + half * 0.5);
	else {
		weir_text_seconds(view->out,
				  weir_series_start(series, row) +
				  series->step / 2 * (uint64_t)half, 0);
		say(view, " ");
	}
}

/* `each`: of the groups; else of their sums. */
static uint64_t most_of(const struct weir_series *series, int way, int each)
{
	uint64_t most = 0, sum;

	for (uint32_t row = 0; row < series->rows; row++) {
		for (uint32_t group = 0; each && group < series->who.count;
		     group++) {
			sum = weir_series_at(series, row, group, way);
			most = sum > most ? sum : most;
		}
		sum = each ? 0 : weir_series_all(series, row, way);
		most = sum > most ? sum : most;
	}
	return most;
}

/*
 * From the first step to the end of the last, also where these are empty: two
 * pictures of one trace have the same axis.
 */
static void put_axis(const struct weir_view *view,
		     const struct weir_series *series)
{
	uint32_t rows = series->rows ? series->rows : 1;

	if (series->by_marks)
		say(view, "set xrange [-0.5:%" PRIu32 ".5]\n", rows - 1);
	else
		say(view, "set xrange [%.9f:%.9f]\n",
		    (double)series->from / 1e9,
		    ((double)series->from +
		     (double)series->step * rows) / 1e9);
	name_marks(view, series);
}

static const char *x_label_of(const struct weir_series *series)
{
	return series->by_marks ? "phases and steps, as the program marked "
				  "them" :
				  "time, s since the first event";
}

/* All together: a column for each step. */
static void plot_totals(const struct weir_view *view,
			const struct weir_series *series)
{
	char step[WEIR_MEASURES_ROOM];

	say(view, "$data << WEIR_END\n");
	for (uint32_t row = 0; row < series->rows; row++) {
		put_x(view, series, row, 1);
		say(view, "%" PRIu64 " %" PRIu64 "\n",
		    weir_series_all(series, row, 0),
		    weir_series_all(series, row, 1));
	}
	say(view, "WEIR_END\nset boxwidth %.9f absolute\n",
	    series->by_marks ? 0.8 : (double)series->step / 1e9);
	for (int way = 0; way < 2; way++) {
		uint64_t most = most_of(series, way, 0);

		if (!weir_view_has(view, way))
			continue;
		say_tics(view, series, "y", most);
		weir_view_plot_panel(view, way, x_label_of(series),
				     weir_view_plot_is_last(view, way));
		say(view, "set ylabel '%s in %s'\nset yrange [0:%.2f]\n",
		    series->of_calls ? "requests" : "bytes",
		    series->by_marks ? "a step" :
				       weir_measures_time(step, series->step),
		    most ? (double)most * HEAD : 1.0);
		if (series->rows)
			say(view, "plot $data using 1:%d with boxes "
			    "lc rgb '%s' notitle\n", way + 2, colours[way]);
		else
			say(view, "plot NaN notitle\n");
	}
}

/* Ranks need no names: their numbers are the axis. */
static void name_groups(const struct weir_view *view,
			const struct weir_series *series)
{
	char label[WEIR_VIEW_LABEL];

	say(view, "set yrange [-0.5:%" PRIu32 ".5]\n",
	    series->shown_count ? series->shown_count - 1 : 0);
	say(view, "set ylabel '%s'\n",
	    series->who.by == WEIR_WHO_RANK ? "rank" :
	    series->who.by == WEIR_WHO_HOST ? "host" : "process");
	if (series->shown_count > NAMED)
		return;
	begin_names(view, "y");
	for (uint32_t i = 0; i < series->shown_count; i++) {
		uint32_t group = series->shown[i];
		const char *host = series->who.groups[group].host;

		weir_text_string(view->out, i ? ", " : "");
		put_string(view, series->who.by == WEIR_WHO_HOST && host ?
					 host : weir_view_label(
						view, &series->who, group,
						label));
		say(view, " %" PRIu32, i);
	}
	end_names(view, 0);
}

/* The boxes of a way that are not empty; how many, or -E2BIG. */
static int64_t put_boxes(const struct weir_view *view,
			 const struct weir_series *series, int way)
{
	int64_t count = 0;

	say(view, "$boxes%d << WEIR_END\n", way);
	for (uint32_t row = 0; row < series->rows; row++) {
		for (uint32_t i = 0; i < series->shown_count; i++) {
			uint64_t figure = weir_series_at(
				series, row, series->shown[i], way);

			if (!figure)
				continue;
			if (++count > DRAWN)
				return -E2BIG;
			put_x(view, series, row, 1);
			say(view, "%" PRIu32 " ", i);
			put_x(view, series, row, 0);
			put_x(view, series, row, 2);
			say(view, "%.1f %.1f %" PRIu64 "\n", i - 0.5, i + 0.5,
			    figure);
		}
	}
	say(view, "WEIR_END\n");
	return count;
}

/* Steps by groups: the darker the more. */
static int plot_groups(const struct weir_view *view,
		       const struct weir_series *series)
{
	int64_t count[2] = { 0 };

	for (int way = 0; way < 2; way++)
		if (weir_view_has(view, way) && count[0] >= 0)
			count[way] = put_boxes(view, series, way);
	if (count[0] < 0 || count[1] < 0)
		return -E2BIG;
	weir_view_plot_shades(view);
	say(view, "unset grid\n");
	name_groups(view, series);
	for (int way = 0; way < 2; way++) {
		uint64_t most = most_of(series, way, 1);

		if (!weir_view_has(view, way))
			continue;
		say_tics(view, series, "cb", most);
		weir_view_plot_panel(view, way, x_label_of(series),
				     weir_view_plot_is_last(view, way));
		say(view, "set title '%s: %s in a step'\n"
		    "set cbrange [0:%" PRIu64 "]\n",
		    way ? "written" : "read",
		    series->of_calls ? "requests" : "bytes", most ? most : 1);
		if (count[way])
			say(view, "plot $boxes%d using 1:2:3:4:5:6:7 with "
			    "boxxyerror lc palette notitle\n", way);
		else
			say(view, "plot NaN notitle\n");
	}
	return 0;
}

/* More steps than that could not be told apart in a picture. */
int weir_view_plot_series(const struct weir_view *view,
			  const struct weir_series *series)
{
	int err = 0;

	if (series->rows > DRAWN)
		return -E2BIG;
	weir_view_plot_title(view, series->of_calls ? "requests over time" :
						      "bytes over time", NULL);
	put_axis(view, series);
	if (series->who.by == WEIR_WHO_TOTAL)
		plot_totals(view, series);
	else
		err = plot_groups(view, series);
	say(view, "unset multiplot\n");
	return err;
}

static void name_sizes(const struct weir_view *view,
		       const struct weir_sizes *sizes)
{
	begin_names(view, "x");
	for (uint32_t i = 0; i < sizes->count; i++) {
		const struct weir_sizes_row *row = &sizes->rows[i];

		say(view, "%s'%" PRIu64, i ? ", " : "", row->from);
		if (row->to == UINT64_MAX)
			say(view, " or more");
		else if (row->to > row->from)
			say(view, "-%" PRIu64, row->to);
		say(view, "' %" PRIu32, i);
	}
	end_names(view, 1);
}

/*
 * Sizes are named, not measured, along the axis: few sizes far apart are usual.
 */
static void plot_sizes(const struct weir_view *view,
		       const struct weir_sizes *sizes)
{
	weir_view_plot_title(view, "requests by size", NULL);
	say(view, "$data << WEIR_END\n");
	for (uint32_t i = 0; i < sizes->count; i++)
		say(view, "%" PRIu32 " %" PRIu64 " %" PRIu64 "\n", i,
		    sizes->rows[i].count[0], sizes->rows[i].count[1]);
	say(view, "WEIR_END\nset boxwidth 0.8 absolute\n"
	    "set ylabel 'requests'\nset format y '%%.0f'\n"
	    "set xrange [-0.6:%" PRIu32 ".6]\n",
	    sizes->count ? sizes->count - 1 : 0);
	if (sizes->count)
		name_sizes(view, sizes);
	for (int way = 0; way < 2; way++) {
		if (!weir_view_has(view, way))
			continue;
		weir_view_plot_panel(view, way, "bytes that a request asks for",
				     weir_view_plot_is_last(view, way));
		say(view, "set yrange [0:%s]\n",
		    sizes->total[way] ? "*" : "1");
		if (sizes->count)
			say(view, "plot $data using 1:%d with boxes "
			    "lc rgb '%s' notitle\n", way + 2, colours[way]);
		else
			say(view, "plot NaN notitle\n");
	}
	say(view, "unset multiplot\n");
}

/* More sizes than can be named are folded. */
int weir_view_plot_sizes(const struct weir_view *view,
			 const struct weir_sizes *sizes)
{
	struct weir_sizes folded;
	int err;

	if (sizes->count <= NAMED || sizes->grain != WEIR_SIZES_EACH) {
		plot_sizes(view, sizes);
		return 0;
	}
	err = weir_sizes_fold(sizes, &folded);
	if (err)
		return err;
	plot_sizes(view, &folded);
	weir_sizes_fini(&folded);
	return 0;
}
