/* SPDX-License-Identifier: BSD-3-Clause */
/* Knobs: how datasets are read and written. */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/layers.h"
#include "spec/params.h"

enum { INDEPENDENT, COLLECTIVE };
enum { CHUNKED = 2 }; /* H5D_CHUNKED */

static int mode_of(const struct weir_hdf5_scene *scene, long list)
{
	struct weir_hdf5_library *lib = scene->lists->library;
	int mode = INDEPENDENT;

	if (list <= 0 || !lib->list_transfer ||
	    lib->list_transfer(list, &mode) < 0)
		return INDEPENDENT;
	return mode;
}

/*
 * A collective call waits for all ranks: it must be known that they come.
 * And what ranks write through filters they write together or not at all.
 */
static int judge_mode(const struct weir_hdf5_scene *scene,
		      const struct weir_plan_setting *setting)
{
	struct weir_layers_place place;

	if (!scene->is_shared)
		return WEIR_HDF5_NOT_SHARED;
	if (setting->number[0] == INDEPENDENT)
		return scene->is_filtered ? WEIR_HDF5_FILTERED : WEIR_HDF5_SET;
	if (scene->ranks && weir_layers_locate(scene->args->caller, &place) &&
	    weir_adjust_is_proven(setting, place.object, place.offset,
				  scene->ranks))
		return WEIR_HDF5_SET;
	return WEIR_HDF5_NOT_PROVEN;
}

static int judge_collective(const struct weir_hdf5_scene *scene,
			    const struct weir_plan_setting *setting)
{
	if (!scene->is_shared)
		return WEIR_HDF5_NOT_SHARED;
	return mode_of(scene, scene->list) == COLLECTIVE
		       ? WEIR_HDF5_SET
		       : WEIR_HDF5_INDEPENDENT;
}

static int judge_chunks(const struct weir_hdf5_scene *scene,
			const struct weir_plan_setting *setting)
{
	int fate = judge_collective(scene, setting);

	if (fate == WEIR_HDF5_SET && scene->layout != CHUNKED)
		return WEIR_HDF5_NOT_CHUNKED;
	return fate;
}

static int judge_check(const struct weir_hdf5_scene *scene,
		       const struct weir_plan_setting *setting)
{
	return weir_hdf5_transfer_writes(scene->args->call)
		       ? WEIR_HDF5_ONLY_READS
		       : WEIR_HDF5_SET;
}

static int put_buffer(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob,
		      const struct weir_plan_setting *setting)
{
	int (*set)(long, size_t, void *, void *) =
		weir_hdf5_knob_set(scene, knob);

	return set(scene->list, (size_t)setting->number[0], NULL, NULL);
}

static int tell_buffer(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	size_t (*get)(long, void **, void **) = weir_hdf5_knob_get(scene, knob);
	void *conversion = NULL, *background = NULL;
	size_t bytes = get ? get(list, &conversion, &background) : 0;

	if (!bytes)
		return -1;
	weir_hdf5_spell_number(text, bytes);
	if (conversion || background)
		weir_hdf5_spell_word(text, "the program's own");
	return 0;
}

static int tell_check(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob, long list, char *text)
{
	int (*get)(long) = weir_hdf5_knob_get(scene, knob);
	int checks = get ? get(list) : -1;

	if (checks < 0)
		return -1;
	weir_hdf5_spell_word(text, checks ? "true" : "false");
	return 0;
}

static const char *const modes[] = { "independent", "collective", NULL };
static const char *const ways[] = { "collective", "individual", NULL };
static const char *const bundles[] = { "default", "one_io", "multi_io", NULL };

#define MPI(name, function, property)                                          \
	WEIR_PARAM_##name, false, true, false, 4, "H5Pset_dxpl_mpio" function, \
		property, weir_hdf5_put_one, weir_hdf5_tell_named

const struct weir_hdf5_knob weir_hdf5_dxpl_knobs[] = {
	{ MPI(TRANSFER_MODE, "", "io_xfer_mode"), judge_mode, modes },
	{ MPI(COLLECTIVE_OPT, "_collective_opt", "mpio_collective_opt"),
	  judge_collective, ways },
	{ MPI(CHUNK_OPT, "_chunk_opt", "mpio_chunk_opt_hard"), judge_chunks,
	  bundles },
	{ MPI(CHUNK_OPT_NUM, "_chunk_opt_num", "mpio_chunk_opt_num"),
	  judge_chunks, NULL },
	{ MPI(CHUNK_OPT_RATIO, "_chunk_opt_ratio", "mpio_chunk_opt_ratio"),
	  judge_chunks, NULL },
	{ WEIR_PARAM_BUFFER, false, false, false, 8, "H5Pset_buffer",
	  "H5Pget_buffer", put_buffer, tell_buffer, NULL, NULL },
	{ WEIR_PARAM_HYPER_VECTOR_SIZE, false, false, false, 8,
	  "H5Pset_hyper_vector_size", "H5Pget_hyper_vector_size",
	  weir_hdf5_put_one, weir_hdf5_tell_one, NULL, NULL },
	{ WEIR_PARAM_EDC_CHECK, false, false, false, 4, "H5Pset_edc_check",
	  "H5Pget_edc_check", weir_hdf5_put_one, tell_check, judge_check,
	  NULL },
	{ 0 },
};
