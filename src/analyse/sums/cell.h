/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls of one kind on one file. */
#ifndef WEIR_SUMS_CELL_H
#define WEIR_SUMS_CELL_H

#include "trace/layout/event.h"
#include "trace/layout/sum_layout.h"

#include <stdint.h>

/*
 * Numbers only, in the order in which a PROFILE block has them. Times are in
 * the unit of what was added: ticks, or nanoseconds after weir_cell_scale.
 */
struct weir_cell {
	uint64_t calls;
	uint64_t failed;
	uint64_t bytes;	  /* results above 0, added up */
	uint64_t time;	  /* of all calls, as the timed ones tell */
	uint64_t timed;	  /* calls */
	uint64_t longest;
	uint64_t top;	  /* the highest offset reached */
	uint64_t placed;  /* calls of which the one before is known */
	uint64_t follow;  /* of those, where that one ended */
	uint64_t ahead;	  /* of those, beyond it */
	uint64_t sizes[WEIR_SUM_SIZES];
	uint64_t waits[WEIR_SUM_WAITS];
	uint64_t outer; /* time of those that the application made itself */
	uint64_t done[2]; /* bytes that operations it ended read, wrote */
};

#define WEIR_CELL_NUMBERS (sizeof(struct weir_cell) / sizeof(uint64_t))

/*
 * One call that moved so many bytes. Its place among others is for who knows
 * the one before.
 */
void weir_cell_add_event(struct weir_cell *cell,
			 const struct weir_event *event, uint64_t moved);

/* The end of a call's bytes, from which the next one would go on. */
static inline uint64_t weir_cell_end(const struct weir_event *event)
{
	return (uint64_t)event->off +
	       (event->ret > 0 ? (uint64_t)event->ret : 0);
}

/* Says how a call lies to the one before, which ended at `next`. */
void weir_cell_add_place(struct weir_cell *cell, uint64_t off, uint64_t next);

void weir_cell_add_sum(struct weir_cell *cell, const struct weir_sum *sum);
void weir_cell_merge(struct weir_cell *to, const struct weir_cell *from);

/* Ticks become nanoseconds; mult as in struct weir_nodeinfo. */
void weir_cell_scale(struct weir_cell *cell, uint64_t mult);

#endif
