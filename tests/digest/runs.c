/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of random datatypes are where MPI itself takes their elements from:
 * packing a buffer of numbers, each its own place, tells.
 */
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_runs.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TYPES	 400
#define ELEMENTS 300 /* of each that are looked at */

struct weir_mpi_real weir_mpi_real;
struct weir_mpi_flavour weir_mpi_flavour;

/* As src/layers/mpi/mpi_real.c finds them, but by the header of this MPI. */
static void meet(void)
{
	weir_mpi_real.type_size = (void *)PMPI_Type_size_x;
	weir_mpi_real.type_extent = (void *)PMPI_Type_get_extent;
	weir_mpi_real.type_true_extent = (void *)PMPI_Type_get_true_extent;
	weir_mpi_real.type_envelope = (void *)PMPI_Type_get_envelope;
	weir_mpi_real.type_contents = (void *)PMPI_Type_get_contents;
	weir_mpi_real.type_free = (void *)PMPI_Type_free;
	weir_mpi_flavour.narrow = sizeof(MPI_Datatype) == sizeof(int);
	weir_mpi_flavour.first_way = MPI_COMBINER_NAMED;
	weir_mpi_flavour.by_column = MPI_ORDER_FORTRAN;
	weir_mpi_flavour.undivided = MPI_DISTRIBUTE_NONE;
	weir_mpi_flavour.in_turns = MPI_DISTRIBUTE_CYCLIC;
	weir_mpi_flavour.usual_block = MPI_DISTRIBUTE_DFLT_DARG;
}

static int some(int least, int most)
{
	return least + (int)(random() % (most - least + 1));
}

static MPI_Aint extent_of(MPI_Datatype type)
{
	MPI_Aint low, extent;

	MPI_Type_get_extent(type, &low, &extent);
	return extent;
}

/* --- types, each by one way ---------------------------------------------- */

static MPI_Datatype repeated(MPI_Datatype of)
{
	MPI_Datatype type;
	int block = some(1, 3);

	switch (some(0, 2)) {
	case 0:
		MPI_Type_contiguous(some(1, 4), of, &type);
		break;
	case 1:
		MPI_Type_vector(some(1, 4), block, some(block, 5), of, &type);
		break;
	default:
		MPI_Type_create_hvector(some(1, 4), block,
					block * extent_of(of) +
						4 * some(0, 5), of, &type);
	}
	return type;
}

#define PIECES 5

static MPI_Datatype listed(MPI_Datatype of)
{
	int n = some(1, PIECES), lengths[PIECES], places[PIECES], at = 0;
	int alike = some(1, 3), way = some(0, 3);
	MPI_Aint bytes[PIECES];
	MPI_Datatype type;

	for (int i = 0; i < n; i++) {
		lengths[i] = way < 2 ? some(1, 3) : alike;
		at += some(0, 2);
		places[i] = at;
		bytes[i] = at * extent_of(of);
		at += lengths[i];
	}
	if (way == 0)
		MPI_Type_indexed(n, lengths, places, of, &type);
	else if (way == 1)
		MPI_Type_create_hindexed(n, lengths, bytes, of, &type);
	else if (way == 2)
		MPI_Type_create_indexed_block(n, alike, places, of, &type);
	else
		MPI_Type_create_hindexed_block(n, alike, bytes, of, &type);
	return type;
}

static MPI_Datatype joined(MPI_Datatype of)
{
	int lengths[] = { some(1, 3), some(1, 2) };
	MPI_Aint places[] = { 4 * some(0, 3), 0 }, low, extent;
	MPI_Datatype types[] = { of, MPI_INT }, type;

	/* Views go forward only: behind all of the first. */
	MPI_Type_get_extent(of, &low, &extent);
	places[1] = places[0] + low + lengths[0] * extent + 4 * some(0, 2);
	MPI_Type_create_struct(2, lengths, places, types, &type);
	return type;
}

