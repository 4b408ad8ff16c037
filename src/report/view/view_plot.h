/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws views: writes the script for gnuplot. */
#ifndef WEIR_VIEW_VIEW_PLOT_H
#define WEIR_VIEW_VIEW_PLOT_H

#include "report/view/view.h"

/*
 * view->out leads to a weir_gnuplot. What is read is drawn above what is
 * written, each by its own scale. -E2BIG: nobody could see so much.
 */
int weir_view_plot_series(const struct weir_view *view,
			  const struct weir_series *series);

int weir_view_plot_sizes(const struct weir_view *view,
			 const struct weir_sizes *sizes);

/* The title of a picture: `what`, of which file (NULL: of the trace). */
void weir_view_plot_title(const struct weir_view *view, const char *what,
			  const char *file);

/* Begins the panel of a way; `last`: none is below it. */
void weir_view_plot_panel(const struct weir_view *view, int way,
			  const char *x_label, int last);

/* Round sizes at an axis that ends at `most`. */
void weir_view_plot_bytes(const struct weir_view *view, const char *axis,
			  uint64_t most);

/* A scale of colours. */
void weir_view_plot_shades(const struct weir_view *view);

/* Whether no way after this one is drawn. */
static inline int weir_view_plot_is_last(const struct weir_view *view, int way)
{
	return !(view->ways >> (way + 1));
}

#endif
