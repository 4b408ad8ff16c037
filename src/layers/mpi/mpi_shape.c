/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells how a datatype lies in a file. How many runs it has, only the way in
 * which it was made tells. Types that are made of very many pieces or in very
 * many steps are not followed.
 */
#include "layers/mpi/mpi_shape.h"

#include "layers/mpi/mpi_made.h"
#include "layers/mpi/mpi_real.h"

#define DEEPEST	     8
#define MOST_NUMBERS 512
#define MOST_TYPES   32

/* On the stack: what does not fit is not followed. */
struct made {
	struct weir_mpi_made how;
	int number[MOST_NUMBERS];
	long address[MOST_NUMBERS];
	long type[MOST_TYPES];
};

static bool look_how(long type, struct made *made)
{
	struct weir_mpi_made *how = &made->how;

	*how = (struct weir_mpi_made){ .number = made->number,
				       .address = made->address,
				       .type = made->type };
	return weir_mpi_made_ask(type, how) && how->way != WEIR_MPI_OTHER &&
	       how->way != WEIR_MPI_DARRAY && how->ints <= MOST_NUMBERS &&
	       how->addresses <= MOST_NUMBERS && how->types <= MOST_TYPES &&
	       weir_mpi_made_read(type, how);
}

/* A row of pieces, in the order in which they were said. */
struct row {
	uint64_t runs;
	bool known;
	bool begun;
	long end; /* of the last piece that has bytes */
};

/* `count` copies of a shape, at `start`, each `stride` after the last. */
static void lay(struct row *row, const struct weir_mpi_shape *shape, long start,
		long stride, long count)
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
			row->runs +=
				(one.runs - row->runs) * (uint64_t)(count - i);
			return;
		}
		lay(row, shape, stride * i, shape->extent, length);
	}
}

static void lay_indexed(struct row *row, const struct made *made,
			const struct weir_mpi_shape *shape)
{
	bool in_bytes = made->how.way == WEIR_MPI_HINDEXED ||
			made->how.way == WEIR_MPI_HINDEXED_BLOCK;
	bool alike = made->how.way == WEIR_MPI_INDEXED_BLOCK ||
		     made->how.way == WEIR_MPI_HINDEXED_BLOCK;
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

struct weir_mpi_shape weir_mpi_shape_measure(long type)
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

/* 0: not known; better no number than a wrong one. */
static uint64_t count_runs(const struct made *made, int depth)
{
	struct row row = { .known = true };
	struct weir_mpi_shape shape;

	if (made->how.way == WEIR_MPI_STRUCT) {
		lay_struct(&row, made, depth);
		return row.known ? row.runs : 0;
	}
	shape = shape_of(weir_mpi_handle_at(made->type, 0), depth);
	if (made->how.way == WEIR_MPI_DUP || made->how.way == WEIR_MPI_RESIZED)
		return shape.runs;
	if (made->how.way == WEIR_MPI_CONTIGUOUS)
		lay(&row, &shape, 0, shape.extent, made->number[0]);
	else if (made->how.way == WEIR_MPI_VECTOR)
		lay_blocks(&row, &shape, made->number[2] * shape.extent,
			   made->number[0], made->number[1]);
	else if (made->how.way == WEIR_MPI_HVECTOR)
		lay_blocks(&row, &shape, made->address[0], made->number[0],
			   made->number[1]);
	else if (made->how.way == WEIR_MPI_SUBARRAY)
		lay_subarray(&row, made, &shape);
	else
		lay_indexed(&row, made, &shape);
	return row.known ? row.runs : 0;
}

static struct weir_mpi_shape shape_of(long type, int depth)
{
	struct weir_mpi_shape shape = weir_mpi_shape_measure(type);
	struct made made;

	if (shape.runs || !shape.size || depth > DEEPEST)
		return shape;
	if (!look_how(type, &made))
		return shape;
	if (made.how.way != WEIR_MPI_NAMED)
		shape.runs = count_runs(&made, depth + 1);
	weir_mpi_made_let_go(&made.how);
	return shape;
}

struct weir_mpi_shape weir_mpi_shape_of(long type)
{
	return shape_of(type, 0);
}

bool weir_mpi_shape_is_plain(const struct weir_mpi_shape *shape)
{
	return shape->runs == 1 && !shape->low && shape->size == shape->extent;
}
