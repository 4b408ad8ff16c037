/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of made-up types, one a seed: shapes FIRST COUNT FILE. Prints of each
 * that the MPI takes (not all do) its seed, size, extent, and how many runs of
 * bytes it has, found by putting bytes into memory by it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PIECES 4
#define DEEPEST	    3
#define LARGEST	    (1 << 20)

static unsigned long state;

static int below(int n)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (int)((state >> 33) % (unsigned long)n);
}

static MPI_Aint extent_of(MPI_Datatype type)
{
	MPI_Aint low, extent;

	MPI_Type_get_extent(type, &low, &extent);
	return extent;
}

static MPI_Aint end_of(MPI_Datatype type)
{
	MPI_Aint low, extent;

	MPI_Type_get_extent(type, &low, &extent);
	return low + extent;
}

static MPI_Datatype make(int depth);

/* Pieces in rising order that do not overlap, some of them touching. */
static void lay_out(int n, int lengths[], int places[], int longest)
{
	int at = below(3);

	for (int i = 0; i < n; i++) {
		lengths[i] = longest < 0 ? -longest : 1 + below(longest);
		places[i] = at;
		at += lengths[i] + below(3);
	}
}

static MPI_Datatype make_indexed(MPI_Datatype old, int way)
{
	int n = 1 + below(MOST_PIECES), same = 1 + below(3);
	int lengths[MOST_PIECES], places[MOST_PIECES];
	MPI_Aint bytes[MOST_PIECES];
	MPI_Datatype type;

	lay_out(n, lengths, places, way < 2 ? 3 : -same);
	for (int i = 0; i < n; i++)
		bytes[i] = places[i] * extent_of(old);
	if (way == 0)
		MPI_Type_indexed(n, lengths, places, old, &type);
	else if (way == 1)
		MPI_Type_create_hindexed(n, lengths, bytes, old, &type);
	else if (way == 2)
		MPI_Type_create_indexed_block(n, same, places, old, &type);
	else
		MPI_Type_create_hindexed_block(n, same, bytes, old, &type);
	return type;
}

static MPI_Datatype make_struct(int depth)
{
	MPI_Datatype parts[2] = { make(depth), make(depth) }, type;
	int lengths[2] = { 1 + below(2), 1 + below(2) };
	MPI_Aint places[2] = { 0, 4 * below(2) };

	places[1] += end_of(parts[0]) +
		     (lengths[0] - 1) * extent_of(parts[0]);
	MPI_Type_create_struct(2, lengths, places, parts, &type);
	for (int i = 0; i < 2; i++)
		if (parts[i] != MPI_INT && parts[i] != MPI_BYTE)
			MPI_Type_free(&parts[i]);
	return type;
}

static MPI_Datatype make_subarray(MPI_Datatype old)
{
	int n = 1 + below(3), whole[3], part[3], start[3];
	MPI_Datatype type;

	for (int i = 0; i < n; i++) {
		whole[i] = 1 + below(4);
		part[i] = 1 + below(whole[i]);
		start[i] = below(whole[i] - part[i] + 1);
	}
	MPI_Type_create_subarray(n, whole, part, start,
				 below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
				 old, &type);
	return type;
}

static MPI_Datatype make_spaced(MPI_Datatype old, int way)
{
	int n = 1 + below(4), length = 1 + below(3);
	MPI_Aint step = length + below(3);
	MPI_Datatype type;

	if (way == 0)
		MPI_Type_contiguous(n, old, &type);
	else if (way == 1)
		MPI_Type_vector(n, length, (int)step, old, &type);
	else if (way == 2)
		MPI_Type_create_hvector(n, length, step * extent_of(old), old,
					&type);
	else if (way == 3)
		MPI_Type_dup(old, &type);
	else
		MPI_Type_create_resized(old, 0, end_of(old) + 4 * below(3),
					&type);
	return type;
}

static MPI_Datatype make(int depth)
{
	int way = below(depth < DEEPEST ? 13 : 2);
	MPI_Datatype old, type;

	if (way < 2)
		return way ? MPI_INT : MPI_BYTE;
	if (way == 2)
		return make_struct(depth + 1);
	old = make(depth + 1);
	if (way < 7)
		type = make_indexed(old, way - 3);
	else if (way < 12)
		type = make_spaced(old, way - 7);
	else
		type = make_subarray(old);
	if (old != MPI_INT && old != MPI_BYTE)
		MPI_Type_free(&old);
	return type;
}

static int count_runs(MPI_Datatype type)
{
	static char packed[LARGEST], laid[LARGEST + 1];
	int size, at = 0, runs = 0;

	MPI_Type_size(type, &size);
	memset(packed, 1, (size_t)size);
	memset(laid, 0, sizeof(laid));
	MPI_Unpack(packed, size, &at, laid, 1, type, MPI_COMM_SELF);
	for (int i = 0; i < LARGEST; i++)
		runs += laid[i] && !laid[i + 1];
	return runs;
}

static void show(MPI_File file, int seed)
{
	MPI_Datatype type;
	int size;

	state = (unsigned long)seed;
	type = make(0);
	if (type == MPI_INT || type == MPI_BYTE)
		MPI_Type_contiguous(1, type, &type);
	MPI_Type_commit(&type);
	MPI_Type_size(type, &size);
	if (!MPI_File_set_view(file, seed, MPI_BYTE, type, "native",
			       MPI_INFO_NULL))
		printf("%d %d %ld %d\n", seed, size, (long)extent_of(type),
		       count_runs(type));
	MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
	int first = atoi(argv[1]), count = atoi(argv[2]);
	MPI_File file;

	MPI_Init(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, argv[3], MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	for (int i = 0; i < count; i++)
		show(file, first + i);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
