/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the elements that a dataspace selects, in their order. */
#include "layers/hdf5/hdf5_runs.h"

#include "layers/layers.h"

#include <string.h>

enum { NONE = 0, POINTS = 1, HYPERSLABS = 2, ALL = 3 };

typedef int ask_list(long, uint64_t, uint64_t, uint64_t *);

static uint64_t axis_length(const struct weir_hdf5_axis *axis)
{
	return axis->count * axis->block;
}

static bool has_no_gaps(const struct weir_hdf5_axis *axis)
{
	return axis->count == 1 || axis->stride == axis->block;
}

static void measure(struct weir_hdf5_runs *runs)
{
	uint64_t step = 1;

	for (int i = runs->space.rank - 1; i >= 0; i--) {
		runs->step[i] = step;
		step *= runs->space.axes[i].dim;
	}
}

/* Dimensions that leave nothing out make runs of those around them longer. */
static void start_even(struct weir_hdf5_runs *runs)
{
	const struct weir_hdf5_axis *axes = runs->space.axes;
	const struct weir_hdf5_axis *axis;
	int inner = runs->space.rank - 1;

	runs->is_over = !weir_hdf5_space_points(&runs->space);
	runs->pieces = runs->length = 1;
	runs->inner = inner;
	if (inner < 0)
		return;
	while (inner > 0 && has_no_gaps(&axes[inner]) &&
	       axis_length(&axes[inner]) == axes[inner].dim)
		inner--;
	axis = &axes[inner];
	runs->inner = inner;
	runs->pieces = has_no_gaps(axis) ? 1 : axis->count;
	runs->length = (has_no_gaps(axis) ? axis_length(axis) : axis->block) *
		       runs->step[inner];
}

static uint64_t axis_offset(const struct weir_hdf5_axis *axis, uint64_t index)
{
	return axis->start + index / axis->block * axis->stride +
	       index % axis->block;
}

static void step_even(struct weir_hdf5_runs *runs)
{
	int i = runs->inner - 1;

	if (++runs->piece < runs->pieces)
		return;
	runs->piece = 0;
	while (i >= 0 && ++runs->at[i] == axis_length(&runs->space.axes[i]))
		runs->at[i--] = 0;
	runs->is_over = i < 0;
}

/* Computed, not asked: HDF5 would list all blocks of a regular selection. */
static bool next_even(struct weir_hdf5_runs *runs, struct weir_hdf5_run *run)
{
	const struct weir_hdf5_axis *axes = runs->space.axes;
	int inner = runs->inner;

	if (runs->is_over)
		return false;
	run->first = 0;
	run->count = runs->length;
	if (inner >= 0)
		run->first =
			(axes[inner].start + runs->piece * axes[inner].stride) *
			runs->step[inner];
	for (int i = 0; i < inner; i++)
		run->first +=
			axis_offset(&axes[i], runs->at[i]) * runs->step[i];
	step_even(runs);
	return true;
}

/* --- what is not even ----------------------------------------------------- */

static uint64_t index_of(const struct weir_hdf5_runs *runs,
			 const uint64_t *place)
{
	uint64_t index = 0;

	for (int i = 0; i < runs->space.rank; i++)
		index += place[i] * runs->step[i];
	return index;
}

/* Some at a time: there may be millions, and no memory is allocated. */
static bool ask_points(struct weir_hdf5_runs *runs)
{
	uint64_t places[WEIR_HDF5_RUNS_POINTS * WEIR_HDF5_RANK];
	uint64_t left = runs->space.points - runs->asked;
	ask_list *ask = (ask_list *)weir_layers_sibling(
		"H5Sget_select_elem_pointlist", runs->library->libversion);

	left = left > WEIR_HDF5_RUNS_POINTS ? WEIR_HDF5_RUNS_POINTS : left;
	if (!ask || !left || ask(runs->id, runs->asked, left, places) < 0)
		return false;
	for (uint64_t i = 0; i < left; i++) {
		runs->list[i].first =
			index_of(runs, places + i * (uint64_t)runs->space.rank);
		runs->list[i].count = 1;
	}
	runs->asked += left;
	runs->next = 0;
	runs->known = left;
	return true;
}

