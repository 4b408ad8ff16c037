/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stations: datasets are read and written by a plan. What is due for a dataset
 * is found out once, and how a setting went is told once.
 */
#include "layers/hdf5_adjust.h"
#include "layers/hdf5_known.h"
#include "layers/hdf5_object.h"
#include "spec/params.h"

#include <string.h>

#define LONGEST	 2048
#define ENTRIES	 256
#define SETTINGS 8 /* as many knobs as a transfer has */

/* What is known of a dataset. */
struct facts {
	struct weir_hdf5_known file;
	const struct weir_plan_setting *settings[SETTINGS];
	bool any, is_filtered;
	uint8_t layout;
};

static struct entry {
	_Atomic uint64_t key;
	_Atomic uint32_t told[2]; /* bits by knob: done, and not done */
	struct facts facts;
} entries[ENTRIES];

/* What a call leaves in its list for the program to read. */
static const char *const results[] = {
	"actual_chunk_opt_mode",
	"actual_io_mode",
	"local_no_collective_cause",
	"global_no_collective_cause",
};

static struct entry *entry_of(uint64_t key)
{
	return &entries[(key ^ key >> 8) % ENTRIES];
}

static void find_settings(struct facts *facts, const char *file,
			  const char *dataset)
{
	const struct weir_hdf5_knob *knobs = weir_hdf5_dxpl_knobs;
	const struct weir_plan_setting *setting = NULL;

	while ((setting = weir_adjust_next(WEIR_PLAN_TRANSFER, file, dataset,
					   setting)))
		for (int i = 0; knobs[i].set && i < SETTINGS; i++)
			if (knobs[i].param == setting->param) {
				facts->settings[i] = setting;
				facts->any = true;
			}
}

static void learn_layout(struct weir_hdf5_library *lib, long id,
			 struct facts *facts)
{
	struct weir_hdf5_lists *lists = weir_hdf5_lists(lib);
	long list = lib->dataset_list(id);

	if (list <= 0 || !lists)
		return;
	facts->layout = (uint8_t)lib->list_layout(list);
	facts->is_filtered = lists->filters(list) > 0;
	lib->list_close(list);
}

static void learn(struct weir_hdf5_library *lib, long id, struct facts *facts)
{
	struct weir_hdf5_object *object = weir_hdf5_object_find(lib, id);
	char file[LONGEST] = "", name[LONGEST] = "";

	memset(facts, 0, sizeof(*facts));
	if (lib->file_name(id, file, LONGEST) <= 0)
		return;
	if (!(object && object->nameless))
		lib->id_name(id, name, LONGEST);
	weir_hdf5_known_get(lib, file, &facts->file);
	find_settings(facts, file, *name ? name : NULL);
	if (facts->any)
		learn_layout(lib, id, facts);
}

static void learn_quietly(struct weir_hdf5_library *lib, long id,
			  struct facts *facts)
{
	struct weir_hdf5_hush hush;

	weir_hdf5_hush(lib, &hush);
	learn(lib, id, facts);
	weir_hdf5_unhush(lib, &hush);
}

/* Another thread may be writing what is read: then it is found out anew. */
static void recall(struct weir_hdf5_library *lib, long id, struct facts *facts)
{
	uint64_t key = weir_hdf5_key(lib, id);
	struct entry *entry = entry_of(key);

	if (atomic_load(&entry->key) == key) {
		*facts = entry->facts;
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load(&entry->key) == key)
			return;
	}
	learn_quietly(lib, id, facts);
	atomic_store(&entry->key, 0);
	entry->facts = *facts;
	atomic_store(&entry->told[0], 0);
	atomic_store(&entry->told[1], 0);
	atomic_store(&entry->key, key);
}

static long first_of(const struct weir_hdf5_args *args)
{
	return args->many && args->ids ? args->ids[0] : args->id;
}

/* Of several datasets: what is due for all of them. */
static void recall_all(struct weir_hdf5_args *args, struct facts *facts)
{
	struct facts other;

	recall(args->library, first_of(args), facts);
	for (unsigned long i = 1; args->ids && i < args->many; i++) {
		recall(args->library, args->ids[i], &other);
		facts->any = false;
		for (int k = 0; k < SETTINGS; k++) {
			if (facts->settings[k] != other.settings[k])
				facts->settings[k] = NULL;
			facts->any |= facts->settings[k] != NULL;
		}
	}
}

static struct weir_hdf5_scene scene_of(struct weir_hdf5_args *args,
				       const struct facts *facts)
{
	return (struct weir_hdf5_scene){
		.lists = weir_hdf5_lists(args->library),
		.args = args,
		.is_shared = facts->file.is_shared,
		.is_writable = facts->file.is_writable,
		.ranks = facts->file.ranks,
		.is_filtered = facts->is_filtered,
		.layout = facts->layout,
	};
}

