/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows what a dataspace selects: how much, in how many pieces. */
#ifndef WEIR_HDF5_HDF5_SPACE_H
#define WEIR_HDF5_HDF5_SPACE_H

#include "layers/hdf5/hdf5.h"
#include "layers/hdf5/hdf5_library.h"

/* Of one dimension: blocks of elements at even distances. */
struct weir_hdf5_axis {
	uint64_t dim; /* elements in all */
	uint64_t start, stride, count, block;
};

/*
 * A selection. Uneven ones have their bounds as one block, and sums that the
 * library told.
 */
struct weir_hdf5_space {
	int rank;
	bool even;
	bool shifted;	       /* the program moves it by an offset */
	uint64_t points, runs; /* of an uneven one */
	struct weir_hdf5_axis axes[WEIR_HDF5_RANK];
};

/*
 * A library is asked once what a dataspace selects; then we follow the calls
 * that change it (weir_hdf5_select, weir_hdf5_alter). False: not known.
 */
bool weir_hdf5_space_look(struct weir_hdf5_library *lib, long id,
			  struct weir_hdf5_space *ret_space);

/* All of the elements. */
void weir_hdf5_space_whole(struct weir_hdf5_space *space, const uint64_t *dims,
			   int rank);

uint64_t weir_hdf5_space_points(const struct weir_hdf5_space *space);

/*
 * Pieces without gaps in the order of the elements. Of points: their number;
 * of what is uneven: its blocks.
 */
uint64_t weir_hdf5_space_runs(const struct weir_hdf5_space *space);

/*
 * `first+count` of each dimension, `first+count*stride` where it is not one,
 * with commas between; of what is uneven, or of larger blocks: the bounds.
 */
void weir_hdf5_space_spell(const struct weir_hdf5_space *space,
			   char text[WEIR_HDF5_TEXT]);

/* `AxBxC`; of a single element nothing. */
void weir_hdf5_space_shape(const uint64_t *dims, int rank,
			   char text[WEIR_HDF5_TEXT]);

/* H5close: the same ids will stand for others. */
void weir_hdf5_space_forget(void);

/* Of one element in memory; 0: not known. */
uint64_t weir_hdf5_type_size(struct weir_hdf5_library *lib, long type);

#endif
