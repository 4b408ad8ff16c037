/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a datatype into runs of bytes without a hole, in the order of data. */
#ifndef WEIR_MPI_MPI_RUNS_H
#define WEIR_MPI_MPI_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_mpi_run {
	long from, bytes;
};

struct weir_mpi_runs {
	struct weir_mpi_run *list;
	uint32_t count, room;
	long size, extent; /* of the type */
};

/* Of a type that is good. False: it has too many, or cannot be followed. */
bool weir_mpi_runs_make(long type, struct weir_mpi_runs *ret);
void weir_mpi_runs_free(struct weir_mpi_runs *runs);

/*
 * Data from byte `at` of it on, in copies of the type one after the other
 * from `disp` on: where they lie, run by run; those that touch are one. False
 * from `visit`: enough.
 */
struct weir_mpi_stretch {
	long disp;
	uint64_t at, bytes;
};

typedef bool weir_mpi_runs_visit(void *with, uint64_t place, uint64_t bytes);
void weir_mpi_runs_walk(const struct weir_mpi_runs *runs,
			struct weir_mpi_stretch stretch,
			weir_mpi_runs_visit *visit, void *with);

#endif
