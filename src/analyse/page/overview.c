/* SPDX-License-Identifier: BSD-3-Clause */
/* The data behind the page: sums by time and all else, and some calls. */
#include "analyse/page/overview.h"

#include <errno.h>
#include <stdlib.h>

#define WHO UINT64_C(0xff) /* bits of the group in a rest */

/* How fine each is, and what is given up when there is no room. */
static const struct {
	uint32_t most;
	unsigned folds;
	uint64_t joins;
} plans[WEIR_OVERVIEW_CUBES] = {
	[WEIR_OVERVIEW_CELLS] = {120000, 0, 0},
	[WEIR_OVERVIEW_PATHS] = {60000, 3, WHO},
	[WEIR_OVERVIEW_SIZES] = {30000, 3, 0},
	[WEIR_OVERVIEW_SHARE] = {60000, 3, 0},
	[WEIR_OVERVIEW_STEPSUM] = {100000, WEIR_CUBE_FOLDS, WHO},
	[WEIR_OVERVIEW_ACCESS] = {60000, 2, 0},
	[WEIR_OVERVIEW_LATENCY] = {30000, 3, 0},
};

unsigned weir_overview_folds(enum weir_overview_cube cube)
{
	return plans[cube].folds;
}

uint8_t weir_overview_quarter(uint64_t ns)
{
	unsigned power = ns ? 63 - (unsigned)__builtin_clzll(ns) : 0;
	uint64_t part = power < 2 ? ns << (2 - power) : ns >> (power - 2);

	/* 256 quarters are 64 powers: the last is that of nothing. */
	if (!ns || power == 63)
		return WEIR_OVERVIEW_EMPTY;
	return (uint8_t)(power * 4 + (part & 3));
}

uint32_t weir_overview_call(uint16_t id, uint8_t class)
{
	return class == WEIR_OVERVIEW_WAITS ? (UINT16_MAX + UINT32_C(1)) | id
					    : id;
}

void weir_overview_fini(struct weir_overview *overview)
{
	for (int i = 0; i < WEIR_OVERVIEW_CUBES; i++)
		weir_cube_fini(&overview->cubes[i]);
	weir_callpaths_fini(&overview->nodes);
	weir_sample_fini(&overview->sample);
	weir_marksteps_fini(&overview->marks);
	weir_names_fini(&overview->sites);
	free(overview->steps);
	free(overview->site_list);
	free(overview->calls);
	free(overview->first_of);
	free(overview->unplaced);
	free(overview->chosen);
	*overview = (struct weir_overview){0};
}

int weir_overview_init(struct weir_overview *overview,
		 const struct weir_outline *outline)
{
	size_t files = (size_t)outline->file_count + 2;

	*overview = (struct weir_overview){.outline = outline};
	for (int i = 0; i < WEIR_OVERVIEW_CUBES; i++)
		overview->cubes[i] = (struct weir_cube){
			.width = outline->width,
			.most = plans[i].most,
			.folds = outline->is_timeless ? WEIR_CUBE_FOLDS
						      : plans[i].folds,
			.joins = plans[i].joins,
		};
	weir_sample_plan(&overview->sample, outline->calls);
	overview->calls = calloc(WEIR_OVERVIEW_CALLS, 1);
	overview->first_of = calloc(files, sizeof(*overview->first_of));
	overview->unplaced = calloc(files, sizeof(*overview->unplaced));
	overview->steps = calloc(1, sizeof(*overview->steps));
	if (!overview->calls || !overview->first_of || !overview->unplaced ||
	    !overview->steps)
		return -ENOMEM;
	overview->step_count = overview->step_room = 1; /* before any mark */
	return weir_marksteps_init(&overview->marks, outline->processes);
}