static struct weir_hdf5_due due_of(struct weir_hdf5_args *args,
				   const struct facts *facts)
{
	return (struct weir_hdf5_due){
		.which = WEIR_HDF5_DXPL,
		.list = &args->dxpl,
		.swap = &args->swaps[0],
		.known = facts->settings,
	};
}

void weir_hdf5_adjust_transfer_before(struct weir_hdf5_args *args)
{
	struct weir_hdf5_scene scene;
	struct weir_hdf5_hush hush;
	struct weir_hdf5_due due;
	struct facts facts;

	if (!weir_adjust_has(WEIR_PLAN_TRANSFER))
		return;
	args->library = weir_hdf5_library(args->from);
	if (!args->library || first_of(args) <= 0)
		return;
	recall_all(args, &facts);
	if (!facts.any)
		return;
	scene = scene_of(args, &facts);
	due = due_of(args, &facts);
	if (!scene.lists)
		return;
	weir_hdf5_hush(args->library, &hush);
	weir_hdf5_adjust_list(&scene, args, &due);
	weir_hdf5_unhush(args->library, &hush);
	if (args->swaps[0].copy)
		weir_hdf5_adjust_mute(args);
}

/* What all ranks do together by the program's will, none does again alone. */
static bool is_collective(const struct weir_hdf5_args *args, long list)
{
	int mode = 0;

	return args->library->list_transfer && list > 0 &&
	       args->library->list_transfer(list, &mode) >= 0 && mode;
}

bool weir_hdf5_adjust_transfer_again(struct weir_hdf5_args *args)
{
	weir_hdf5_adjust_unmute(args);
	args->dxpl = args->swaps[0].own;
	return weir_hdf5_adjust_undo(args) &&
	       !is_collective(args, args->swaps[0].own);
}

/* The program may ask its list how the call was done. */
static void hand_back(struct weir_hdf5_args *args)
{
	struct weir_hdf5_lists *lists = weir_hdf5_lists(args->library);
	struct weir_hdf5_swap *swap = &args->swaps[0];
	uint64_t room[8];

	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
		if (lists->get(swap->copy, results[i], room) >= 0)
			lists->set(swap->own, results[i], room);
}

static void check_mode(struct weir_hdf5_args *args)
{
	struct weir_hdf5_library *lib = args->library;
	uint32_t here = 0, anywhere = 0;
	int got = 1;

	if (args->fates[0] != WEIR_HDF5_SET || !lib->list_got ||
	    !lib->list_cause || !is_collective(args, args->swaps[0].copy))
		return;
	if (lib->list_got(args->swaps[0].copy, &got) >= 0 && !got &&
	    lib->list_cause(args->swaps[0].copy, &here, &anywhere) >= 0 &&
	    (here | anywhere))
		args->fates[0] = WEIR_HDF5_STAYED_ALONE;
}

void weir_hdf5_adjust_transfer_look(struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_swap *swap = &args->swaps[0];
	struct weir_hdf5_hush hush;

	weir_hdf5_adjust_unmute(args);
	if (ret < 0) {
		weir_hdf5_adjust_forget(args);
		return;
	}
	if (!swap->copy || args->es > 0 || args->dxpl == swap->own)
		return;
	weir_hdf5_hush(args->library, &hush);
	swap->seen = swap->copy;
	if (args->library->list_got && swap->own > 0)
		hand_back(args);
	check_mode(args);
	weir_hdf5_unhush(args->library, &hush);
}

/* How a setting goes with a dataset is told twice at most: done, not done. */
static void leave_new(struct weir_hdf5_args *args, struct entry *entry)
{
	for (int i = 0; i < SETTINGS; i++) {
		int how = args->fates[i] == WEIR_HDF5_SET ? 0 : 1;
		uint32_t bit = 1u << i;

		if (args->fates[i] && atomic_fetch_or(&entry->told[how], bit) &
					      bit)
			args->fates[i] = WEIR_HDF5_NOT_DUE;
	}
}

void weir_hdf5_adjust_transfer_after(struct weir_layer *on,
				     struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_outcome outcome = {
		.on = on,
		.handle = args->object ? args->object->handle : 0,
	};
	struct weir_hdf5_scene scene;
	struct weir_hdf5_hush hush;
	struct weir_hdf5_due due;
	struct facts facts;

	recall_all(args, &facts);
	leave_new(args, entry_of(weir_hdf5_key(args->library,
					       first_of(args))));
	scene = scene_of(args, &facts);
	due = due_of(args, &facts);
	weir_hdf5_hush(args->library, &hush);
	weir_hdf5_adjust_report(&scene, args, &due, &outcome);
	weir_hdf5_adjust_close(args);
	weir_hdf5_unhush(args->library, &hush);
}

void weir_hdf5_adjust_transfer_forget(void)
{
	for (int i = 0; i < ENTRIES; i++)
		atomic_store(&entries[i].key, 0);
}
