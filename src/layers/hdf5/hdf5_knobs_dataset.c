/* SPDX-License-Identifier: BSD-3-Clause */
/* Knobs: how datasets are made and opened. */
#include "layers/hdf5/hdf5_adjust.h"
#include "spec/params.h"

#include <string.h>

enum { COMPACT, CONTIGUOUS, CHUNKED };	       /* H5D_layout_t */
enum { DEFLATE = 1, SHUFFLE, FLETCHER, SZIP }; /* H5Z_filter_t */
enum { EARLY = 1, LATE, INCREMENTAL };	       /* H5D_alloc_time_t */

/* How szip is told what to do. */
#define SZIP_ENTROPY 4
#define SZIP_NEAREST 32
#define UNLIMITED    UINT64_MAX

static const char *const truths[] = { "false", "true", NULL };
static const char *const fills[] = { "alloc", "never", "ifset", NULL };
static const char *const layouts[] = { "compact", "contiguous", "chunked",
				       "virtual" };

static int layout_of(const struct weir_hdf5_scene *scene, long list)
{
	return list > 0 ? scene->lists->library->list_layout(list) : -1;
}

/* A chunk has as many sides as the dataset, none longer than it can be. */
static int judge_sides(const struct weir_hdf5_scene *scene,
		       const struct weir_plan_setting *setting)
{
	struct weir_hdf5_library *lib = scene->lists->library;
	uint64_t dims[WEIR_HDF5_SIDES], most[WEIR_HDF5_SIDES];
	int rank = lib->space_rank(scene->args->space);

	if (rank != setting->count || rank < 1 ||
	    lib->space_dims(scene->args->space, dims, most) != rank)
		return WEIR_HDF5_OTHER_RANK;
	for (int i = 0; i < rank; i++)
		if (most[i] != UNLIMITED &&
		    (uint64_t)setting->number[i] > most[i])
			return WEIR_HDF5_TOO_LARGE;
	return WEIR_HDF5_SET;
}

static int judge_chunk(const struct weir_hdf5_scene *scene,
		       const struct weir_plan_setting *setting)
{
	if (scene->lists->externals(scene->list) > 0)
		return WEIR_HDF5_IS_EXTERNAL;
	return judge_sides(scene, setting);
}

/* Only chunks can grow, and only chunks have filters. */
static bool needs_chunks(const struct weir_hdf5_scene *scene)
{
	struct weir_hdf5_library *lib = scene->lists->library;
	uint64_t dims[WEIR_HDF5_SIDES], most[WEIR_HDF5_SIDES];
	int rank = lib->space_dims(scene->args->space, dims, most);

	for (int i = 0; i < rank; i++)
		if (dims[i] != most[i])
			return true;
	return scene->lists->filters(scene->list) > 0;
}

/*
 * Ranks keep headers, and compact data in them, each for itself: what one
 * writes alone is lost, whichever header gets into the file.
 */
static int judge_layout(const struct weir_hdf5_scene *scene,
			const struct weir_plan_setting *setting)
{
	if (setting->number[0] == COMPACT && scene->is_shared &&
	    scene->ranks != 1)
		return WEIR_HDF5_HEADER_COPIES;
	if (scene->lists->externals(scene->list) > 0)
		return WEIR_HDF5_IS_EXTERNAL;
	return needs_chunks(scene) ? WEIR_HDF5_GROWS : WEIR_HDF5_SET;
}

static int judge_filter(const struct weir_hdf5_scene *scene,
			const struct weir_plan_setting *setting)
{
	if (layout_of(scene, scene->list) != CHUNKED)
		return WEIR_HDF5_NOT_CHUNKED;
	return scene->is_shared ? WEIR_HDF5_ALONE_FAILS : WEIR_HDF5_SET;
}

static int judge_room(const struct weir_hdf5_scene *scene,
		      const struct weir_plan_setting *setting)
{
	return scene->is_shared ? WEIR_HDF5_ALWAYS_EARLY : WEIR_HDF5_SET;
}

/* Of a dataset that is being opened, it is known only afterwards. */
static int judge_cache(const struct weir_hdf5_scene *scene,
		       const struct weir_plan_setting *setting)
{
	int layout = layout_of(scene, scene->made);

	if (layout >= 0 && layout != CHUNKED)
		return WEIR_HDF5_NOT_CHUNKED;
	return scene->is_shared && scene->is_writable ? WEIR_HDF5_NO_CACHE
						      : WEIR_HDF5_SET;
}

