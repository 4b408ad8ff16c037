/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what a layer did for a call, and when. */
#include "analyse/query/callcells.h"

void weir_callcells_cover(struct weir_callunit_cell *cell, uint64_t start,
			  uint64_t dur)
{
	uint64_t end = start + dur < start ? UINT64_MAX : start + dur;

	if (cell->end > start)
		start = cell->end;
	if (end <= start)
		return;
	cell->covered += end - start;
	cell->end = end;
}

void weir_callcells_open(struct weir_callunit_cell *cell, uint64_t start)
{
	uint64_t beyond = cell->end > start ? cell->end - start : 0;

	if (cell->open++)
		return;
	cell->open_since = start;
	cell->before = cell->covered - beyond;
}

void weir_callcells_close(struct weir_callunit_cell *cell, uint64_t end)
{
	uint64_t covered = cell->before + (end - cell->open_since);

	cell->open--;
	if (covered > cell->covered)
		cell->covered = covered;
	if (end > cell->end)
		cell->end = end;
}
