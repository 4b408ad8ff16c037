/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where layers, calls and files stand in the lists of the page. */
#ifndef WEIR_PAGE_PAGEINDEX_H
#define WEIR_PAGE_PAGEINDEX_H

#include "report/page/pagesource.h"

#include <stdint.h>

struct weir_pageindex {
	uint8_t layers[WEIR_CALLVIEW_LAYERS]; /* in the order they are listed */
	uint8_t layer_of[WEIR_CALLVIEW_LAYERS];
	uint32_t layer_count;
	uint16_t *call_of; /* as weir_overview_call has them */
	uint32_t call_count;
	uint16_t placed[WEIR_OUTLINE_FILES]; /* files with a map of places */
	uint16_t placed_of[WEIR_OUTLINE_FILES];
	uint32_t placed_count;
	uint32_t *site_of; /* by number of the overview; for the sample */
};

/*
 * All but the order of sites, which is that of the list that is written. Wants
 * weir_pageindex_fini. 0 or -ENOMEM.
 */
int weir_pageindex_init(struct weir_pageindex *index,
			const struct weir_pagesource *source);
void weir_pageindex_fini(struct weir_pageindex *index);

#endif