static MPI_Datatype cut_out(MPI_Datatype of)
{
	int n = some(1, 3), sizes[3], parts[3], starts[3];
	MPI_Datatype type;

	for (int i = 0; i < n; i++) {
		sizes[i] = some(1, 5);
		parts[i] = some(1, sizes[i]);
		starts[i] = some(0, sizes[i] - parts[i]);
	}
	MPI_Type_create_subarray(n, sizes, parts, starts,
				 some(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
				 of, &type);
	return type;
}

static MPI_Datatype shared_out(MPI_Datatype of)
{
	static const int ways[] = { MPI_DISTRIBUTE_BLOCK,
				    MPI_DISTRIBUTE_CYCLIC };
	int sizes[2], how[2], block[2], grid[2] = { 1, 2 };
	MPI_Datatype type;

	for (int i = 0; i < 2; i++) {
		sizes[i] = some(4, 9);
		how[i] = ways[some(0, 1)];
		block[i] = MPI_DISTRIBUTE_DFLT_DARG;
		if (how[i] == MPI_DISTRIBUTE_CYCLIC && some(0, 1))
			block[i] = 2;
	}
	if (some(0, 1))
		how[0] = MPI_DISTRIBUTE_NONE;
	MPI_Type_create_darray(2, some(0, 1), 2, sizes, how, block, grid,
			       some(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
			       of, &type);
	return type;
}

static MPI_Datatype wrapped(MPI_Datatype of)
{
	MPI_Datatype type;

	if (some(0, 1))
		MPI_Type_dup(of, &type);
	else
		MPI_Type_create_resized(of, 0, extent_of(of) + 4 * some(0, 3),
					&type);
	return type;
}

static MPI_Datatype random_type(int depth)
{
	static MPI_Datatype (*const ways[])(MPI_Datatype) = {
		repeated, listed, joined, cut_out, shared_out, wrapped,
	};
	MPI_Datatype of = depth ? random_type(depth - 1) : MPI_INT;
	MPI_Datatype type = ways[some(0, 5)](of);

	if (depth)
		MPI_Type_free(&of);
	return type;
}

/* --- judging ------------------------------------------------------------- */

static bool keep_place(void *with, uint64_t place, uint64_t bytes)
{
	*(uint64_t *)with = bytes == sizeof(int) ? place : UINT64_MAX;
	return false;
}

static long handle_of(MPI_Datatype type)
{
	long handle = 0;

	memcpy(&handle, &type, sizeof(type));
	return handle;
}

/* Where elements lie, as MPI_Pack finds them. */
static void pack_places(MPI_Datatype type, int copies, MPI_Aint bytes,
			int *places, int elements)
{
	int *numbers = malloc((size_t)bytes), used = 0;

	for (MPI_Aint i = 0; i < bytes / 4; i++)
		numbers[i] = (int)(i * 4);
	MPI_Pack(numbers, copies, type, places, elements * 4, &used,
		 MPI_COMM_SELF);
	free(numbers);
}

/* The number of elements that lie elsewhere. */
static int faults_between(const struct weir_mpi_runs *runs, const int *places)
{
	int faults = 0;

	for (uint64_t i = 0; i < ELEMENTS; i++) {
		struct weir_mpi_stretch one = { 40, i * sizeof(int),
						sizeof(int) };
		uint64_t place = UINT64_MAX;

		weir_mpi_runs_walk(runs, one, keep_place, &place);
		faults += place != (uint64_t)places[i] + 40;
	}
	return faults;
}

static int faults_of(MPI_Datatype type)
{
	struct weir_mpi_runs runs;
	MPI_Aint low, span;
	int size, copies, faults, *places;

	MPI_Type_size(type, &size);
	MPI_Type_get_true_extent(type, &low, &span);
	copies = ELEMENTS * 4 / size + 1;
	places = malloc((size_t)(copies * size));
	pack_places(type, copies, copies * extent_of(type) + low + span,
		    places, copies * size / 4);
	if (!weir_mpi_runs_make(handle_of(type), &runs))
		return ELEMENTS;
	faults = faults_between(&runs, places);
	weir_mpi_runs_free(&runs);
	free(places);
	return faults;
}

int main(int argc, char **argv)
{
	int wrong = 0;

	MPI_Init(&argc, &argv);
	meet();
	srandom(5);
	for (int i = 0; i < TYPES; i++) {
		MPI_Datatype type = random_type(i % 4);
		int faults;

		MPI_Type_commit(&type);
		faults = faults_of(type);
		if (faults)
			printf("# type %d: %d elements lie elsewhere\n", i,
			       faults);
		wrong += faults != 0;
		MPI_Type_free(&type);
	}
	printf("%sok 1 - %d types of %d\n1..1\n", wrong ? "not " : "",
	       TYPES - wrong, TYPES);
	MPI_Finalize();
	return wrong != 0;
}
