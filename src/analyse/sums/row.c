/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the counted calls on one file, or of one process. */
#include "analyse/sums/row.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a call weighs against bytes moved. */
#define CALL_WEIGHT 4096

void weir_row_fini(struct weir_row *row)
{
	free(row->entries);
	*row = (struct weir_row){ 0 };
}

struct weir_cell *weir_row_cell(struct weir_row *row, uint16_t call)
{
	struct weir_entry *entries;

	for (uint32_t i = 0; i < row->count; i++)
		if (row->entries[i].call == call)
			return &row->entries[i].cell;
	if (row->count == row->room) {
		uint32_t room = row->room ? row->room * 2 : 1;

		if (WEIR_GROW_EXACTLY(row->entries, room))
			return NULL;
		row->room = room;
	}
	entries = &row->entries[row->count++];
	memset(entries, 0, sizeof(*entries));
	entries->call = call;
	return &entries->cell;
}

void weir_row_span(struct weir_row *row, uint64_t first, uint64_t last)
{
	if (!first)
		return;
	if (!row->first || first < row->first)
		row->first = first;
	if (last > row->last)
		row->last = last;
}

int weir_row_merge(struct weir_row *to, const struct weir_row *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct weir_cell *cell =
			weir_row_cell(to, from->entries[i].call);

		if (!cell)
			return -ENOMEM;
		weir_cell_merge(cell, &from->entries[i].cell);
	}
	weir_row_span(to, from->first, from->last);
	to->own += from->own;
	if (from->longest > to->longest)
		to->longest = from->longest;
	to->is_channel |= from->is_channel;
	return 0;
}

static int by_call(const void *left, const void *right)
{
	const struct weir_entry *a = left, *b = right;

	return (a->call > b->call) - (a->call < b->call);
}

void weir_row_sort(struct weir_row *row)
{
	if (row->count)
		qsort(row->entries, row->count, sizeof(*row->entries),
		      by_call);
}

uint64_t weir_row_weight(const struct weir_row *row)
{
	uint64_t weight = 0;

	for (uint32_t i = 0; i < row->count; i++)
		weight += row->entries[i].cell.bytes / CALL_WEIGHT +
			  row->entries[i].cell.calls;
	return weight;
}
