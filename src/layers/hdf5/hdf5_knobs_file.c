/* SPDX-License-Identifier: BSD-3-Clause */
/* Knobs: how files are opened and made. */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/hdf5/hdf5_cache.h"
#include "spec/params.h"

#include <stdlib.h>
#include <string.h>

enum { PAGED = 1 }; /* H5F_FSPACE_STRATEGY_PAGE */
enum { EARLIEST, LATEST_SINCE_10 = 2, CHOSEN_LATEST = 5 };
enum { SEC2, CORE };
enum { LOCKS_OFF, LOCKS_ON, LOCKS_TRIED };

/* As much is written when the file is made, and cut off when it is closed. */
#define CORE_STEP (UINT64_C(1) << 20)

static const char *const truths[] = { "false", "true", NULL };
static const char *const strategies[] = { "fsm_aggr", "page", "aggr", "none",
					  NULL };

/* Whether a file has paged space; what is not known is not. */
static int strategy_of(const struct weir_hdf5_scene *scene, long list)
{
	int (*get)(long, int *, bool *, uint64_t *) = weir_hdf5_lists_function(
		scene->lists, "H5Pget_file_space_strategy");
	bool persist[4];
	uint64_t threshold;
	int strategy = -1;

	if (!get || list <= 0 || get(list, &strategy, persist, &threshold) < 0)
		return -1;
	return strategy;
}

static int judge_room(const struct weir_hdf5_scene *scene,
		      const struct weir_plan_setting *setting)
{
	return strategy_of(scene, scene->made) == PAGED ? WEIR_HDF5_HAS_PAGES
							: WEIR_HDF5_SET;
}

static int judge_sieve(const struct weir_hdf5_scene *scene,
		       const struct weir_plan_setting *setting)
{
	return scene->is_shared && !scene->can_sieve ? WEIR_HDF5_NO_SIEVE
						     : WEIR_HDF5_SET;
}

static int judge_chunk_cache(const struct weir_hdf5_scene *scene,
			     const struct weir_plan_setting *setting)
{
	return scene->is_shared && scene->is_writable ? WEIR_HDF5_NO_CACHE
						      : WEIR_HDF5_SET;
}

static int judge_shared(const struct weir_hdf5_scene *scene,
			const struct weir_plan_setting *setting)
{
	return scene->is_shared ? WEIR_HDF5_SET : WEIR_HDF5_NOT_SHARED;
}

static int judge_all_metadata(const struct weir_hdf5_scene *scene,
			      const struct weir_plan_setting *setting)
{
	if (!scene->is_shared)
		return WEIR_HDF5_NOT_SHARED;
	return scene->lists->version >= 11005 && scene->lists->version <= 11008
		       ? WEIR_HDF5_BROKEN_READS
		       : WEIR_HDF5_SET;
}

/* HDF5 1.14 has a page buffer in parallel files that nobody writes to. */
static int judge_page_buffer(const struct weir_hdf5_scene *scene,
			     const struct weir_plan_setting *setting)
{
	if (scene->is_shared)
		return WEIR_HDF5_NOT_PARALLEL;
	if (scene->made > 0 && strategy_of(scene, scene->made) != PAGED)
		return WEIR_HDF5_NOT_PAGED;
	return WEIR_HDF5_SET;
}

static int judge_not_shared(const struct weir_hdf5_scene *scene,
			    const struct weir_plan_setting *setting)
{
	return scene->is_shared ? WEIR_HDF5_NOT_PARALLEL : WEIR_HDF5_SET;
}

static int judge_locking(const struct weir_hdf5_scene *scene,
			 const struct weir_plan_setting *setting)
{
	if (scene->is_shared)
		return WEIR_HDF5_NO_LOCKS;
	return getenv("HDF5_USE_FILE_LOCKING") ? WEIR_HDF5_BY_VARIABLE
					       : WEIR_HDF5_SET;
}

static int judge_driver(const struct weir_hdf5_scene *scene,
			const struct weir_plan_setting *setting)
{
	return scene->is_shared ? WEIR_HDF5_STAYS_MPIO : WEIR_HDF5_SET;
}

