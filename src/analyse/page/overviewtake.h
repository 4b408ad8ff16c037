/* SPDX-License-Identifier: BSD-3-Clause */
/* How one call is added to the picture of a run. */
#ifndef WEIR_PAGE_OVERVIEWTAKE_H
#define WEIR_PAGE_OVERVIEWTAKE_H

#include "analyse/sums/row.h"
#include "analyse/page/overview.h"
#include "analyse/calls/callviews.h"

/* What one who reads needs besides the picture. */
struct weir_overviewtake {
	struct weir_overview *overview;
	struct weir_callviews *views; /* borrowed, like the rest */
	struct weir_reader *reader;
	struct weir_names *names; /* of the views */
	struct weir_tree *tree;
	uint16_t *file_of; /* of the outline, + 1, by number of the name */
	uint32_t file_room;
	uint32_t *orders;	   /* transfers so far, by pair and layer */
	uint32_t order_room;	   /* pairs */
	struct weir_map under_way; /* operations: key to way + 1 */
};

int weir_overviewtake_init(struct weir_overviewtake *take);
void weir_overviewtake_fini(struct weir_overviewtake *take);

/* The next that the views told. 0 or -errno. */
int weir_overviewtake_add(struct weir_overviewtake *take,
			  const struct weir_callview *view);

#endif
