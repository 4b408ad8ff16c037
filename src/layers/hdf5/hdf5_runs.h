/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the elements that a dataspace selects, in their order. */
#ifndef WEIR_HDF5_HDF5_RUNS_H
#define WEIR_HDF5_HDF5_RUNS_H

#include "layers/hdf5/hdf5_space.h"

#define WEIR_HDF5_RUNS_POINTS 64
#define WEIR_HDF5_RUNS_BLOCKS 256

/* Elements without a gap: the first, by its number in the whole, and more. */
struct weir_hdf5_run {
	uint64_t first, count;
};

struct weir_hdf5_runs {
	struct weir_hdf5_space space;
	struct weir_hdf5_library *library;
	long id;
	uint64_t step[WEIR_HDF5_RANK]; /* elements from one to the next */
	/* of an even selection */
	int inner;		     /* the dimension in which runs lie */
	uint64_t pieces, length;     /* of it in a row, and how long each is */
	uint64_t at[WEIR_HDF5_RANK]; /* of dimensions outside it */
	uint64_t piece;
	bool is_over;
	/* of points: what was asked for, some at a time; of blocks: all */
	uint64_t asked, next, known;
	struct weir_hdf5_run list[WEIR_HDF5_RUNS_BLOCKS];
};

/*
 * Of a selection; `id` 0: of all of `dims`. False: it cannot be followed. The
 * library is hushed.
 */
bool weir_hdf5_runs_start(struct weir_hdf5_runs *runs,
			  struct weir_hdf5_library *lib, long id,
			  const uint64_t *dims, int rank);

/* False after the last. */
bool weir_hdf5_runs_next(struct weir_hdf5_runs *runs,
			 struct weir_hdf5_run *ret_run);

#endif
