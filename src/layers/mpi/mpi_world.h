/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the job that a rank is of: alike in all ranks, by no message. */
#ifndef WEIR_MPI_MPI_WORLD_H
#define WEIR_MPI_MPI_WORLD_H

#include <stdint.h>

/*
 * What MPI_COMM_WORLD is known by in all its ranks, and in no other job. Where
 * the launcher gives jobs no name, two of one size may have the same; who
 * reads the trace sees that by their ranks. MPI must have begun.
 */
uint64_t weir_mpi_world_key(void);

#endif
