/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a datatype looks like in a file. How many runs it has, only the way in
 * which it was made tells. Types that are made of very many pieces or in very
 * many steps are not followed.
 */
#include "layers/mpi_shape.h"

#include "layers/mpi_real.h"

#define DEEPEST	    8
#define MOST_NUMBERS 512
#define MOST_TYPES  32

/* How types are made. */
enum way {
	NAMED, DUP, CONTIGUOUS, VECTOR, HVECTOR, INDEXED, HINDEXED,
	INDEXED_BLOCK, HINDEXED_BLOCK, STRUCT, SUBARRAY, RESIZED, OTHER,
};

struct made {
	enum way way;
	int ints, addresses, types;
	int number[MOST_NUMBERS];
	long address[MOST_NUMBERS];
	long type[MOST_TYPES]; /* as the MPI has them: see handle_at */
};

/* The forms for Fortran of old (4, 7, 10) keep bytes among the numbers. */
static const unsigned char ways[] = {
	[0] = NAMED, [1] = DUP, [2] = CONTIGUOUS, [3] = VECTOR, [4] = OTHER,
	[5] = HVECTOR, [6] = INDEXED, [7] = OTHER, [8] = HINDEXED,
	[9] = INDEXED_BLOCK, [10] = OTHER, [11] = STRUCT, [12] = SUBARRAY,
	[13] = OTHER, [14] = OTHER, [15] = OTHER, [16] = OTHER,
	[17] = RESIZED, [18] = HINDEXED_BLOCK,
};

static enum way way_of(int combiner)
{
	int n = combiner - weir_mpi_flavour.first_way;

	return n >= 0 && n < (int)sizeof(ways) ? ways[n] : OTHER;
}

static bool look_how(long type, struct made *made)
{
	int combiner = 0;

	if (weir_mpi_real.type_envelope(type, &made->ints, &made->addresses,
					&made->types, &combiner))
		return false;
	made->way = way_of(combiner);
	if (made->way == NAMED)
		return true;
	if (made->way == OTHER || made->ints > MOST_NUMBERS ||
	    made->addresses > MOST_NUMBERS || made->types > MOST_TYPES)
		return false;
	return !weir_mpi_real.type_contents(type, made->ints, made->addresses,
					    made->types, made->number,
					    made->address, made->type);
}

/* Types that are no names are ours to free. */
static void let_go(struct made *made)
{
	int ints, addresses, types, combiner;

	for (int i = 0; made->way != NAMED && i < made->types; i++) {
		long type = weir_mpi_handle_at(made->type, i);

		if (!weir_mpi_real.type_envelope(type, &ints, &addresses,
						 &types, &combiner) &&
		    way_of(combiner) != NAMED)
			weir_mpi_real.type_free(&type);
	}
}

/* A row of pieces, in the order in which they were said. */
struct row {
	uint64_t runs;
	bool known;
	bool begun;
	long end; /* of the last piece that has bytes */
};

/* `count` copies of a shape, at `start`, each `stride` after the last. */
static void lay(struct row *row, const struct weir_mpi_shape *shape,
		long start, long stride, long count)
{
	long span = shape->high - shape->low;

	if (count <= 0 || !shape->size)
		return;
	row->known &= shape->runs != 0;
	row->runs += shape->runs * (uint64_t)count;
	if (stride == span)
		row->runs -= (uint64_t)count - 1;
	if (row->begun && row->end == start + shape->low)
		row->runs--;
	row->begun = true;
	row->end = start + shape->low + stride * (count - 1) + span;
}

/* `count` blocks of `length` copies. */
static void lay_blocks(struct row *row, const struct weir_mpi_shape *shape,
		       long stride, int count, int length)
{
	for (int i = 0; i < count; i++) {
		if (i == 2 && row->known) {
			/* all that follow are like the second */
			struct row one = *row;

			lay(&one, shape, stride * i, shape->extent, length);
			row->runs += (one.runs - row->runs) *
				     (uint64_t)(count - i);
			return;
		}
		lay(row, shape, stride * i, shape->extent, length);
	}
}

