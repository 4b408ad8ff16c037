/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints views for programs: CSV or JSON lines. */
#ifndef WEIR_VIEW_VIEW_ROWS_H
#define WEIR_VIEW_VIEW_ROWS_H

#include "report/output/fields.h"
#include "report/view/view.h"

/* A row for each step; by process, rank or host one for each of these. */
void weir_view_rows_series(const struct weir_view *view,
			   enum weir_fields_form form,
			   const struct weir_series *series);

void weir_view_rows_sizes(const struct weir_view *view,
			  enum weir_fields_form form,
			  const struct weir_sizes *sizes);

/* One access; NULL: the heading. */
void weir_view_rows_access(const struct weir_view *view,
			   enum weir_fields_form form,
			   const struct weir_access *access);

#endif
