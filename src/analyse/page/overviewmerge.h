/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges parts of an overview into one. */
#ifndef WEIR_PAGE_OVERVIEWMERGE_H
#define WEIR_PAGE_OVERVIEWMERGE_H

#include "analyse/page/overview.h"

/* `steps` finds those of `to`; zero it to begin. 0 or -ENOMEM. */
int weir_overviewmerge_add(struct weir_overview *to,
			   const struct weir_overview *from,
			   struct weir_map *steps);

/* Puts all in order, and chooses where there is too much. 0 or -ENOMEM. */
int weir_overviewmerge_conclude(struct weir_overview *overview);

#endif
