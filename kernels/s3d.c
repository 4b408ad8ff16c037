/* SPDX-License-Identifier: BSD-3-Clause */
/* Four arrays of a combustion code, in blocks: short runs. */
#include "store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define ARRAYS 4

enum { NX, NY, NZ, PX, PY, PZ, CHECKPOINTS, COMPUTE, MODE };

static struct kernel_option options[] = {
	[NX] = { "nx", "N", "points of a rank's block, x", KERNEL_NUMBER, 50, 1,
		 4096 },
	[NY] = { "ny", "N", "the same, y", KERNEL_NUMBER, 50, 1, 4096 },
	[NZ] = { "nz", "N", "the same, z", KERNEL_NUMBER, 50, 1, 4096 },
	[PX] = { "px", "N", "ranks along x; 0: all, as y and z leave them",
		 KERNEL_NUMBER, 0, 0, 1 << 20 },
	[PY] = { "py", "N", "ranks along y", KERNEL_NUMBER, 1, 1, 1 << 20 },
	[PZ] = { "pz", "N", "ranks along z", KERNEL_NUMBER, 1, 1, 1 << 20 },
	[CHECKPOINTS] = { "checkpoints", "N", "files", KERNEL_NUMBER, 5, 1,
			  10000 },
	[COMPUTE] = { "compute", "MS", "milliseconds before each",
		      KERNEL_NUMBER, 0, 0, 1 << 30 },
	[MODE] = { "mode", "collective|independent|posted", "of the transfers; "
		   "posted: all four, then waited for", KERNEL_CHOICE },
	{ 0 },
};

static int64_t value_of(int option)
{
	return options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	int64_t plane = value_of(PY) * value_of(PZ);

	if (!value_of(PX))
		options[PX].number = run->ranks / plane;
	if (value_of(PX) * plane != run->ranks)
		return "px x py x pz must be the number of ranks";
	return kernel_store_refuse((enum kernel_store_mode)value_of(MODE));
}

/* The same block of space in an array of `scalars` values a point. */
static struct kernel_block place(const struct kernel_run *run, int scalars)
{
	struct kernel_block block = {
		.dims = 4,
		.whole = { (unsigned)scalars,
			   (uint64_t)(value_of(NZ) * value_of(PZ)),
			   (uint64_t)(value_of(NY) * value_of(PY)),
			   (uint64_t)(value_of(NX) * value_of(PX)) },
		.count = { (unsigned)scalars, (uint64_t)value_of(NZ),
			   (uint64_t)value_of(NY), (uint64_t)value_of(NX) },
	};
	int64_t px = value_of(PX), py = value_of(PY);

	block.start[3] = (uint64_t)(run->rank % px * value_of(NX));
	block.start[2] = (uint64_t)(run->rank / px % py * value_of(NY));
	block.start[1] = (uint64_t)(run->rank / (px * py) * value_of(NZ));
	return block;
}

static void drop_first(struct kernel_block *block)
{
	block->dims--;
	for (int d = 0; d < block->dims; d++) {
		block->whole[d] = block->whole[d + 1];
		block->start[d] = block->start[d + 1];
		block->count[d] = block->count[d + 1];
	}
}

static void tell(const struct kernel_run *run, uint64_t checkpoint,
		 struct kernel_store_told *told)
{
	static const struct {
		const char *name;
		int scalars;
	} arrays[ARRAYS] = {
		{ "yspecies", 11 }, { "u", 3 }, { "pressure", 1 }, { "temp", 1 }
	};

	told->count = ARRAYS;
	for (int i = 0; i < ARRAYS; i++) {
		struct kernel_block block = place(run, arrays[i].scalars);

		told->arrays[i] = (struct kernel_array){
			.what = arrays[i].name,
			.width = KERNEL_F64,
			.stream = checkpoint * ARRAYS + (uint64_t)i,
			.count = kernel_block_whole(&block),
		};
		if (arrays[i].scalars == 1)
			drop_first(&block);
		told->blocks[i] = block;
	}
}

static void name_file(const struct kernel_run *run, uint64_t checkpoint,
		      char path[static PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s.%llu", run->path,
		     (unsigned long long)checkpoint) >= PATH_MAX)
		kernel_fail(run, "the name of the file is too long");
}

static void write_checkpoint(struct kernel_run *run, uint64_t checkpoint)
{
	struct kernel_store_told told;
	struct kernel_store *store;
	void *data[ARRAYS];
	char path[PATH_MAX];

	tell(run, checkpoint, &told);
	for (int i = 0; i < ARRAYS; i++) {
		data[i] = kernel_memory(
			run, 8 * kernel_block_elements(&told.blocks[i]));
		kernel_block_fill(&told.blocks[i], &told.arrays[i], data[i]);
	}
	name_file(run, checkpoint, path);
	store = kernel_store_create(run, path,
				    (enum kernel_store_mode)value_of(MODE));
	for (int i = 0; i < ARRAYS; i++)
		kernel_store_tell(store, &told.arrays[i], &told.blocks[i]);
	for (int i = 0; i < ARRAYS; i++)
		kernel_store_write(store, i, data[i]);
	kernel_store_close(store);
	for (int i = 0; i < ARRAYS; i++)
		free(data[i]);
}

static void act(struct kernel_run *run)
{
	for (uint64_t i = 0; i < (uint64_t)value_of(CHECKPOINTS); i++) {
		kernel_compute(run, (double)value_of(COMPUTE) / 1000);
		write_checkpoint(run, i);
	}
}

static void compare(struct kernel_run *run)
{
	struct kernel_store_told told;
	char path[PATH_MAX];

	for (uint64_t i = 0; i < (uint64_t)value_of(CHECKPOINTS); i++) {
		tell(run, i, &told);
		name_file(run, i, path);
		kernel_store_check(run, path, &told);
	}
}

struct kernel kernel = {
	.name = "s3d",
	.summary = "Writes checkpoints as a combustion code does: short runs",
	.pattern =
		"FILE.0, FILE.1 and so on, one file a checkpoint, each with "
		"four arrays of doubles:\nyspecies [11][z][y][x], u "
		"[3][z][y][x], pressure and temp [z][y][x]. Ranks lie in a\n"
		"grid px x py x pz; runs of nx*8 bytes, 16*ny*nz of them a "
		"rank and checkpoint\n(40000 of 400 bytes, 15.3 MiB, without "
		"options), one call an array.",
	.source = "S3D-IO",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
