/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles: eight variables, each rank a contiguous part of each. */
#include "comm.h"
#include "h5.h"
#include "particles.h"

#include <stdio.h>
#include <stdlib.h>

enum { PARTICLES, SPREAD, MODE };

static struct kernel_option options[] = {
	[PARTICLES] = { "particles", "N", "particles of each rank",
			KERNEL_NUMBER, 8 << 20, 1, INT64_C(1) << 40 },
	[SPREAD] = { "spread", "PERCENT", "ranks have so much more or fewer",
		     KERNEL_NUMBER, 0, 0, 50 },
	[MODE] = { "mode", "independent|collective", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

/* Ranks differ by a spread of percents around the mean. */
static uint64_t particles_of(const struct kernel_run *run)
{
	uint64_t mean = (uint64_t)options[PARTICLES].number;
	int64_t spread = options[SPREAD].number;
	int64_t percent = spread ? (int64_t)(kernel_random(
						     100, (uint64_t)run->rank) %
					     (uint64_t)(2 * spread + 1)) -
					   spread
				 : 0;

	return mean + (uint64_t)((int64_t)mean * percent / 100);
}

/* Where this rank's particles begin, how many it has, and how many are all. */
static struct kernel_block place(const struct kernel_run *run)
{
	uint64_t mine = particles_of(run), all = mine;

	kernel_comm_sum(&all, 1);
	kernel_particles_count(all);
	return (struct kernel_block){
		.dims = 1,
		.whole = { all },
		.start = { kernel_comm_before(mine) },
		.count = { mine },
	};
}

static void act(struct kernel_run *run)
{
	struct kernel_h5_manner manner = {
		.collective = options[MODE].number,
	};
	struct kernel_block block = place(run);
	void *data = kernel_memory(run, block.count[0] * 4);
	struct kernel_h5 h5;
	hid_t step;

	kernel_h5_create(&h5, run, &manner);
	step = kernel_h5_sure(run,
			      H5Gcreate2(h5.file, KERNEL_PARTICLES_GROUP,
					 H5P_DEFAULT, H5P_DEFAULT,
					 H5P_DEFAULT),
			      "create a group");
	for (int i = 0; i < KERNEL_PARTICLES; i++) {
		kernel_array_fill(&kernel_particles[i], block.start[0],
				  block.count[0], data);
		kernel_h5_write(&h5, step, &kernel_particles[i], &block, data);
	}
	H5Gclose(step);
	kernel_start(run);
	H5Fflush(h5.file, H5F_SCOPE_GLOBAL);
	kernel_stop(run, KERNEL_WRITE);
	kernel_h5_close(&h5);
	free(data);
}

static void compare(struct kernel_run *run)
{
	char name[32];

	place(run);
	for (int i = 0; i < KERNEL_PARTICLES; i++) {
		snprintf(name, sizeof(name), KERNEL_PARTICLES_GROUP "/%s",
			 kernel_particles[i].what);
		kernel_h5_check(run, &kernel_particles[i], name);
	}
}

struct kernel kernel = {
	.name = "vpic",
	.summary = "Writes particles, as a plasma code does at a checkpoint",
	.pattern =
		"One HDF5 file, group Step#0 with eight datasets of one "
		"dimension: x y z (float),\nid1 id2 (int), px py pz (float). "
		"Each rank has a contiguous part of each: it\ncreates a "
		"dataset, writes its part, closes it, eight times; then "
		"flushes and\ncloses the file. 4 bytes x particles in a run, "
		"8 runs a rank; 256 MiB a rank\nwithout options.",
	.source = "VPIC-IO, of the auto-tuning paper (SC13)",
	.options = options,
	.act = act,
	.compare = compare,
};