static long driver_by(const struct weir_hdf5_scene *scene, const char *symbol)
{
	long (*driver)(void) = weir_hdf5_lists_function(scene->lists, symbol);

	return driver ? driver() : -1;
}

static bool is_core(const struct weir_hdf5_scene *scene, long list)
{
	long driver = driver_by(scene, "H5FD_core_init");

	return driver > 0 && scene->lists->driver(list) == driver;
}

static int judge_increment(const struct weir_hdf5_scene *scene,
			   const struct weir_plan_setting *setting)
{
	return is_core(scene, scene->list) ? WEIR_HDF5_SET : WEIR_HDF5_NOT_CORE;
}

static int put_file_cache(const struct weir_hdf5_scene *scene,
			  const struct weir_hdf5_knob *knob,
			  const struct weir_plan_setting *setting)
{
	int (*set)(long, int, size_t, size_t, double) =
		weir_hdf5_knob_set(scene, knob);
	double w0 = weir_hdf5_knob_w0(setting);

	return set(scene->list, 0, (size_t)setting->number[0],
		   (size_t)setting->number[1], w0);
}

static int tell_file_cache(const struct weir_hdf5_scene *scene,
			   const struct weir_hdf5_knob *knob, long list,
			   char *text)
{
	int (*get)(long, int *, size_t *, size_t *, double *) =
		weir_hdf5_knob_get(scene, knob);
	size_t slots = 0, bytes = 0;
	double w0 = 0;
	int none = 0;

	if (!get || get(list, &none, &slots, &bytes, &w0) < 0)
		return -1;
	weir_hdf5_spell_number(text, slots);
	weir_hdf5_spell_number(text, bytes);
	weir_hdf5_spell_real(text, w0);
	return 0;
}

/* Which number stands for the newest format, this library knows. */
static int format_number(const struct weir_hdf5_scene *scene, int64_t choice)
{
	unsigned version = scene->lists->version;

	if (choice < CHOSEN_LATEST)
		return (int)choice;
	if (version < 11002)
		return 1;
	return LATEST_SINCE_10 + (int)(version / 100 % 100 - 10) / 2;
}

static int put_versions(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob,
			const struct weir_plan_setting *setting)
{
	int (*set)(long, int, int) = weir_hdf5_knob_set(scene, knob);

	return set(scene->list, format_number(scene, setting->number[0]),
		   format_number(scene, setting->number[1]));
}

static int put_page_buffer(const struct weir_hdf5_scene *scene,
			   const struct weir_hdf5_knob *knob,
			   const struct weir_plan_setting *setting)
{
	int (*set)(long, size_t, unsigned, unsigned) =
		weir_hdf5_knob_set(scene, knob);

	return set(scene->list, (size_t)setting->number[0],
		   (unsigned)setting->number[1], (unsigned)setting->number[2]);
}

static int tell_page_buffer(const struct weir_hdf5_scene *scene,
			    const struct weir_hdf5_knob *knob, long list,
			    char *text)
{
	int (*get)(long, size_t *, unsigned *, unsigned *) =
		weir_hdf5_knob_get(scene, knob);
	unsigned metadata = 0, raw = 0;
	size_t bytes = 0;

	if (!get || get(list, &bytes, &metadata, &raw) < 0)
		return -1;
	weir_hdf5_spell_number(text, bytes);
	weir_hdf5_spell_number(text, metadata);
	weir_hdf5_spell_number(text, raw);
	return 0;
}

static int put_locking(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob,
		       const struct weir_plan_setting *setting)
{
	int (*set)(long, unsigned, unsigned) = weir_hdf5_knob_set(scene, knob);

	return set(scene->list, setting->number[0] != LOCKS_OFF,
		   setting->number[0] == LOCKS_TRIED);
}

