/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the accesses to a file for people. */
#ifndef WEIR_VIEW_MAP_TEXT_H
#define WEIR_VIEW_MAP_TEXT_H

#include "report/view/view.h"

/* The heading; `file` is any bytes. */
void weir_map_text_begin(const struct weir_view *view,
			 const struct weir_accessmap *map, const char *file);

/* One access, and where in the file it is. */
void weir_map_text_access(const struct weir_view *view,
			  const struct weir_accessmap *map,
			  const struct weir_access *access);

#endif