/* The rows of a block, each a run. */
static bool add_rows(struct weir_hdf5_runs *runs, const uint64_t *low,
		     const uint64_t *high)
{
	int last = runs->space.rank - 1;
	uint64_t at[WEIR_HDF5_RANK];
	int i;

	memcpy(at, low, sizeof(*at) * (size_t)runs->space.rank);
	do {
		if (runs->known == WEIR_HDF5_RUNS_BLOCKS)
			return false;
		runs->list[runs->known].first = index_of(runs, at);
		runs->list[runs->known++].count = high[last] - low[last] + 1;
		for (i = last - 1; i >= 0 && ++at[i] > high[i]; i--)
			at[i] = low[i];
	} while (i >= 0);
	return true;
}

/* Elements are in the order of their numbers, whatever the blocks' is. */
static void sort(struct weir_hdf5_runs *runs)
{
	for (uint64_t i = 1; i < runs->known; i++) {
		struct weir_hdf5_run run = runs->list[i];
		uint64_t j = i;

		for (; j > 0 && runs->list[j - 1].first > run.first; j--)
			runs->list[j] = runs->list[j - 1];
		runs->list[j] = run;
	}
}

static bool start_blocks(struct weir_hdf5_runs *runs)
{
	uint64_t corners[2 * WEIR_HDF5_RANK];
	size_t rank = (size_t)runs->space.rank;
	ask_list *ask = (ask_list *)weir_layers_sibling(
		"H5Sget_select_hyper_blocklist", runs->library->libversion);

	if (!ask || runs->space.runs > WEIR_HDF5_RUNS_BLOCKS)
		return false;
	for (uint64_t i = 0; i < runs->space.runs; i++)
		if (ask(runs->id, i, 1, corners) < 0 ||
		    !add_rows(runs, corners, corners + rank))
			return false;
	sort(runs);
	return true;
}

/* Lists do not know of an offset that the program gave the selection. */
static bool start_uneven(struct weir_hdf5_runs *runs)
{
	if (!runs->space.points)
		return true;
	if (runs->space.rank < 1)
		return runs->space.points == 1;
	switch (runs->library->select_type(runs->id)) {
	case POINTS:
		return ask_points(runs);
	case HYPERSLABS:
		return start_blocks(runs);
	}
	return false;
}

static bool next_uneven(struct weir_hdf5_runs *runs, struct weir_hdf5_run *run)
{
	if (!runs->space.points)
		return false;
	if (runs->space.rank < 1) {
		*run = (struct weir_hdf5_run){ 0, 1 };
		return !runs->next++;
	}
	if (runs->next == runs->known && (!runs->asked || !ask_points(runs)))
		return false;
	*run = runs->list[runs->next++];
	return true;
}

bool weir_hdf5_runs_start(struct weir_hdf5_runs *runs,
			  struct weir_hdf5_library *lib, long id,
			  const uint64_t *dims, int rank)
{
	memset(runs, 0, offsetof(struct weir_hdf5_runs, list));
	runs->library = lib;
	runs->id = id;
	if (!id && (rank < 0 || rank > WEIR_HDF5_RANK))
		return false;
	if (!id)
		weir_hdf5_space_whole(&runs->space, dims, rank);
	else if (!weir_hdf5_space_look(lib, id, &runs->space))
		return false;
	measure(runs);
	if (!runs->space.even)
		return start_uneven(runs);
	start_even(runs);
	return true;
}

bool weir_hdf5_runs_next(struct weir_hdf5_runs *runs,
			 struct weir_hdf5_run *ret_run)
{
	return runs->space.even ? next_even(runs, ret_run)
				: next_uneven(runs, ret_run);
}