static int put_chunk(const struct weir_hdf5_scene *scene,
		     const struct weir_hdf5_knob *knob,
		     const struct weir_plan_setting *setting)
{
	int (*set)(long, int, const uint64_t *) =
		weir_hdf5_knob_set(scene, knob);

	return set(scene->list, setting->count,
		   (const uint64_t *)setting->number);
}

/* The layout too: it is one property. */
static int tell_layout(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	uint64_t sides[WEIR_HDF5_SIDES];
	int layout = layout_of(scene, list), rank = 0;

	if (scene->lists->externals(list) > 0)
		weir_hdf5_spell_word(text, "external");
	else if (layout >= 0 && layout <= 3 && layout != CHUNKED)
		weir_hdf5_spell_word(text, layouts[layout]);
	else if (layout == CHUNKED)
		rank = scene->lists->library->list_chunk(list, WEIR_HDF5_SIDES,
							 sides);
	for (int i = 0; i < rank; i++)
		weir_hdf5_spell_number(text, sides[i]);
	return 0;
}

/* What a layout brings with it was not set by anybody. */
static int tell_room(const struct weir_hdf5_scene *scene,
		     const struct weir_hdf5_knob *knob, long list, char *text)
{
	static const int usual[] = { EARLY, LATE, INCREMENTAL, INCREMENTAL };
	static const char *const times[] = { "default", "early", "late",
					     "incr" };
	int (*get)(long, int *) = weir_hdf5_knob_get(scene, knob);
	int layout = layout_of(scene, list), when = 0;

	if (!get || get(list, &when) < 0 || layout < 0 || layout > 3 ||
	    when < 0 || when > 3)
		return -1;
	weir_hdf5_spell_word(text,
			     when == usual[layout] ? "default" : times[when]);
	return 0;
}

static unsigned filter_of(const struct weir_hdf5_knob *knob)
{
	return knob->param == WEIR_PARAM_DEFLATE      ? DEFLATE
	       : knob->param == WEIR_PARAM_SHUFFLE    ? SHUFFLE
	       : knob->param == WEIR_PARAM_FLETCHER32 ? FLETCHER
						      : SZIP;
}

/* How a filter is told what to do; false: the list does not have it. */
static bool find_filter(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob, long list,
			unsigned values[8])
{
	int (*get)(long, int, unsigned *, size_t *, unsigned *, size_t, char *,
		   unsigned *) = weir_hdf5_knob_get(scene, knob);
	unsigned flags = 0, config = 0;
	size_t count = 8;
	char name[8];

	return get && get(list, (int)filter_of(knob), &flags, &count, values,
			  sizeof(name), name, &config) >= 0;
}

static int put_filter(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob,
		      const struct weir_plan_setting *setting)
{
	int (*remove)(long, int) =
		weir_hdf5_lists_function(scene->lists, "H5Premove_filter");
	int (*set)(long) = weir_hdf5_knob_set(scene, knob);
	unsigned values[8];
	bool has = find_filter(scene, knob, scene->list, values);

	if (!setting->number[0])
		return !has || (remove &&
				remove(scene->list, (int)filter_of(knob)) >= 0)
			       ? 0
			       : -1;
	return has ? 0 : set(scene->list);
}

static int tell_filter(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	unsigned values[8] = { 0 };

	weir_hdf5_spell_word(text,
			     truths[find_filter(scene, knob, list, values)]);
	return 0;
}

/* A second time would be a second filter. */
static int put_deflate(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob,
		       const struct weir_plan_setting *setting)
{
	int (*remove)(long, int) =
		weir_hdf5_lists_function(scene->lists, "H5Premove_filter");
	int (*set)(long, unsigned) = weir_hdf5_knob_set(scene, knob);
	unsigned values[8];

	if (find_filter(scene, knob, scene->list, values) &&
	    (!remove || remove(scene->list, DEFLATE) < 0))
		return -1;
	return set(scene->list, (unsigned)setting->number[0]);
}

