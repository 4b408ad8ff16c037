/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels of a geodesic grid: a contiguous range of cells in each level. */
#include "h5.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESOLUTION, SUBDOMAIN, LEVELS, STEPS, VARIABLE, CHUNK, ALIGN, GROUP,
       MODE };

static struct kernel_option options[] = {
	[RESOLUTION] = { "resolution", "R", "the grid has 10*4^R cells",
			 KERNEL_NUMBER, 6, 1, 16 },
	[SUBDOMAIN] = { "subdomain", "S", "in 10*4^S parts, a multiple of the "
			"ranks", KERNEL_NUMBER, 3, 0, 15 },
	[LEVELS] = { "levels", "N", "levels of the atmosphere", KERNEL_NUMBER,
		     25, 1, 10000 },
	[STEPS] = { "steps", "N", "time steps", KERNEL_NUMBER, 10, 1, 100000 },
	[VARIABLE] = { "variable", "pressure|edge", "[1][levels+1][cells], or "
		       "[6][levels][cells]", KERNEL_CHOICE },
	[CHUNK] = { "chunk", NULL, "chunks of one rank's whole piece",
		    KERNEL_FLAG },
	[ALIGN] = { "align", "BYTES", "of objects in the file; 0: none",
		    KERNEL_NUMBER, 0, 0, 1 << 30 },
	[GROUP] = { "group", "N", "so many ranks send to one, which writes",
		    KERNEL_NUMBER, 1, 1, 1 << 20 },
	[MODE] = { "mode", "independent|collective", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	uint64_t parts = 10 * (UINT64_C(1) << 2 * value_of(SUBDOMAIN));

	if (value_of(SUBDOMAIN) >= value_of(RESOLUTION))
		return "the subdomain must be less than the resolution";
	if (parts % (uint64_t)run->ranks)
		return "10*4^S must be a multiple of the ranks";
	if ((uint64_t)run->ranks % value_of(GROUP))
		return "the ranks must be a multiple of the group";
	return NULL;
}

static uint64_t cells(void)
{
	return 10 * (UINT64_C(1) << 2 * value_of(RESOLUTION));
}

/* The piece of each of `pieces` equal parts; the two poles are nobody's. */
static struct kernel_block place(uint64_t piece, uint64_t pieces)
{
	bool edge = value_of(VARIABLE);

	return (struct kernel_block){
		.dims = 3,
		.whole = { edge ? 6 : 1, value_of(LEVELS) + !edge,
			   cells() + 2 },
		.start = { 0, 0, cells() / pieces * piece },
		.count = { edge ? 6 : 1, value_of(LEVELS) + !edge,
			   cells() / pieces },
	};
}

/* Poles were never written. */
static double level_value(const struct kernel_array *array, uint64_t i)
{
	if (i % (cells() + 2) >= cells())
		return 0;
	return (double)(kernel_random(array->stream, i) >> 40);
}

static struct kernel_array data_of(uint64_t step)
{
	struct kernel_block block = place(0, 1);

	return (struct kernel_array){
		.what = "data",
		.width = KERNEL_F32,
		.stream = step,
		.count = kernel_block_whole(&block),
		.value = level_value,
	};
}

/* Pieces of the group's ranks, beside each other in each level. */
static void interleave(const struct kernel_block *one, const float *from,
		       float *to)
{
	uint64_t run = one->count[2], rows = one->count[0] * one->count[1];
	uint64_t group = value_of(GROUP);

	for (uint64_t r = 0; r < group; r++)
		for (uint64_t row = 0; row < rows; row++)
			memcpy(to + (row * group + r) * run,
			       from + (r * rows + row) * run,
			       run * sizeof(*to));
}

/* What a run needs: the ranks that write have the group's piece. */
struct work {
	struct kernel_block mine, written;
	MPI_Comm group;
	float *data, *gathered, *ready;
};

static void prepare(struct kernel_run *run, struct work *w)
{
	uint64_t rank = (uint64_t)run->rank, group = value_of(GROUP);
	uint64_t ranks = (uint64_t)run->ranks, bytes;

	w->mine = place(rank, ranks);
	w->written = place(rank / group, ranks / group);
	if (rank % group)
		w->written.count[2] = 0;
	MPI_Comm_split(MPI_COMM_WORLD, (int)(rank / group), (int)rank,
		       &w->group);
	bytes = 4 * kernel_block_elements(&w->mine);
	w->data = kernel_memory(run, bytes);
	w->gathered = kernel_memory(run, group > 1 ? bytes * group : 0);
	w->ready = kernel_memory(run, group > 1 ? bytes * group : 0);
}

static const float *gather(struct kernel_run *run, struct work *w)
{
	int count = (int)kernel_block_elements(&w->mine);

	if (value_of(GROUP) == 1)
		return w->data;
	kernel_start(run);
	MPI_Gather(w->data, count, MPI_FLOAT, w->gathered, count, MPI_FLOAT, 0,
		   w->group);
	if (w->written.count[2])
		interleave(&w->mine, w->gathered, w->ready);
	kernel_stop(run, KERNEL_WRITE);
	return w->ready;
}

static void write_step(struct kernel_h5 *h5, struct work *w, uint64_t step)
{
	struct kernel_array array = data_of(step);
	const float *data;
	char name[32];
	hid_t group;

	snprintf(name, sizeof(name), "Step#%llu", (unsigned long long)step);
	kernel_block_fill(&w->mine, &array, w->data);
	data = gather(h5->run, w);
	kernel_start(h5->run);
	group = kernel_h5_sure(h5->run,
			       H5Gcreate2(h5->file, name, H5P_DEFAULT,
					  H5P_DEFAULT, H5P_DEFAULT),
			       "create a group");
	kernel_stop(h5->run, KERNEL_WRITE);
	kernel_h5_write(h5, group, &array, &w->written, data);
	H5Gclose(group);
}

static void act(struct kernel_run *run)
{
	struct kernel_h5_manner manner = {
		.collective = value_of(MODE),
		.alignment = value_of(ALIGN),
		.threshold = 1 << 16,
	};
	struct kernel_h5 h5;
	struct work w;

	prepare(run, &w);
	if (value_of(CHUNK))
		memcpy(manner.chunk, w.mine.count, sizeof(manner.chunk));
	kernel_h5_create(&h5, run, &manner);
	for (uint64_t step = 0; step < value_of(STEPS); step++)
		write_step(&h5, &w, step);
	kernel_h5_close(&h5);
	MPI_Comm_free(&w.group);
	free(w.data);
	free(w.gathered);
	free(w.ready);
}

static void compare(struct kernel_run *run)
{
	char name[32];

	for (uint64_t step = 0; step < value_of(STEPS); step++) {
		struct kernel_array array = data_of(step);

		snprintf(name, sizeof(name), "Step#%llu/data",
			 (unsigned long long)step);
		kernel_h5_check(run, &array, name);
	}
}

struct kernel kernel = {
	.name = "gcrm",
	.summary = "Writes levels of a geodesic grid, as a climate model does",
	.pattern =
		"One HDF5 file; for each step a group with the dataset `data`, "
		"float\n[1][levels+1][cells+2] (pressure) or "
		"[6][levels][cells+2] (edge). Each rank has a\ncontiguous "
		"range of cells in each level: 26 (or 150) runs of "
		"cells/ranks*4 bytes\na step. The two poles are not written. "
		"The paper's size is --resolution 11\n--subdomain 7 on 128 "
		"ranks: 26 runs of 1.25 MiB a rank and step, 40 GiB.",
	.source = "GCRM-IO, of the auto-tuning paper (SC13)",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
