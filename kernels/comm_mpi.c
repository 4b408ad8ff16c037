/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of an MPI program. */
#include "comm.h"

#include <mpi.h>
#include <stdlib.h>

void kernel_comm_begin(int *argc, char ***argv, int *ret_rank, int *ret_ranks)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, ret_rank);
	MPI_Comm_size(MPI_COMM_WORLD, ret_ranks);
}

void kernel_comm_end(void)
{
	MPI_Finalize();
}

double kernel_comm_now(void)
{
	return MPI_Wtime();
}

void kernel_comm_meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

void kernel_comm_sum(uint64_t *values, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM,
		      MPI_COMM_WORLD);
}

void kernel_comm_longest(double *values, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX,
		      MPI_COMM_WORLD);
}

uint64_t kernel_comm_before(uint64_t value)
{
	uint64_t up_to_here;

	MPI_Scan(&value, &up_to_here, 1, MPI_UINT64_T, MPI_SUM,
		 MPI_COMM_WORLD);
	return up_to_here - value;
}

void kernel_comm_abort(int status)
{
	MPI_Abort(MPI_COMM_WORLD, status);
	abort();
}
