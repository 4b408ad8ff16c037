/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a field in three dimensions, step after step. */
#include "h5.h"

#include <stdio.h>
#include <stdlib.h>

enum { BX, BY, BZ, NX, NY, NZ, COMPS, STEPS, AX, AY, AZ, ALIGN, MODE };

static struct kernel_option options[] = {
	[BX] = { "bx", "N", "cells of a rank's block, x", KERNEL_NUMBER, 100,
		 1, 1 << 20 },
	[BY] = { "by", "N", "the same, y", KERNEL_NUMBER, 100, 1, 1 << 20 },
	[BZ] = { "bz", "N", "the same, z", KERNEL_NUMBER, 60, 1, 1 << 20 },
	[NX] = { "nx", "N", "ranks along x; 0: all, as y and z leave them",
		 KERNEL_NUMBER, 0, 0, 1 << 20 },
	[NY] = { "ny", "N", "ranks along y", KERNEL_NUMBER, 1, 1, 1 << 20 },
	[NZ] = { "nz", "N", "ranks along z", KERNEL_NUMBER, 1, 1, 1 << 20 },
	[COMPS] = { "comps", "N", "components of the field", KERNEL_NUMBER, 3,
		    1, 1000 },
	[STEPS] = { "steps", "N", "time steps", KERNEL_NUMBER, 20, 1, 100000 },
	[AX] = { "ax", "N", "blocks differ by so many cells along x",
		 KERNEL_NUMBER, 0, 0, 1 << 20 },
	[AY] = { "ay", "N", "along y", KERNEL_NUMBER, 0, 0, 1 << 20 },
	[AZ] = { "az", "N", "along z", KERNEL_NUMBER, 0, 0, 1 << 20 },
	[ALIGN] = { "align", "BYTES", "of objects in the file; 0: none",
		    KERNEL_NUMBER, 1 << 20, 0, 1 << 30 },
	[MODE] = { "mode", "collective|independent", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

static int64_t value_of(int option)
{
	return options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	int64_t plane = value_of(NY) * value_of(NZ);

	if (!value_of(NX))
		options[NX].number = run->ranks / plane;
	if (value_of(NX) * plane != run->ranks)
		return "nx x ny x nz must be the number of ranks";
	if (value_of(AX) >= value_of(BX) || value_of(AY) >= value_of(BY) ||
	    value_of(AZ) >= value_of(BZ))
		return "blocks cannot differ by all their cells";
	return NULL;
}

/* Every third block is smaller, every third larger. */
static uint64_t cells_at(int64_t index, int64_t size, int64_t differ)
{
	return (uint64_t)(size + (index % 3 - 1) * differ);
}

/* One direction: d is 0 for z, 1 for y, 2 for x. */
static void lay(struct kernel_block *block, int d, int64_t index)
{
	static const int size[] = { BZ, BY, BX }, number[] = { NZ, NY, NX };
	static const int differ[] = { AZ, AY, AX };
	uint64_t width = d == 2 ? (uint64_t)value_of(COMPS) : 1;

	for (int64_t i = 0; i < value_of(number[d]); i++) {
		uint64_t cells = cells_at(i, value_of(size[d]),
					  value_of(differ[d]));

		if (i < index)
			block->start[d] += cells * width;
		if (i == index)
			block->count[d] = cells * width;
		block->whole[d] += cells * width;
	}
}

static struct kernel_block place(const struct kernel_run *run)
{
	struct kernel_block block = { .dims = 3 };
	int64_t nx = value_of(NX), ny = value_of(NY);

	lay(&block, 2, run->rank % nx);
	lay(&block, 1, run->rank / nx % ny);
	lay(&block, 0, run->rank / (nx * ny));
	return block;
}

static struct kernel_array field(const struct kernel_block *block, int step)
{
	return (struct kernel_array){
		.what = "E",
		.width = KERNEL_F64,
		.stream = (uint64_t)step,
		.count = kernel_block_whole(block),
	};
}

static void write_step(struct kernel_h5 *h5, const struct kernel_block *block,
		       int step, void *data)
{
	struct kernel_array array = field(block, step);
	char name[32];
	hid_t group;

	snprintf(name, sizeof(name), "Step#%d", step);
	kernel_block_fill(block, &array, data);
	kernel_start(h5->run);
	group = kernel_h5_sure(h5->run,
			       H5Gcreate2(h5->file, name, H5P_DEFAULT,
					  H5P_DEFAULT, H5P_DEFAULT),
			       "create a group");
	kernel_stop(h5->run, KERNEL_WRITE);
	kernel_h5_write(h5, group, &array, block, data);
	H5Gclose(group);
}

static void act(struct kernel_run *run)
{
	struct kernel_h5_manner manner = {
		.collective = !value_of(MODE),
		.alignment = (uint64_t)value_of(ALIGN),
		.threshold = 1 << 16,
	};
	struct kernel_block block = place(run);
	void *data = kernel_memory(run, 8 * kernel_block_elements(&block));
	struct kernel_h5 h5;

	kernel_h5_create(&h5, run, &manner);
	for (int step = 0; step < value_of(STEPS); step++)
		write_step(&h5, &block, step, data);
	kernel_h5_close(&h5);
	free(data);
}

static void compare(struct kernel_run *run)
{
	struct kernel_block block = place(run);
	char name[32];

	for (int step = 0; step < value_of(STEPS); step++) {
		struct kernel_array array = field(&block, step);

		snprintf(name, sizeof(name), "Step#%d/E", step);
		kernel_h5_check(run, &array, name);
	}
}

struct kernel kernel = {
	.name = "vorpal",
	.summary = "Writes blocks of a field, as an electromagnetics code does",
	.pattern =
		"One HDF5 file; for each step a group with the dataset E, "
		"double [z][y][x*comps].\nRanks lie in a grid nx x ny x nz, x "
		"the fastest; each writes its block of bx x by\nx bz cells: "
		"by*bz runs of bx*comps*8 bytes a step, 6000 runs of 2400 "
		"bytes and\n288 MB a rank without options. With ax, ay, az "
		"every third block is smaller and\nevery third larger. Opened "
		"once, closed after the last step.",
	.source = "VORPAL-IO, of the auto-tuning paper (SC13)",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
