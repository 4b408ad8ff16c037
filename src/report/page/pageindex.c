/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where layers, calls and files stand in the lists of the page. */
#include "report/page/pageindex.h"

#include <errno.h>
#include <stdlib.h>

/* From the application down to the system. */
static const uint8_t downwards[] = {
	WEIR_CALLVIEW_MARK,   WEIR_CALLVIEW_PNETCDF, WEIR_CALLVIEW_HDF5,
	WEIR_CALLVIEW_MPIIO,  WEIR_CALLVIEW_COMM,    WEIR_CALLVIEW_STDIO,
	WEIR_CALLVIEW_ASYNC,  WEIR_CALLVIEW_POSIX,   WEIR_CALLVIEW_OTHER,
	WEIR_CALLVIEW_CLIENT, WEIR_CALLVIEW_SERVER,  WEIR_CALLVIEW_DISK,
	WEIR_CALLVIEW_SERVE,  WEIR_CALLVIEW_BACKEND, WEIR_OVERVIEW_OS,
};

/* Files that the map of places has rows of, unless all calls are shown. */
static void find_placed(const struct weir_overview *overview,
			struct weir_pageindex *index)
{
	const struct weir_cube *cube = &overview->cubes[WEIR_OVERVIEW_ACCESS];
	uint8_t has[WEIR_OUTLINE_FILES] = { 0 };

	if (overview->outline->calls <= WEIR_SAMPLE_MOST)
		return;
	for (uint32_t i = 0; i < cube->count; i++)
		has[weir_cube_rest(&cube->rows[i]) >> 16] = 1;
	for (uint16_t i = 0; i < WEIR_OUTLINE_FILES; i++) {
		if (!has[i])
			continue;
		index->placed[index->placed_count] = i;
		index->placed_of[i] = (uint16_t)index->placed_count++;
	}
}

int weir_pageindex_init(struct weir_pageindex *index,
			const struct weir_pagesource *source)
{
	const struct weir_overview *overview = source->overview;

	*index = (struct weir_pageindex){
		.call_of = calloc(WEIR_OVERVIEW_CALLS, sizeof(uint16_t)),
		.site_of = calloc((size_t)overview->sites.count + 1,
				  sizeof(uint32_t)),
	};
	if (!index->call_of || !index->site_of) {
		weir_pageindex_fini(index);
		return -ENOMEM;
	}
	for (size_t i = 0; i < sizeof(downwards); i++) {
		uint8_t layer = downwards[i];

		if (!overview->layers[layer])
			continue;
		index->layers[index->layer_count] = layer;
		index->layer_of[layer] = (uint8_t)index->layer_count++;
	}
	find_placed(overview, index);
	for (uint32_t i = 0; i < WEIR_OVERVIEW_CALLS; i++)
		if (overview->calls[i])
			index->call_of[i] = (uint16_t)index->call_count++;
	return 0;
}

void weir_pageindex_fini(struct weir_pageindex *index)
{
	free(index->call_of);
	free(index->site_of);
	*index = (struct weir_pageindex){ 0 };
}
