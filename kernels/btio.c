/* SPDX-License-Identifier: BSD-3-Clause */
/* A cube cut along its diagonals: each rank has q of its q*q*q cells. */
#include "data.h"
#include "mpio.h"

#include <stdlib.h>

#define COMPS 5 /* doubles of a point */
#define GHOST 2 /* points around each cell in memory */
#define CELL  (COMPS * 8)

enum { CLASS, SIZE, DUMPS, COMPUTE, MODE };

static struct kernel_option options[] = {
	[CLASS] = { "class", "S|W|A|B|C", "of the NAS benchmarks: 12, 24, 64, "
		    "102 or 162 points a side", KERNEL_CHOICE },
	[SIZE] = { "size", "N", "points a side; 0: as the class", KERNEL_NUMBER,
		   0, 0, 1024 },
	[DUMPS] = { "dumps", "N", "times the cube is written; 0: as the class",
		    KERNEL_NUMBER, 0, 0, 100000 },
	[COMPUTE] = { "compute", "MS", "milliseconds before each dump",
		      KERNEL_NUMBER, 0, 0, 1 << 30 },
	[MODE] = { "mode", "collective|independent|simple", "one call a dump "
		   "on a view, together or not, or one call a run",
		   KERNEL_CHOICE },
	{ 0 },
};

static int points, dumps, side; /* side: cells, the root of the ranks */

static const char *refuse(const struct kernel_run *run)
{
	static const int of_class[] = { 12, 24, 64, 102, 162 };
	static const int dumps_of[] = { 12, 40, 40, 40, 40 };

	points = options[SIZE].number ? (int)options[SIZE].number
				      : of_class[options[CLASS].number];
	dumps = options[DUMPS].number ? (int)options[DUMPS].number
				      : dumps_of[options[CLASS].number];
	for (side = 1; side * side < run->ranks; side++)
		;
	if (side * side != run->ranks)
		return "the ranks must be a square: 1, 4, 9, 16 ...";
	if (points / side < 3)
		return "a cell must have 3 points a side: use fewer ranks";
	return NULL;
}

/* The first few cells along a side have a point more. */
static void lay(struct kernel_block *block, int d, int index)
{
	int base = points / side, more = points % side;

	block->whole[d] = (unsigned)points;
	block->start[d] =
		(unsigned)(index * base + (index < more ? index : more));
	block->count[d] = (unsigned)(base + (index < more));
}

/* One of this rank's cells, as a block of the cube. */
static struct kernel_block cell_of(const struct kernel_run *run, int c)
{
	struct kernel_block block = {
		.dims = 4,
		.whole = { 0, 0, 0, COMPS },
		.count = { 0, 0, 0, COMPS },
	};

	lay(&block, 0, c);
	lay(&block, 1, (run->rank / side - c + side) % side);
	lay(&block, 2, (run->rank + c) % side);
	return block;
}

static struct kernel_array dump_of(int dump)
{
	return (struct kernel_array){
		.what = "cube",
		.width = KERNEL_F64,
		.stream = (uint64_t)dump,
		.count = (uint64_t)points * points * points * COMPS,
	};
}

static uint64_t dump_bytes(void)
{
	struct kernel_array array = dump_of(0);

	return kernel_array_bytes(&array, array.count);
}

/* Of one cell in memory, which has ghosts on all sides. */
static uint64_t room_of(const struct kernel_block *cell)
{
	return (cell->count[0] + 2 * GHOST) * (cell->count[1] + 2 * GHOST) *
	       (cell->count[2] + 2 * GHOST) * CELL;
}

static MPI_Datatype subarray(const struct kernel_block *cell, bool in_memory)
{
	int whole[3], count[3], start[3];
	MPI_Datatype point, type;

	for (int d = 0; d < 3; d++) {
		count[d] = (int)cell->count[d];
		whole[d] = in_memory ? count[d] + 2 * GHOST
				     : (int)cell->whole[d];
		start[d] = in_memory ? GHOST : (int)cell->start[d];
	}
	MPI_Type_contiguous(CELL, MPI_BYTE, &point);
	MPI_Type_create_subarray(3, whole, count, start, MPI_ORDER_C, point,
				 &type);
	MPI_Type_free(&point);
	return type;
}

/* All cells of this rank, in the file or in memory. */
static MPI_Datatype union_of(const struct kernel_run *run, bool in_memory)
{
	int *ones = kernel_memory(run, (uint64_t)side * sizeof(*ones));
	MPI_Aint *at = kernel_memory(run, (uint64_t)side * sizeof(*at));
	MPI_Datatype *parts =
		kernel_memory(run, (uint64_t)side * sizeof(MPI_Datatype));
	MPI_Datatype all;
	MPI_Aint room = 0;

	for (int c = 0; c < side; c++) {
		struct kernel_block cell = cell_of(run, c);

		parts[c] = subarray(&cell, in_memory);
		ones[c] = 1;
		at[c] = in_memory ? room : 0;
		room += (MPI_Aint)room_of(&cell);
	}
	MPI_Type_create_struct(side, ones, at, parts, &all);
	MPI_Type_commit(&all);
	for (int c = 0; c < side; c++)
		MPI_Type_free(&parts[c]);
	free(ones);
	free(at);
	free(parts);
	return all;
}