static int tell_locking(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob, long list,
			char *text)
{
	int (*get)(long, bool *, bool *) = weir_hdf5_knob_get(scene, knob);
	bool locks[4] = { false }, tries[4] = { false };

	if (!get || get(list, locks, tries) < 0)
		return -1;
	weir_hdf5_spell_word(text, !locks[0]  ? "off"
				   : tries[0] ? "best_effort"
					      : "on");
	return 0;
}

static int set_core(const struct weir_hdf5_scene *scene, uint64_t step)
{
	int (*set)(long, size_t, unsigned) =
		weir_hdf5_lists_function(scene->lists, "H5Pset_fapl_core");

	return set ? set(scene->list, step, 1) : -1;
}

static int put_driver(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob,
		      const struct weir_plan_setting *setting)
{
	int (*set)(long) = weir_hdf5_knob_set(scene, knob);

	if (setting->number[0] == CORE)
		return set_core(scene, CORE_STEP);
	return set(scene->list);
}

static int tell_driver(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	if (is_core(scene, list))
		weir_hdf5_spell_word(text, "core");
	else if (scene->lists->driver(list) ==
		 driver_by(scene, "H5FD_sec2_init"))
		weir_hdf5_spell_word(text, "sec2");
	else
		weir_hdf5_spell_word(text, "another");
	return 0;
}

static int put_increment(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob,
			 const struct weir_plan_setting *setting)
{
	return set_core(scene, (uint64_t)setting->number[0]);
}

/* A list without the driver has none: nobody has set it. */
static int tell_increment(const struct weir_hdf5_scene *scene,
			  const struct weir_hdf5_knob *knob, long list,
			  char *text)
{
	int (*get)(long, size_t *, bool *) = weir_hdf5_knob_get(scene, knob);
	bool is_stored[4];
	size_t step = 0;

	if (!get || !is_core(scene, list) || get(list, &step, is_stored) < 0)
		return -1;
	weir_hdf5_spell_number(text, step);
	return 0;
}

static const char *const formats[] = { "earliest", "v18",  "v110",
				       "v112",	   "v114", NULL };

#define ONE(name, width, function)                                             \
	WEIR_PARAM_##name, false, false, false, width, "H5Pset_" function,     \
		"H5Pget_" function, weir_hdf5_put_one, weir_hdf5_tell_one
#define TWO(name, width, function)                                             \
	WEIR_PARAM_##name, false, false, false, width, "H5Pset_" function,     \
		"H5Pget_" function, weir_hdf5_put_two, weir_hdf5_tell_two
#define OWN(name, is_risky, function, put, tell)                               \
	WEIR_PARAM_##name, is_risky, false, false, 0, "H5Pset_" function,      \
		"H5Pget_" function, put, tell
#define MPI(name, function)                                                    \
	WEIR_PARAM_##name, false, true, false, 1, "H5Pset_" function,          \
		"H5Pget_" function, weir_hdf5_put_one, weir_hdf5_tell_one
#define MDC(name)                                                              \
	WEIR_PARAM_MDC_##name, false, false, false, 0, "H5Pset_mdc_config",    \
		"H5Pget_mdc_config", weir_hdf5_put_cache, weir_hdf5_tell_cache

