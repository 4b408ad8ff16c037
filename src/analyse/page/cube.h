/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up by time and other keys, as fine as memory allows. */
#ifndef WEIR_PAGE_CUBE_H
#define WEIR_PAGE_CUBE_H

#include "trace/bytes/map.h"

#include <stdint.h>

#define WEIR_CUBE_BINS	1024 /* of time, before any is joined */
#define WEIR_CUBE_FOLDS 10   /* that leave one bin */
#define WEIR_CUBE_SUMS	4

/* The place of a row: its bin of time above all else. */
#define WEIR_CUBE_REST 48 /* bits below the bin */

struct weir_cube_row {
	uint64_t key; /* bin << WEIR_CUBE_REST | rest */
	int64_t sums[WEIR_CUBE_SUMS];
};

/*
 * Rows for what there is, and no others. Beyond `most` rows neighbouring bins
 * are joined, all of them alike; when one is left, `joins` is set in all
 * rests, so that what it stands for is told apart no longer. However the work
 * is divided and put together again, the same rows are left: a part never has
 * more than the whole.
 */
struct weir_cube {
	uint64_t width; /* ns of a bin before any is joined */
	uint32_t most;
	uint64_t joins;
	unsigned folds; /* bins are 2^folds widths wide */
	int joined;
	struct weir_cube_row *rows;
	uint32_t count;
	size_t room;
	struct weir_map index; /* of keys, + 1 */
};

void weir_cube_fini(struct weir_cube *cube);

/* `bin` is one of WEIR_CUBE_BINS. 0 or -ENOMEM. */
int weir_cube_add(struct weir_cube *cube, uint64_t bin, uint64_t rest,
		  const int64_t sums[WEIR_CUBE_SUMS]);

/*
 * The first sum counts where it begins; the others are spread evenly over the
 * time from `start` on, to the last nanosecond and byte.
 */
int weir_cube_spread(struct weir_cube *cube, uint64_t rest, uint64_t start,
		     uint64_t dur, const int64_t sums[WEIR_CUBE_SUMS]);

/* Joins bins, or what is to be joined next. 0 or -ENOMEM. */
int weir_cube_fold(struct weir_cube *cube);

/* Adds all rows of another with the same width. */
int weir_cube_merge(struct weir_cube *to, const struct weir_cube *from);

/* By bin, then by what else there is. No row can be added any more. */
void weir_cube_sort(struct weir_cube *cube);

static inline uint64_t weir_cube_bin(const struct weir_cube_row *row)
{
	return row->key >> WEIR_CUBE_REST;
}

static inline uint64_t weir_cube_rest(const struct weir_cube_row *row)
{
	return row->key & ((UINT64_C(1) << WEIR_CUBE_REST) - 1);
}

#endif