static int tell_deflate(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob, long list,
			char *text)
{
	unsigned values[8] = { 0 };

	if (find_filter(scene, knob, list, values))
		weir_hdf5_spell_number(text, values[0]);
	else
		weir_hdf5_spell_word(text, "none");
	return 0;
}

static int put_szip(const struct weir_hdf5_scene *scene,
		    const struct weir_hdf5_knob *knob,
		    const struct weir_plan_setting *setting)
{
	int (*set)(long, unsigned, unsigned) = weir_hdf5_knob_set(scene, knob);
	unsigned values[8];

	if (find_filter(scene, knob, scene->list, values))
		return -1;
	return set(scene->list,
		   setting->number[0] ? SZIP_NEAREST : SZIP_ENTROPY,
		   (unsigned)setting->number[1]);
}

static int tell_szip(const struct weir_hdf5_scene *scene,
		     const struct weir_hdf5_knob *knob, long list, char *text)
{
	unsigned values[8] = { 0 };

	if (!find_filter(scene, knob, list, values)) {
		weir_hdf5_spell_word(text, "none");
		return 0;
	}
	weir_hdf5_spell_word(text, values[0] & SZIP_NEAREST ? "nn" : "ec");
	weir_hdf5_spell_number(text, values[1]);
	return 0;
}

#define SET(name, width, function, put, tell)                                  \
	WEIR_PARAM_##name, false, false, false, width, "H5Pset_" function,     \
		"H5Pget_" function, put, tell
#define FILTER(name, function, put, tell)                                      \
	WEIR_PARAM_##name, false, false, false, 0, "H5Pset_" function,         \
		"H5Pget_filter_by_id2", put, tell, judge_filter, NULL

const struct weir_hdf5_knob weir_hdf5_dcpl_knobs[] = {
	{ SET(LAYOUT, 4, "layout", weir_hdf5_put_one, tell_layout),
	  judge_layout, NULL },
	{ SET(CHUNK, 0, "chunk", put_chunk, tell_layout), judge_chunk, NULL },
	{ SET(FILL_TIME, 4, "fill_time", weir_hdf5_put_one, weir_hdf5_tell_one),
	  NULL, fills },
	{ SET(ALLOC_TIME, 4, "alloc_time", weir_hdf5_put_one, tell_room),
	  judge_room, NULL },
	/* in the order in which the data go through them */
	{ FILTER(SHUFFLE, "shuffle", put_filter, tell_filter) },
	{ FILTER(DEFLATE, "deflate", put_deflate, tell_deflate) },
	{ FILTER(SZIP, "szip", put_szip, tell_szip) },
	{ FILTER(FLETCHER32, "fletcher32", put_filter, tell_filter) },
	{ SET(ATTR_PHASE_CHANGE, 4, "attr_phase_change", weir_hdf5_put_two,
	      weir_hdf5_tell_two),
	  weir_hdf5_judge_format, NULL },
	{ SET(OBJ_TRACK_TIMES, 1, "obj_track_times", weir_hdf5_put_one,
	      weir_hdf5_tell_one),
	  NULL, truths },
	{ 0 },
};

static int put_cache(const struct weir_hdf5_scene *scene,
		     const struct weir_hdf5_knob *knob,
		     const struct weir_plan_setting *setting)
{
	int (*set)(long, size_t, size_t, double) =
		weir_hdf5_knob_set(scene, knob);
	double w0 = weir_hdf5_knob_w0(setting);

	return set(scene->list, (size_t)setting->number[0],
		   (size_t)setting->number[1], w0);
}

/* A new list has what stands for the file's, which is not of use to know. */
static int tell_cache(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob, long list, char *text)
{
	int (*get)(long, size_t *, size_t *, double *) =
		weir_hdf5_knob_get(scene, knob);
	size_t slots = 0, bytes = 0;
	double w0 = 0;

	if (!get || get(list, &slots, &bytes, &w0) < 0)
		return -1;
	weir_hdf5_spell_number(text, slots);
	weir_hdf5_spell_number(text, bytes);
	weir_hdf5_spell_real(text, w0);
	return 0;
}

const struct weir_hdf5_knob weir_hdf5_dapl_knobs[] = {
	{ SET(CHUNK_CACHE, 0, "chunk_cache", put_cache, tell_cache),
	  judge_cache, NULL },
	{ 0 },
};