const struct weir_hdf5_knob weir_hdf5_fapl_knobs[] = {
	{ OWN(DRIVER, true, "fapl_sec2", put_driver, tell_driver), judge_driver,
	  NULL },
	{ OWN(CORE_INCREMENT, true, "fapl_core", put_increment, tell_increment),
	  judge_increment, NULL },
	{ TWO(ALIGNMENT, 8, "alignment"), judge_room, NULL },
	{ ONE(META_BLOCK_SIZE, 8, "meta_block_size"), judge_room, NULL },
	{ ONE(SMALL_DATA_BLOCK_SIZE, 8, "small_data_block_size"), judge_room,
	  NULL },
	{ ONE(SIEVE_BUF_SIZE, 8, "sieve_buf_size"), judge_sieve, NULL },
	{ OWN(FILE_CHUNK_CACHE, false, "cache", put_file_cache,
	      tell_file_cache),
	  judge_chunk_cache, NULL },
	{ MDC(MAX_SIZE), NULL, NULL },
	{ MDC(MIN_SIZE), NULL, NULL },
	{ MDC(INITIAL_SIZE), NULL, NULL },
	{ MDC(EVICTIONS), NULL, truths },
	{ MDC(DIRTY_BYTES_THRESHOLD), judge_shared, NULL },
	{ MDC(METADATA_WRITE_STRATEGY), judge_shared, NULL },
	{ MPI(COLL_METADATA_WRITE, "coll_metadata_write"), judge_shared,
	  truths },
	{ MPI(ALL_COLL_METADATA_OPS, "all_coll_metadata_ops"),
	  judge_all_metadata, truths },
	{ OWN(LIBVER_BOUNDS, false, "libver_bounds", put_versions,
	      weir_hdf5_tell_two),
	  NULL, formats },
	{ OWN(PAGE_BUFFER_SIZE, true, "page_buffer_size", put_page_buffer,
	      tell_page_buffer),
	  judge_page_buffer, NULL },
	{ WEIR_PARAM_EVICT_ON_CLOSE, false, false, true, 1,
	  "H5Pset_evict_on_close", "H5Pget_evict_on_close", weir_hdf5_put_one,
	  weir_hdf5_tell_one, judge_not_shared, truths },
	{ ONE(ELINK_FILE_CACHE_SIZE, 4, "elink_file_cache_size"), NULL, NULL },
	{ WEIR_PARAM_FILE_LOCKING, false, false, true, 0, "H5Pset_file_locking",
	  "H5Pget_file_locking", put_locking, tell_locking, judge_locking,
	  NULL },
	{ 0 },
};

static int put_strategy(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob,
			const struct weir_plan_setting *setting)
{
	int (*set)(long, int, unsigned, uint64_t) =
		weir_hdf5_knob_set(scene, knob);

	return set(scene->list, (int)setting->number[0],
		   setting->number[1] != 0,
		   setting->number[2] ? (uint64_t)setting->number[2] : 1);
}

static int tell_strategy(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob, long list,
			 char *text)
{
	int (*get)(long, int *, bool *, uint64_t *) =
		weir_hdf5_knob_get(scene, knob);
	bool persist[4] = { false };
	uint64_t threshold = 0;
	int strategy = 0;

	if (!get || get(list, &strategy, persist, &threshold) < 0 ||
	    strategy < 0 || strategy > 3)
		return -1;
	weir_hdf5_spell_word(text, strategies[strategy]);
	weir_hdf5_spell_word(text, truths[persist[0]]);
	weir_hdf5_spell_number(text, threshold);
	return 0;
}

/* Ranks cannot keep what is free, and would all fail. */
static int judge_strategy(const struct weir_hdf5_scene *scene,
			  const struct weir_plan_setting *setting)
{
	return scene->is_shared && setting->number[1] ? WEIR_HDF5_NOT_PARALLEL
						      : WEIR_HDF5_SET;
}

static int judge_page_size(const struct weir_hdf5_scene *scene,
			   const struct weir_plan_setting *setting)
{
	return strategy_of(scene, scene->list) == PAGED ? WEIR_HDF5_SET
							: WEIR_HDF5_NOT_PAGED;
}

const struct weir_hdf5_knob weir_hdf5_fcpl_knobs[] = {
	{ OWN(FILE_SPACE_STRATEGY, false, "file_space_strategy", put_strategy,
	      tell_strategy),
	  judge_strategy, NULL },
	{ ONE(FILE_SPACE_PAGE_SIZE, 8, "file_space_page_size"), judge_page_size,
	  NULL },
	{ ONE(ISTORE_K, 4, "istore_k"), NULL, NULL },
	{ TWO(SYM_K, 4, "sym_k"), NULL, NULL },
	{ TWO(LINK_PHASE_CHANGE, 4, "link_phase_change"),
	  weir_hdf5_judge_format, NULL },
	{ TWO(EST_LINK_INFO, 4, "est_link_info"), weir_hdf5_judge_format,
	  NULL },
	{ 0 },
};
