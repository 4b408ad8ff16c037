/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the counted calls on one file, or of one process. */
#ifndef WEIR_SUMS_ROW_H
#define WEIR_SUMS_ROW_H

#include "analyse/sums/cell.h"

#include <stdint.h>

struct weir_entry {
	uint16_t call; /* id in the dictionary */
	struct weir_cell cell;
};

/* Zero it to begin. */
struct weir_row {
	uint64_t key;
	uint64_t first, last; /* of the timed calls; 0: none was */
	/*
	 * Of a file: of calls that no other call on it made; of a process and
	 * of all: time in I/O (iotime.h). And the longest of these calls.
	 */
	uint64_t own, longest;
	uint8_t is_channel; /* a pipe or the like */
	uint32_t processes;   /* that it is of, where somebody counts them */
	uint32_t count, room;
	struct weir_entry *entries;
};

void weir_row_fini(struct weir_row *row);

/* The cell of a call, made when it is new; NULL: no memory. */
struct weir_cell *weir_row_cell(struct weir_row *row, uint16_t call);

/* Widens the row's times. */
void weir_row_span(struct weir_row *row, uint64_t first, uint64_t last);

int weir_row_merge(struct weir_row *to, const struct weir_row *from);

/* In order of the calls' ids, whoever counted them. */
void weir_row_sort(struct weir_row *row);

/* Calls, and bytes of all results; for an order of importance. */
uint64_t weir_row_weight(const struct weir_row *row);

#endif