/* Where a row of a cell begins in its memory. */
static char *row_at(char *memory, const struct kernel_block *cell, uint64_t z,
		    uint64_t y)
{
	uint64_t line = cell->count[2] + 2 * GHOST;

	return memory + (((z + GHOST) * (cell->count[1] + 2 * GHOST) + y +
			  GHOST) * line + GHOST) * CELL;
}

/* One writing of the cube. */
struct dump {
	struct kernel_run *run;
	MPI_File file;
	int number;
	char *memory; /* this rank's cells, with their ghosts */
	MPI_Datatype cells;
};

typedef void row_work(const struct dump *dump, uint64_t first, char *row,
		      uint64_t elements);

static void fill_row(const struct dump *dump, uint64_t first, char *row,
		     uint64_t elements)
{
	struct kernel_array array = dump_of(dump->number);

	kernel_array_fill(&array, first, elements, row);
}

static void write_row(const struct dump *dump, uint64_t first, char *row,
		      uint64_t elements)
{
	uint64_t at = dump_bytes() * (uint64_t)dump->number + first * 8;

	kernel_mpio_sure(dump->run,
			 MPI_File_write_at(dump->file, (MPI_Offset)at, row,
					   (int)elements * 8, MPI_BYTE,
					   MPI_STATUS_IGNORE),
			 "write a run");
}

/* Each contiguous run of each cell. */
static void each_row(const struct dump *dump, row_work *work)
{
	char *memory = dump->memory;

	for (int c = 0; c < side; c++) {
		struct kernel_block cell = cell_of(dump->run, c);

		for (uint64_t i = 0; i < cell.count[0] * cell.count[1]; i++) {
			uint64_t z = i / cell.count[1], y = i % cell.count[1];
			uint64_t line = (cell.start[0] + z) * (uint64_t)points +
					cell.start[1] + y;

			work(dump,
			     (line * (uint64_t)points + cell.start[2]) * COMPS,
			     row_at(memory, &cell, z, y),
			     cell.count[2] * COMPS);
		}
		memory += room_of(&cell);
	}
}

static void write_dump(const struct dump *dump, uint64_t mine)
{
	MPI_Offset at = (MPI_Offset)(mine * (uint64_t)dump->number);
	int64_t mode = options[MODE].number;

	each_row(dump, fill_row);
	kernel_start(dump->run);
	if (mode == 2)
		each_row(dump, write_row);
	else
		kernel_mpio_sure(dump->run,
				 (mode ? MPI_File_write_at
				       : MPI_File_write_at_all)(
					 dump->file, at / CELL, dump->memory, 1,
					 dump->cells, MPI_STATUS_IGNORE),
				 "write the cube");
	kernel_stop(dump->run, KERNEL_WRITE);
	dump->run->bytes += mine;
}

static void set_view(struct kernel_run *run, MPI_File file)
{
	MPI_Datatype point, view = union_of(run, false);

	MPI_Type_contiguous(CELL, MPI_BYTE, &point);
	MPI_Type_commit(&point);
	kernel_start(run);
	kernel_mpio_sure(run,
			 MPI_File_set_view(file, 0, point, view, "native",
					   MPI_INFO_NULL),
			 "set the view");
	kernel_stop(run, KERNEL_OPEN);
	MPI_Type_free(&point);
	MPI_Type_free(&view);
}

static void act(struct kernel_run *run)
{
	struct dump dump = { .run = run };
	uint64_t mine = 0, room = 0;

	for (int c = 0; c < side; c++) {
		struct kernel_block cell = cell_of(run, c);

		mine += kernel_block_elements(&cell) * 8;
		room += room_of(&cell);
	}
	dump.memory = kernel_memory(run, room);
	dump.cells = union_of(run, true);
	dump.file = kernel_mpio_create(run, run->path);
	if (options[MODE].number != 2)
		set_view(run, dump.file);
	for (; dump.number < dumps; dump.number++) {
		kernel_compute(run, (double)options[COMPUTE].number / 1000);
		write_dump(&dump, mine);
	}
	kernel_mpio_close(run, &dump.file);
	MPI_Type_free(&dump.cells);
	free(dump.memory);
}

static void compare(struct kernel_run *run)
{
	for (int i = 0; i < dumps; i++) {
		struct kernel_array array = dump_of(i);

		kernel_array_check(run, &array, run->path,
				   dump_bytes() * (uint64_t)i);
	}
}

struct kernel kernel = {
	.name = "btio",
	.summary = "Writes a cube cut along its diagonals, dump after dump",
	.pattern =
		"One shared file: an array double [dumps][z][y][x][5]. On q*q "
		"ranks the cube has\nq*q*q cells, of which each rank has q, "
		"one in each layer: cell c of rank r is at\nx = (r+c) mod q, y "
		"= (r/q-c) mod q, z = c. Runs of N/q*40 bytes, q*N*N of them "
		"a\ndump over all ranks. In memory cells have 2 ghost points "
		"on each side. Collective\nand independent write a dump by "
		"one call on a view of q subarrays; simple by one\ncall a run.",
	.source = "BTIO of the NAS parallel benchmarks, as in the I/O "
		  "forwarding paper",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
