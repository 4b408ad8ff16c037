/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how a datatype lies in a file. */
#ifndef WEIR_MPI_MPI_SHAPE_H
#define WEIR_MPI_MPI_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

struct weir_mpi_shape {
	long size;	/* bytes of data */
	long extent;	/* from one to the next */
	long low, high; /* where data begin and end */
	uint64_t runs;	/* of bytes without a hole; 0: not known */
};

/* Of a type that is good. */
struct weir_mpi_shape weir_mpi_shape_of(long type);

/* The same without a look at how it was made: one run, or not known. */
struct weir_mpi_shape weir_mpi_shape_measure(long type);

/* One after the other they make a plain row of bytes. */
bool weir_mpi_shape_is_plain(const struct weir_mpi_shape *shape);

#endif
