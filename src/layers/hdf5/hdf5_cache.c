/* SPDX-License-Identifier: BSD-3-Clause */
/* Knobs of the metadata cache: all are members of one struct of HDF5. */
#include "layers/hdf5/hdf5_cache.h"

#include "spec/params.h"

#define VERSION 1    /* of the struct: the same from HDF5 1.10 to 1.14 */
#define LARGEST 8192 /* what a later library may write */

/* H5AC_cache_config_t */
struct config {
	int version;
	bool reports, opens_trace, closes_trace;
	char trace[1025];
	bool evictions, sets_initial;
	size_t initial;
	double clean_fraction;
	size_t max, min;
	long epoch;
	int grows;
	double grows_below, grows_by;
	bool limits_growth;
	size_t most_growth;
	int flashes;
	double flash_multiple, flash_threshold;
	int shrinks;
	double shrinks_above, shrinks_by;
	bool limits_shrinking;
	size_t most_shrinking;
	int epochs_before;
	bool keeps_reserve;
	double reserve;
	size_t dirty;
	int strategy;
};

_Static_assert(sizeof(struct config) == 1216, "as the library has it");

static bool get_config(const struct weir_hdf5_scene *scene, const char *symbol,
		       long list, struct config *config)
{
	int (*get)(long, void *) =
		weir_hdf5_lists_function(scene->lists, symbol);
	union {
		struct config config;
		char room[LARGEST];
	} got = { .config = { .version = VERSION } };

	if (!get || get(list, &got) < 0 || got.config.version != VERSION)
		return false;
	*config = got.config;
	return true;
}

/* Sizes that a larger or smaller one would make impossible give way. */
static void set_size(struct config *config, uint16_t param, size_t bytes)
{
	if (param == WEIR_PARAM_MDC_MAX_SIZE)
		config->max = bytes;
	else if (param == WEIR_PARAM_MDC_MIN_SIZE)
		config->min = bytes;
	else
		config->initial = bytes;
	if (param != WEIR_PARAM_MDC_MAX_SIZE && config->max < bytes)
		config->max = bytes;
	if (param != WEIR_PARAM_MDC_MIN_SIZE && config->min > bytes)
		config->min = bytes;
	if (config->initial > config->max)
		config->initial = config->max;
	if (config->initial < config->min)
		config->initial = config->min;
	config->sets_initial = true;
}

/* A cache that lets nothing go cannot be told to shrink or to grow. */
static void set_evictions(struct config *config, bool wanted)
{
	config->evictions = wanted;
	if (!wanted)
		config->grows = config->flashes = config->shrinks = 0;
}

static void turn(struct config *config, const struct weir_plan_setting *setting)
{
	switch (setting->param) {
	case WEIR_PARAM_MDC_EVICTIONS:
		set_evictions(config, setting->number[0] != 0);
		break;
	case WEIR_PARAM_MDC_DIRTY_BYTES_THRESHOLD:
		config->dirty = (size_t)setting->number[0];
		break;
	case WEIR_PARAM_MDC_METADATA_WRITE_STRATEGY:
		config->strategy = (int)setting->number[0];
		break;
	default:
		set_size(config, setting->param, (size_t)setting->number[0]);
	}
}

int weir_hdf5_put_cache(const struct weir_hdf5_scene *scene,
			const struct weir_hdf5_knob *knob,
			const struct weir_plan_setting *setting)
{
	int (*set)(long, void *) = weir_hdf5_knob_set(scene, knob);
	struct config config;

	if (!get_config(scene, knob->get, scene->list, &config))
		return -1;
	turn(&config, setting);
	return set(scene->list, &config);
}

static uint64_t config_value(const struct config *config, uint16_t param)
{
	switch (param) {
	case WEIR_PARAM_MDC_MAX_SIZE:
		return config->max;
	case WEIR_PARAM_MDC_MIN_SIZE:
		return config->min;
	case WEIR_PARAM_MDC_INITIAL_SIZE:
		return config->initial;
	case WEIR_PARAM_MDC_DIRTY_BYTES_THRESHOLD:
		return config->dirty;
	default:
		return (uint64_t)config->strategy;
	}
}

int weir_hdf5_tell_cache(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob, long list,
			 char *text)
{
	struct config config;

	if (!get_config(scene, knob->get, list, &config))
		return -1;
	if (knob->param == WEIR_PARAM_MDC_EVICTIONS)
		weir_hdf5_spell_word(text, config.evictions ? "true" : "false");
	else if (knob->param == WEIR_PARAM_MDC_METADATA_WRITE_STRATEGY)
		weir_hdf5_spell_word(text, config.strategy ? "distributed"
							   : "process_0_only");
	else
		weir_hdf5_spell_number(text,
				       config_value(&config, knob->param));
	return 0;
}
