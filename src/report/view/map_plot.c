/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the accesses to a file: order, offset, process. */
#include "report/view/map_plot.h"

#include "report/output/gnuplot.h"
#include "report/view/view_plot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SINGLE 10000 /* accesses that are drawn one by one */
#define ACROSS 800   /* else one for each such part of the order */
#define UP     400   /* and of the file */

#define say weir_view_say

/* Colours that everybody can tell apart; for more processes a scale. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7",
	"#E69F00", "#56B4E9", "#000000", "#999999",
};

#define COLOURS (sizeof(colours) / sizeof(*colours))

static int64_t plot_rank(const struct weir_map_plot *plot, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(plot->view->reader, proc);

	return process ? weir_procinfo_rank(process) : -1;
}

static int by_rank_of_access(const void *left, const void *right, void *plot)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t of_a = plot_rank(plot, a), of_b = plot_rank(plot, b);

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return (a > b) - (a < b);
}

int weir_map_plot_init(struct weir_map_plot *plot,
		       const struct weir_view *view,
		       const struct weir_accessmap *map)
{
	size_t processes = (size_t)weir_reader_processes(view->reader) + 1;

	*plot = (struct weir_map_plot){
		.view = view,
		.map = map,
		.drawers = calloc(processes, sizeof(*plot->drawers)),
		.number_of = calloc(processes, sizeof(*plot->number_of)),
	};
	if (!plot->drawers || !plot->number_of) {
		weir_map_plot_fini(plot);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < processes; i++)
		if (map->processes[i])
			plot->drawers[plot->count++] = i;
	qsort_r(plot->drawers, plot->count, sizeof(*plot->drawers),
		by_rank_of_access, plot);
	for (uint32_t i = 0; i < plot->count; i++)
		plot->number_of[plot->drawers[i]] = i;
	say(view, "$data << WEIR_END\n");
	return 0;
}

void weir_map_plot_fini(struct weir_map_plot *plot)
{
	weir_map_fini(&plot->drawn);
	free(plot->drawers);
	free(plot->number_of);
	*plot = (struct weir_map_plot){ 0 };
}

/* Whether there is something at its place already. */
static int is_covered(struct weir_map_plot *plot,
		      const struct weir_access *access)
{
	uint64_t all = plot->map->count[0] + plot->map->count[1];
	double x = (double)access->order / (double)all * ACROSS;
	double y = plot->map->extent ? (double)access->off /
					       (double)plot->map->extent * UP :
				       0;
	uint64_t key = (uint64_t)x << 32 | (uint64_t)y << 1 |
		       (uint64_t)access->way;

	if (all <= SINGLE)
		return 0;
	if (weir_map_get(&plot->drawn, key))
		return 1;
	return weir_map_put(&plot->drawn, key, 1);
}

int weir_map_plot_access(struct weir_map_plot *plot,
			 const struct weir_access *access)
{
	int covered;

	if (!access->has_off || access->off > plot->map->extent)
		return 0;
	covered = is_covered(plot, access);
	if (covered)
		return covered < 0 ? covered : 0;
	say(plot->view, "%" PRIu64 " %" PRIu64 " %.0f %" PRIu32 " %d\n",
	    access->order, access->off,
	    (double)access->off + (double)weir_access_span(access),
	    plot->number_of[access->proc], access->way);
	return plot->view->out->err;
}

/* Node and number of a process, as its rank or itself. */
static void name_process(const struct weir_map_plot *plot, uint32_t proc)
{
	const struct weir_view *view = plot->view;
	const struct weir_procinfo *process =
		weir_reader_process(view->reader, proc);
	const struct weir_nodeinfo *node =
		weir_reader_node_of(view->reader, proc);
	int64_t rank = plot_rank(plot, proc);

	if (rank >= 0)
		say(view, "'rank %" PRIi64 ", ' . ", rank);
	weir_gnuplot_string(view->out, node ? node->host : "",
			    node ? strlen(node->host) : 0);
	say(view, " . ':%" PRIu32 "'", process ? process->pid : 0);
}

static void plot_each(const struct weir_map_plot *plot, int way, int titled)
{
	const struct weir_view *view = plot->view;

	for (uint32_t i = 0; i < plot->count; i++) {
		say(view, "%s $data using ($4 == %" PRIu32 " && $5 == %d ? $1 "
		    ": NaN):(($2 + $3) / 2):($1 - 0.4):($1 + 0.4):2:3 with "
		    "boxxyerror lc rgb '%s' fs solid 0.9 border %s",
		    i ? "," : "plot", i, way, colours[i],
		    titled ? "title " : "notitle");
		if (titled)
			name_process(plot, plot->drawers[i]);
	}
	say(view, "\n");
}

static void plot_scale(const struct weir_map_plot *plot, int way)
{
	weir_view_plot_shades(plot->view);
	say(plot->view, "set cbrange [0:%" PRIu32 "]\n"
	    "set cblabel 'process, by rank' offset 2,0\n"
	    "plot $data using ($5 == %d ? $1 : NaN):(($2 + $3) / 2):"
	    "($1 - 0.4):($1 + 0.4):2:3:4 with boxxyerror "
	    "lc palette fs solid 0.9 border notitle\n", plot->count - 1, way);
}

void weir_map_plot_end(struct weir_map_plot *plot, const char *file)
{
	const struct weir_view *view = plot->view;
	uint64_t all = plot->map->count[0] + plot->map->count[1];
	int first = 1;

	say(view, "WEIR_END\n");
	weir_view_plot_title(view, "accesses", file);
	say(view, "set xrange [0.5:%" PRIu64 ".5]\nset yrange [0:%.0f]\n"
	    "set ylabel 'offset'\nset rmargin %d\n", all ? all : 1,
	    (double)plot->map->extent * 1.02 + 1,
	    plot->count <= COLOURS ? 28 : 18);
	weir_view_plot_bytes(view, "y", plot->map->extent);
	for (int way = 0; way < 2; way++) {
		if (!weir_view_has(view, way))
			continue;
		weir_view_plot_panel(view, way, "accesses, in their order",
				     weir_view_plot_is_last(view, way));
		if (!plot->map->count[way])
			say(view, "plot NaN notitle\n");
		else if (plot->count <= COLOURS)
			plot_each(plot, way, first);
		else
			plot_scale(plot, way);
		first = 0;
	}
	say(view, "unset multiplot\n");
}
