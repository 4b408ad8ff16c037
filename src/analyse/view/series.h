/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up bytes or requests by time step, and by who moved them. */
#ifndef WEIR_VIEW_SERIES_H
#define WEIR_VIEW_SERIES_H

#include "analyse/calls/traffic.h"
#include "analyse/view/marksteps.h"
#include "analyse/view/who.h"

#include <stdint.h>

#define WEIR_SERIES_CELLS (1u << 24) /* steps times groups, at most */

struct weir_series_wish {
	enum weir_who_by by;
	int calls;	/* requests are counted, not bytes */
	int marks;	/* steps are what programs have marked */
	uint64_t step;	/* ns; 0: a round one */
	uint64_t steps; /* of which there are at most so many */
};

/* Wants weir_series_fini, and the reader as long as it is used. */
struct weir_series {
	struct weir_who who;
	struct weir_marksteps marks; /* one for each row, where wished */
	int by_marks, of_calls;
	uint64_t from, step; /* ns: row i begins at from + i * step */
	uint32_t rows;
	uint64_t *cells;	   /* see weir_series_at() */
	uint32_t *shown;	   /* groups that are worth a column */
	uint32_t shown_count;
};

/* A request counts where it begins. 0, -errno; -E2BIG: too many cells. */
int weir_series_gather(struct weir_series *series,
		       struct weir_traffic *traffic,
		       const struct weir_series_wish *wish);
void weir_series_fini(struct weir_series *series);

/* way: 0 read, 1 written. */
static inline uint64_t weir_series_at(const struct weir_series *series,
				      uint32_t row, uint32_t group, int way)
{
	return series->cells[((uint64_t)row * series->who.count + group) * 2 +
			     (uint64_t)way];
}

/* The same of all groups. */
uint64_t weir_series_all(const struct weir_series *series, uint32_t row,
			 int way);

/* When a row begins, ns since the trace's begin. */
uint64_t weir_series_start(const struct weir_series *series, uint32_t row);

#endif
