/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls of one kind on one file. */
#include "analyse/sums/cell.h"

#include "trace/layout/trace_layout.h"

#include <string.h>

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

void weir_cell_add_event(struct weir_cell *cell,
			 const struct weir_event *event, uint64_t moved)
{
	cell->calls++;
	cell->sizes[weir_sum_size_class(event->size)]++;
	if (event->flags & WEIR_EVENT_FAILED) {
		cell->failed++;
	} else {
		cell->bytes += moved;
		if (!(event->flags & WEIR_EVENT_NOOFF))
			raise_to(&cell->top, weir_cell_end(event));
	}
	cell->timed++;
	cell->time += event->dur;
	raise_to(&cell->longest, event->dur);
	cell->waits[weir_sum_wait_class(event->dur)]++;
	cell->outer += event->depth ? 0 : event->dur;
}

void weir_cell_add_place(struct weir_cell *cell, uint64_t off, uint64_t next)
{
	cell->placed++;
	cell->follow += off == next;
	cell->ahead += (int64_t)off > (int64_t)next;
}

void weir_cell_add_sum(struct weir_cell *cell, const struct weir_sum *sum)
{
	cell->calls += sum->calls;
	cell->failed += sum->failed;
	cell->bytes += sum->bytes;
	cell->time += sum->time;
	cell->timed += sum->timed;
	raise_to(&cell->longest, sum->longest);
	raise_to(&cell->top, sum->top);
	cell->placed += sum->placed ? sum->placed - 1 : 0;
	cell->follow += sum->follow;
	cell->ahead += sum->ahead;
	for (int i = 0; i < WEIR_SUM_SIZES; i++)
		cell->sizes[i] += sum->sizes[i];
	for (int i = 0; i < WEIR_SUM_WAITS; i++)
		cell->waits[i] += sum->waits[i];
	cell->outer += sum->key & WEIR_SUM_OUTERMOST ? sum->time : 0;
}

void weir_cell_merge(struct weir_cell *to, const struct weir_cell *from)
{
	to->calls += from->calls;
	to->failed += from->failed;
	to->bytes += from->bytes;
	to->time += from->time;
	to->timed += from->timed;
	raise_to(&to->longest, from->longest);
	raise_to(&to->top, from->top);
	to->placed += from->placed;
	to->follow += from->follow;
	to->ahead += from->ahead;
	for (int i = 0; i < WEIR_SUM_SIZES; i++)
		to->sizes[i] += from->sizes[i];
	for (int i = 0; i < WEIR_SUM_WAITS; i++)
		to->waits[i] += from->waits[i];
	to->outer += from->outer;
	for (int i = 0; i < 2; i++)
		to->done[i] += from->done[i];
}

/* A class of durations is taken for its middle, which is twice its begin. */
static void scale_waits(struct weir_cell *cell, uint64_t mult)
{
	uint64_t waits[WEIR_SUM_WAITS] = { 0 };

	for (int i = 0; i < WEIR_SUM_WAITS; i++) {
		uint64_t middle = i ? UINT64_C(2048) << 2 * (i - 1) : 512;

		waits[weir_sum_wait_class(weir_sum_ns(middle, mult))] +=
			cell->waits[i];
	}
	memcpy(cell->waits, waits, sizeof(waits));
}

void weir_cell_scale(struct weir_cell *cell, uint64_t mult)
{
	cell->time = weir_sum_ns(cell->time, mult);
	cell->longest = weir_sum_ns(cell->longest, mult);
	cell->outer = weir_sum_ns(cell->outer, mult);
	scale_waits(cell, mult);
}
