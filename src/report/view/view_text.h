/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints figures over time for people: in columns, with bars. */
#ifndef WEIR_VIEW_VIEW_TEXT_H
#define WEIR_VIEW_VIEW_TEXT_H

#include "report/view/view.h"

void weir_view_text_series(const struct weir_view *view,
			   const struct weir_series *series);

#endif