static void lay_indexed(struct row *row, const struct made *made,
			const struct weir_mpi_shape *shape)
{
	bool in_bytes = made->way == HINDEXED || made->way == HINDEXED_BLOCK;
	bool alike = made->way == INDEXED_BLOCK ||
		     made->way == HINDEXED_BLOCK;
	int count = made->number[0];
	const int *lengths = made->number + 1;
	const int *places = alike ? made->number + 2 : lengths + count;

	for (int i = 0; i < count; i++)
		lay(row, shape,
		    in_bytes ? made->address[i] : places[i] * shape->extent,
		    shape->extent, alike ? lengths[0] : lengths[i]);
}

/* Rows of the array that are taken whole make one with the next dimension. */
static void lay_subarray(struct row *row, const struct made *made,
			 const struct weir_mpi_shape *shape)
{
	int n = made->number[0];
	const int *sizes = made->number + 1, *parts = sizes + n;
	bool fortran = made->number[1 + 3 * n] == weir_mpi_flavour.by_column;
	uint64_t runs = 1;
	long length = 1;
	bool whole = true;

	for (int i = 0; i < n; i++) {
		int k = fortran ? i : n - 1 - i;

		if (whole)
			length *= parts[k];
		else
			runs *= (uint64_t)parts[k];
		whole &= parts[k] == sizes[k];
	}
	lay(row, shape, 0, shape->extent, length);
	row->runs *= runs;
}

static struct weir_mpi_shape measured(long type)
{
	struct weir_mpi_shape shape = { 0 };
	long low = 0, span = 0;

	if (weir_mpi_real.type_size(type, &shape.size) ||
	    weir_mpi_real.type_extent(type, &low, &shape.extent) ||
	    weir_mpi_real.type_true_extent(type, &shape.low, &span))
		return shape;
	shape.high = shape.low + span;
	if (shape.size == span)
		shape.runs = 1;
	return shape;
}

static struct weir_mpi_shape shape_of(long type, int depth);

static void lay_struct(struct row *row, const struct made *made, int depth)
{
	for (int i = 0; i < made->number[0]; i++) {
		struct weir_mpi_shape shape =
			shape_of(weir_mpi_handle_at(made->type, i), depth);

		lay(row, &shape, made->address[i], shape.extent,
		    made->number[1 + i]);
	}
}

static uint64_t count_runs(const struct made *made, int depth)
{
	struct row row = { .known = true };
	struct weir_mpi_shape shape;

	if (made->way == STRUCT) {
		lay_struct(&row, made, depth);
		return row.known ? row.runs : 0;
	}
	shape = shape_of(weir_mpi_handle_at(made->type, 0), depth);
	if (made->way == DUP || made->way == RESIZED)
		return shape.runs;
	if (made->way == CONTIGUOUS)
		lay(&row, &shape, 0, shape.extent, made->number[0]);
	else if (made->way == VECTOR)
		lay_blocks(&row, &shape, made->number[2] * shape.extent,
			   made->number[0], made->number[1]);
	else if (made->way == HVECTOR)
		lay_blocks(&row, &shape, made->address[0], made->number[0],
			   made->number[1]);
	else if (made->way == SUBARRAY)
		lay_subarray(&row, made, &shape);
	else
		lay_indexed(&row, made, &shape);
	return row.known ? row.runs : 0;
}

static struct weir_mpi_shape shape_of(long type, int depth)
{
	struct weir_mpi_shape shape = measured(type);
	struct made made;

	if (shape.runs || !shape.size || depth > DEEPEST)
		return shape;
	if (!look_how(type, &made))
		return shape;
	if (made.way != NAMED)
		shape.runs = count_runs(&made, depth + 1);
	let_go(&made);
	return shape;
}

struct weir_mpi_shape weir_mpi_shape_of(long type)
{
	return shape_of(type, 0);
}

bool weir_mpi_shape_is_plain(const struct weir_mpi_shape *shape)
{
	return shape->runs == 1 && !shape->low &&
	       shape->size == shape->extent;
}
