/* SPDX-License-Identifier: BSD-3-Clause */
/* Small pieces of all ranks, interleaved. */
#include "data.h"
#include "mpio.h"

#include <stdlib.h>

enum { PIECE, PIECES, STEPS, MODE };

static struct kernel_option options[] = {
	[PIECE] = { "piece", "BYTES", "of one rank at a time, a multiple of 8",
		    KERNEL_NUMBER, 64, 8, 1 << 20 },
	[PIECES] = { "pieces", "N", "of each rank in a step", KERNEL_NUMBER,
		     4096, 1, 1 << 24 },
	[STEPS] = { "steps", "N", "writes of all pieces, one after the other "
		    "in the file", KERNEL_NUMBER, 4, 1, 100000 },
	[MODE] = { "mode", "collective|independent|simple", "one call a step "
		   "on a view, together or not, or one call a piece",
		   KERNEL_CHOICE },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	if (value_of(PIECE) % 8)
		return "the piece must be a multiple of 8";
	if (value_of(PIECE) * value_of(PIECES) > INT32_MAX)
		return "the pieces of a step must be less than 2 GiB";
	return NULL;
}

/* The file as rows of one piece of each rank. */
static struct kernel_block place(const struct kernel_run *run, uint64_t step)
{
	uint64_t words = value_of(PIECE) / 8;

	return (struct kernel_block){
		.dims = 3,
		.whole = { value_of(STEPS) * value_of(PIECES),
			   (uint64_t)run->ranks, words },
		.start = { step * value_of(PIECES), (uint64_t)run->rank, 0 },
		.count = { value_of(PIECES), 1, words },
	};
}

static struct kernel_array all_of(const struct kernel_run *run)
{
	struct kernel_block block = place(run, 0);

	return (struct kernel_array){
		.what = "pieces",
		.width = KERNEL_F64,
		.count = kernel_block_whole(&block),
	};
}

static void set_view(struct kernel_run *run, MPI_File file)
{
	int piece = (int)value_of(PIECE);
	MPI_Datatype one, view;

	MPI_Type_contiguous(piece, MPI_BYTE, &one);
	MPI_Type_create_resized(one, 0, (MPI_Aint)piece * run->ranks, &view);
	MPI_Type_commit(&view);
	kernel_start(run);
	kernel_mpio_sure(run,
			 MPI_File_set_view(file,
					   (MPI_Offset)piece * run->rank,
					   MPI_BYTE, view, "native",
					   MPI_INFO_NULL),
			 "set the view");
	kernel_stop(run, KERNEL_OPEN);
	MPI_Type_free(&one);
	MPI_Type_free(&view);
}

static void write_simply(struct kernel_run *run, MPI_File file,
			 const char *data, uint64_t step)
{
	uint64_t piece = value_of(PIECE);

	for (uint64_t i = 0; i < value_of(PIECES); i++) {
		uint64_t row = step * value_of(PIECES) + i;
		uint64_t at = (row * (uint64_t)run->ranks +
			       (uint64_t)run->rank) * piece;

		kernel_mpio_sure(run,
				 MPI_File_write_at(file, (MPI_Offset)at,
						   data + i * piece, (int)piece,
						   MPI_BYTE, MPI_STATUS_IGNORE),
				 "write a piece");
	}
}

static void write_step(struct kernel_run *run, MPI_File file, const char *data,
		       uint64_t step)
{
	uint64_t bytes = value_of(PIECE) * value_of(PIECES);
	bool together = !value_of(MODE);

	kernel_start(run);
	if (value_of(MODE) == 2)
		write_simply(run, file, data, step);
	else
		kernel_mpio_sure(run,
				 (together ? MPI_File_write_at_all
					   : MPI_File_write_at)(
					 file, (MPI_Offset)(step * bytes), data,
					 (int)bytes, MPI_BYTE,
					 MPI_STATUS_IGNORE),
				 "write the pieces");
	kernel_stop(run, KERNEL_WRITE);
	run->bytes += bytes;
}

static void act(struct kernel_run *run)
{
	struct kernel_array array = all_of(run);
	char *data = kernel_memory(run, value_of(PIECE) * value_of(PIECES));
	MPI_File file = kernel_mpio_create(run, run->path);

	if (value_of(MODE) != 2)
		set_view(run, file);
	for (uint64_t step = 0; step < value_of(STEPS); step++) {
		struct kernel_block block = place(run, step);

		kernel_block_fill(&block, &array, data);
		write_step(run, file, data, step);
	}
	kernel_mpio_close(run, &file);
	free(data);
}

static void compare(struct kernel_run *run)
{
	struct kernel_array array = all_of(run);

	kernel_array_check(run, &array, run->path, 0);
}

struct kernel kernel = {
	.name = "vectors",
	.summary = "Writes small pieces of all ranks, interleaved",
	.pattern =
		"One shared file of rows, each with one piece of every rank; "
		"piece i of rank r is\nat (i*ranks + r)*piece. A step writes "
		"`pieces` of them by one call on a view\n(collective or not), "
		"or by one call for each (simple).",
	.source = "the worst case of two-phase I/O and data sieving; pieces "
		  "of 64 bytes to 1 KiB",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
