/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds calls to an overview, one by one. */
#ifndef WEIR_PAGE_OVERVIEWTAKE_H
#define WEIR_PAGE_OVERVIEWTAKE_H

#include "analyse/page/overviewcount.h"

/* The overview and what one who reads needs besides; all is borrowed. */
struct weir_overviewtake {
	struct weir_overviewcount count; /* the overview, and the call views */
	struct weir_reader *reader;
	struct weir_names *names; /* of the views */
	struct weir_tree *tree;
	uint16_t *file_of; /* of the outline, + 1, by number of the name */
	uint32_t file_room;
	uint32_t *orders;	   /* transfers so far, by pair and layer */
	uint32_t order_room;	   /* pairs */
};

int weir_overviewtake_init(struct weir_overviewtake *take);
void weir_overviewtake_fini(struct weir_overviewtake *take);

/* The next that the views told. 0 or -errno. */
int weir_overviewtake_add(struct weir_overviewtake *take,
			  const struct weir_callview *view);

#endif
