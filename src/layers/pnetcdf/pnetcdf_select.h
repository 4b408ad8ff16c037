/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what part of a variable a call is about, and in how many pieces. */
#ifndef WEIR_PNETCDF_PNETCDF_SELECT_H
#define WEIR_PNETCDF_PNETCDF_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_PNETCDF_DIMS    16	 /* of more dimensions, this many are told */
#define WEIR_PNETCDF_SPELLED 256 /* the longest extent, with its end */

/* Of a variable. */
struct weir_pnetcdf_shape {
	int rank;
	bool record; /* the first dimension grows, each step lies apart */
	int64_t dims[WEIR_PNETCDF_DIMS];
};

/*
 * One or several boxes of a variable together: the least box around them, and
 * sums. Strides are told of one box alone.
 */
struct weir_pnetcdf_select {
	int rank;
	uint64_t boxes;
	uint64_t elements;
	uint64_t runs; /* pieces in the file without gaps; 0: not known */
	int64_t low[WEIR_PNETCDF_DIMS];
	int64_t high[WEIR_PNETCDF_DIMS]; /* the first beyond */
	int64_t stride[WEIR_PNETCDF_DIMS];
};

void weir_pnetcdf_select_start(struct weir_pnetcdf_select *sel, int rank);

/*
 * Add a box as the library takes it: no counts mean one element, no strides
 * mean one, no start means the beginning.
 */
void weir_pnetcdf_select_add(struct weir_pnetcdf_select *sel,
			     const struct weir_pnetcdf_shape *shape,
			     const int64_t *start, const int64_t *count,
			     const int64_t *stride);

/*
 * `first+count` of each dimension, `first+count*stride` where it is not one,
 * with commas between; `...` for what is not told. Of several boxes: of the
 * box around them. Returns the length.
 */
size_t weir_pnetcdf_select_spell(const struct weir_pnetcdf_select *sel,
				 char text[WEIR_PNETCDF_SPELLED]);

#endif
