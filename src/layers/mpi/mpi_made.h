/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks MPI how a datatype was made. */
#ifndef WEIR_MPI_MPI_MADE_H
#define WEIR_MPI_MPI_MADE_H

#include <stdbool.h>

enum weir_mpi_way {
	WEIR_MPI_NAMED,
	WEIR_MPI_DUP,
	WEIR_MPI_CONTIGUOUS,
	WEIR_MPI_VECTOR,
	WEIR_MPI_HVECTOR,
	WEIR_MPI_INDEXED,
	WEIR_MPI_HINDEXED,
	WEIR_MPI_INDEXED_BLOCK,
	WEIR_MPI_HINDEXED_BLOCK,
	WEIR_MPI_STRUCT,
	WEIR_MPI_SUBARRAY,
	WEIR_MPI_DARRAY,
	WEIR_MPI_RESIZED,
	WEIR_MPI_OTHER,
};

/* Who asks brings the memory for what is read. */
struct weir_mpi_made {
	enum weir_mpi_way way;
	int ints, addresses, types;
	int *number;
	long *address;
	long *type; /* as the MPI has them: see weir_mpi_handle_at() */
};

/* Which way, and of how many numbers: of a type that is good. */
bool weir_mpi_made_ask(long type, struct weir_mpi_made *made);

/* After that. Types that are no names are ours then, to be let go. */
bool weir_mpi_made_read(long type, struct weir_mpi_made *made);
void weir_mpi_made_let_go(struct weir_mpi_made *made);

#endif
