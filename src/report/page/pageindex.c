/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where layers, calls and files stand in the lists of the page. */
#include "report/page/pageindex.h"

#include <errno.h>
#include <stdlib.h>

/* From the application down to the system. */
static const uint8_t downwards[] = {
	WEIR_SIGHT_MARK,   WEIR_SIGHT_PNETCDF, WEIR_SIGHT_HDF5,
	WEIR_SIGHT_MPIIO,  WEIR_SIGHT_COMM,    WEIR_SIGHT_STDIO,
	WEIR_SIGHT_ASYNC,  WEIR_SIGHT_POSIX,   WEIR_SIGHT_OTHER,
	WEIR_SIGHT_CLIENT, WEIR_SIGHT_SERVER,  WEIR_SIGHT_DISK,
	WEIR_SIGHT_SERVE,  WEIR_SIGHT_BACKEND, WEIR_SCAPE_OS,
};

/* Files that the map of places has rows of, unless all calls are shown. */
static void find_placed(const struct weir_scape *scape,
			struct weir_pageindex *index)
{
	const struct weir_cube *cube = &scape->cubes[WEIR_SCAPE_ACCESS];
	uint8_t has[WEIR_OUTLINE_FILES] = { 0 };

	if (scape->outline->calls <= WEIR_SAMPLE_MOST)
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
	const struct weir_scape *scape = source->scape;

	*index = (struct weir_pageindex){
		.call_of = calloc(UINT16_MAX + 1, sizeof(uint16_t)),
		.site_of = calloc((size_t)scape->sites.count + 1,
				  sizeof(uint32_t)),
	};
	if (!index->call_of || !index->site_of) {
		weir_pageindex_fini(index);
		return -ENOMEM;
	}
	for (size_t i = 0; i < sizeof(downwards); i++) {
		uint8_t layer = downwards[i];

		if (!scape->layers[layer])
			continue;
		index->layers[index->layer_count] = layer;
		index->layer_of[layer] = (uint8_t)index->layer_count++;
	}
	find_placed(scape, index);
	for (uint32_t i = 0; i <= UINT16_MAX; i++)
		if (scape->calls[i])
			index->call_of[i] = (uint16_t)index->call_count++;
	return 0;
}

void weir_pageindex_fini(struct weir_pageindex *index)
{
	free(index->call_of);
	free(index->site_of);
	*index = (struct weir_pageindex){ 0 };
}
