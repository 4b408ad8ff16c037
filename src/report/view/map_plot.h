/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the accesses to a file: order, offset, process. */
#ifndef WEIR_VIEW_MAP_PLOT_H
#define WEIR_VIEW_MAP_PLOT_H

#include "report/view/view.h"
#include "trace/bytes/map.h"

/* Wants weir_map_plot_fini. */
struct weir_map_plot {
	const struct weir_view *view; /* its out leads to a weir_gnuplot */
	const struct weir_accessmap *map;
	struct weir_map drawn; /* places where something is already */
	uint32_t *drawers;     /* the processes, by rank */
	uint32_t *number_of;   /* by process: its place among these */
	uint32_t count;
};

int weir_map_plot_init(struct weir_map_plot *plot,
		       const struct weir_view *view,
		       const struct weir_accessmap *map);
void weir_map_plot_fini(struct weir_map_plot *plot);

/* Each access, in order; then the end, with the name of the file. */
int weir_map_plot_access(struct weir_map_plot *plot,
			 const struct weir_access *access);
void weir_map_plot_end(struct weir_map_plot *plot, const char *file);

#endif
