/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks MPI how a datatype was made. */
#include "layers/mpi/mpi_made.h"

#include "layers/mpi/mpi_real.h"

/* The forms for Fortran of old (4, 7, 10) keep bytes among the numbers. */
static const unsigned char ways[] = {
	[0] = WEIR_MPI_NAMED,		[1] = WEIR_MPI_DUP,
	[2] = WEIR_MPI_CONTIGUOUS,	[3] = WEIR_MPI_VECTOR,
	[4] = WEIR_MPI_OTHER,		[5] = WEIR_MPI_HVECTOR,
	[6] = WEIR_MPI_INDEXED,		[7] = WEIR_MPI_OTHER,
	[8] = WEIR_MPI_HINDEXED,	[9] = WEIR_MPI_INDEXED_BLOCK,
	[10] = WEIR_MPI_OTHER,		[11] = WEIR_MPI_STRUCT,
	[12] = WEIR_MPI_SUBARRAY,	[13] = WEIR_MPI_DARRAY,
	[14] = WEIR_MPI_OTHER,		[15] = WEIR_MPI_OTHER,
	[16] = WEIR_MPI_OTHER,		[17] = WEIR_MPI_RESIZED,
	[18] = WEIR_MPI_HINDEXED_BLOCK,
};

static enum weir_mpi_way way_of(int combiner)
{
	int n = combiner - weir_mpi_flavour.first_way;

	return n >= 0 && n < (int)sizeof(ways) ? ways[n] : WEIR_MPI_OTHER;
}

bool weir_mpi_made_ask(long type, struct weir_mpi_made *made)
{
	int combiner = 0;

	if (weir_mpi_real.type_envelope(type, &made->ints, &made->addresses,
					&made->types, &combiner))
		return false;
	made->way = way_of(combiner);
	return true;
}

bool weir_mpi_made_read(long type, struct weir_mpi_made *made)
{
	if (made->way == WEIR_MPI_NAMED)
		return true;
	return !weir_mpi_real.type_contents(type, made->ints, made->addresses,
					    made->types, made->number,
					    made->address, made->type);
}

void weir_mpi_made_let_go(struct weir_mpi_made *made)
{
	struct weir_mpi_made part;

	for (int i = 0; made->way != WEIR_MPI_NAMED && i < made->types; i++) {
		long type = weir_mpi_handle_at(made->type, i);

		if (weir_mpi_made_ask(type, &part) &&
		    part.way != WEIR_MPI_NAMED)
			weir_mpi_real.type_free(&type);
	}
}
