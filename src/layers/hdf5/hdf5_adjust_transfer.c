/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stations: datasets are read and written by a plan. What is due for a dataset
 * is found out once, and how a setting went is told once.
 */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/hdf5/hdf5_known.h"
#include "layers/hdf5/hdf5_object.h"
#include "spec/params.h"

#include <string.h>

#define LONGEST	 2048
#define ENTRIES	 256
#define SETTINGS 8 /* as many knobs as a transfer has */
#define BUSY	 1 /* for a key: an entry is being written */

/* What is known of a dataset. */
struct facts {
	struct weir_hdf5_known file;
	const struct weir_plan_setting *settings[SETTINGS];
	bool any, is_filtered;
	uint8_t layout;
	/* a list for who has none, as it was made for a call from a place */
	struct weir_hdf5_library *library;
	long ready; /* 0: there is none */
	const void *caller;
	uint16_t call;
	uint8_t fates[SETTINGS];
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
	facts->library = lib;
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

/*
 * False: another thread has the entry just now, and it is done without. A
 * list that another thread is about to use fails, and that does without.
 */
static bool keep_list(struct entry *entry, uint64_t key,
		      const struct facts *facts)
{
	uint64_t before = atomic_load(&entry->key);
	struct facts old;

	if (before == BUSY ||
	    !atomic_compare_exchange_strong(&entry->key, &before, BUSY))
		return false;
	old = entry->facts;
	entry->facts = *facts;
	if (before != key) {
		atomic_store(&entry->told[0], 0);
		atomic_store(&entry->told[1], 0);
	}
	atomic_store(&entry->key, key);
	if (old.ready > 0 && old.ready != facts->ready)
		old.library->list_close(old.ready);
	return true;
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
	keep_list(entry, key, facts);
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

/* To make a list takes longer than a small transfer. */
static bool take_ready(struct weir_hdf5_args *args, const struct facts *facts)
{
	if (facts->ready <= 0 || args->dxpl || args->many ||
	    facts->caller != args->caller || facts->call != args->call)
		return false;
	args->dxpl = args->swaps[0].copy = facts->ready;
	memcpy(args->fates, facts->fates, sizeof(facts->fates));
	args->adjusted = args->is_lent = true;
	return true;
}

static void make_list(struct weir_hdf5_args *args, const struct facts *facts)
{
	struct weir_hdf5_scene scene = scene_of(args, facts);
	struct weir_hdf5_due due = due_of(args, facts);
	struct weir_hdf5_hush hush;

	if (!scene.lists)
		return;
	weir_hdf5_hush(args->library, &hush);
	weir_hdf5_adjust_list(&scene, args, &due);
	weir_hdf5_unhush(args->library, &hush);
}

void weir_hdf5_adjust_transfer_before(struct weir_hdf5_args *args)
{
	struct facts facts;

	if (!weir_adjust_has(WEIR_PLAN_TRANSFER))
		return;
	args->library = weir_hdf5_library(args->from);
	if (!args->library || first_of(args) <= 0)
		return;
	recall_all(args, &facts);
	if (!facts.any)
		return;
	if (!take_ready(args, &facts))
		make_list(args, &facts);
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

/*
 * What HDF5 says of a transfer, it writes into the list that the call had: the
 * copy. The program may ask its own list for it, so it is handed back.
 */
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
	swap->seen = swap->copy;
	if (!args->library->list_got)
		return;
	weir_hdf5_hush(args->library, &hush);
	if (swap->own > 0)
		hand_back(args);
	check_mode(args);
	weir_hdf5_unhush(args->library, &hush);
}

/* How a setting goes with a dataset is told twice at most: done, not done. */
static bool leave_new(struct weir_hdf5_args *args, struct entry *entry)
{
	bool any = false;

	for (int i = 0; i < SETTINGS; i++) {
		int how = args->fates[i] == WEIR_HDF5_SET ? 0 : 1;
		uint32_t bit = 1u << i;

		if (args->fates[i] &&
		    atomic_fetch_or(&entry->told[how], bit) & bit)
			args->fates[i] = WEIR_HDF5_NOT_DUE;
		any |= args->fates[i] != WEIR_HDF5_NOT_DUE;
	}
	return any;
}

/* The list is kept for the next such call, or let go. */
static void put_away(struct weir_hdf5_args *args, struct facts *facts,
		     const uint8_t fates[SETTINGS])
{
	struct weir_hdf5_swap *swap = &args->swaps[0];
	uint64_t key = weir_hdf5_key(args->library, first_of(args));

	if (swap->copy <= 0 || args->is_lent)
		return;
	if (swap->own || args->many || swap->seen != swap->copy) {
		weir_hdf5_adjust_close(args);
		return;
	}
	facts->ready = swap->copy;
	facts->caller = args->caller;
	facts->call = args->call;
	memcpy(facts->fates, fates, sizeof(facts->fates));
	if (!keep_list(entry_of(key), key, facts))
		weir_hdf5_adjust_close(args);
}

static void report_transfer(struct weir_layer *on, struct weir_hdf5_args *args,
			    const struct facts *facts)
{
	struct weir_hdf5_outcome outcome = {
		.on = on,
		.handle = args->object ? args->object->handle : 0,
	};
	struct weir_hdf5_scene scene = scene_of(args, facts);
	struct weir_hdf5_due due = due_of(args, facts);

	weir_hdf5_adjust_report(&scene, args, &due, &outcome);
}

/* A list that is lent once more and brings nothing new is not looked at. */
void weir_hdf5_adjust_transfer_after(struct weir_layer *on,
				     struct weir_hdf5_args *args, long ret)
{
	uint64_t key = weir_hdf5_key(args->library, first_of(args));
	struct weir_hdf5_hush hush;
	uint8_t fates[SETTINGS];
	struct facts facts;
	bool is_new;

	memcpy(fates, args->fates, sizeof(fates));
	is_new = leave_new(args, entry_of(key));
	if (!is_new && args->is_lent)
		return;
	recall_all(args, &facts);
	weir_hdf5_hush(args->library, &hush);
	if (is_new)
		report_transfer(on, args, &facts);
	put_away(args, &facts, fates);
	weir_hdf5_unhush(args->library, &hush);
}

void weir_hdf5_adjust_transfer_forget(void)
{
	for (int i = 0; i < ENTRIES; i++) {
		atomic_store(&entries[i].key, 0);
		entries[i].facts.ready = 0;
	}
}
