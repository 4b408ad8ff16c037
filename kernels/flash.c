/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of an adaptive mesh: a checkpoint and two plot files. */
#include "comm.h"
#include "store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define VARIABLES 24
#define PLOTTED	  4
#define TREE	  6
#define NOTES	  10

enum { BLOCKS, CELLS, MODE };

static struct kernel_option options[] = {
	[BLOCKS] = { "blocks", "N", "of the first rank; the next has 1 more, "
		     "the one after it 2, then again", KERNEL_NUMBER, 80, 1,
		     1 << 20 },
	[CELLS] = { "cells", "N", "a side of a block", KERNEL_NUMBER, 8, 2,
		    256 },
	[MODE] = { "mode", "collective|independent|posted", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

static const char *refuse(const struct kernel_run *run)
{
	return kernel_store_refuse(
		(enum kernel_store_mode)options[MODE].number);
}

enum { CHECKPOINT, PLOT_CENTRE, PLOT_CORNER, FILES };

static const char *const suffixes[FILES] = { "chk", "plt_cnt", "plt_crn" };

static char names[FILES * (VARIABLES + TREE)][24];
static uint64_t first_block, blocks, all_blocks; /* of this rank; of all */

static void count_blocks(const struct kernel_run *run)
{
	blocks = (uint64_t)(options[BLOCKS].number + run->rank % 3);
	first_block = kernel_comm_before(blocks);
	all_blocks = blocks;
	kernel_comm_sum(&all_blocks, 1);
}

/* Rows of the array, one a block, of `dims` further dimensions. */
static struct kernel_block rows(int dims, const unsigned long long *lengths)
{
	struct kernel_block block = {
		.dims = dims + 1,
		.whole = { all_blocks },
		.start = { first_block },
		.count = { blocks },
	};

	for (int d = 0; d < dims; d++)
		block.whole[d + 1] = block.count[d + 1] = lengths[d];
	return block;
}

static void add(struct kernel_store_told *told, const char *name,
		enum kernel_width width, struct kernel_block block)
{
	told->blocks[told->count] = block;
	told->arrays[told->count] = (struct kernel_array){
		.what = name,
		.width = width,
		.stream = (uint64_t)told->count,
		.count = kernel_block_whole(&block),
	};
	told->count++;
}

/* The tree by which blocks refine each other. */
static void add_tree(struct kernel_store_told *told)
{
	static const unsigned long long fifteen[] = { 15 }, three[] = { 3 };
	static const unsigned long long box[] = { 3, 2 };

	add(told, "lrefine", KERNEL_I32, rows(0, NULL));
	add(told, "nodetype", KERNEL_I32, rows(0, NULL));
	add(told, "gid", KERNEL_I32, rows(1, fifteen));
	add(told, "coordinates", KERNEL_F64, rows(1, three));
	add(told, "blocksize", KERNEL_F64, rows(1, three));
	add(told, "bndbox", KERNEL_F64, rows(2, box));
}

static void add_variables(struct kernel_store_told *told, int file)
{
	unsigned long long side =
		(unsigned long long)options[CELLS].number +
		(file == PLOT_CORNER);
	const unsigned long long cube[] = { side, side, side };
	int count = file == CHECKPOINT ? VARIABLES : PLOTTED;

	for (int i = 0; i < count; i++) {
		char *name = names[file * (VARIABLES + TREE) + i];

		snprintf(name, sizeof(names[0]), "var%02d", i + 1);
		add(told, name, file == CHECKPOINT ? KERNEL_F64 : KERNEL_F32,
		    rows(3, cube));
	}
}

static void tell(int file, struct kernel_store_told *told)
{
	told->count = 0;
	add_tree(told);
	add_variables(told, file);
}

static void name_file(const struct kernel_run *run, int file,
		      char path[static PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s.%s", run->path, suffixes[file]) >=
	    PATH_MAX)
		kernel_fail(run, "the name of the file is too long");
}

static void *filled(const struct kernel_run *run,
		    const struct kernel_store_told *told, int i)
{
	uint64_t count = kernel_block_elements(&told->blocks[i]);
	void *data = kernel_memory(
		run, kernel_array_bytes(&told->arrays[i], count));

	kernel_block_fill(&told->blocks[i], &told->arrays[i], data);
	return data;
}

static void write_file(struct kernel_run *run, int file)
{
	static struct kernel_store_told told;
	void *data[KERNEL_STORE_ARRAYS];
	struct kernel_store *store;
	char path[PATH_MAX], note[16];

	tell(file, &told);
	name_file(run, file, path);
	for (int i = 0; i < told.count; i++)
		data[i] = filled(run, &told, i);
	store = kernel_store_create(
		run, path, (enum kernel_store_mode)options[MODE].number);
	for (int i = 0; i < NOTES; i++) {
		snprintf(note, sizeof(note), "note%02d", i);
		kernel_store_note(store, note, "a word about this run");
	}
	for (int i = 0; i < told.count; i++)
		kernel_store_tell(store, &told.arrays[i], &told.blocks[i]);
	for (int i = 0; i < told.count; i++)
		kernel_store_write(store, i, data[i]);
	kernel_store_close(store);
	for (int i = 0; i < told.count; i++)
		free(data[i]);
}

static void act(struct kernel_run *run)
{
	count_blocks(run);
	for (int file = 0; file < FILES; file++)
		write_file(run, file);
}

static void compare(struct kernel_run *run)
{
	static struct kernel_store_told told;
	char path[PATH_MAX];

	count_blocks(run);
	for (int file = 0; file < FILES; file++) {
		tell(file, &told);
		name_file(run, file, path);
		kernel_store_check(run, path, &told);
	}
}

struct kernel kernel = {
	.name = "flash",
	.summary = "Writes a checkpoint and two plot files of an adaptive mesh",
	.pattern =
		"FILE.chk: ten attributes, six arrays of the tree and 24 "
		"variables double\n[blocks][8][8][8]; FILE.plt_cnt and "
		"FILE.plt_crn: the tree and 4 variables float\n"
		"[blocks][8][8][8] or [9][9][9]. Rank r has 80 + r mod 3 "
		"blocks, contiguous in each\narray: one run an array, 320 KiB "
		"for a variable, 320 bytes to 4.7 KiB for the tree.",
	.source = "FLASH-IO",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
