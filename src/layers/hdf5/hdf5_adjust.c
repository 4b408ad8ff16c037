/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies settings of a plan to property lists of HDF5. */
#include "layers/hdf5/hdf5_adjust.h"

#include <string.h>

/* The settings that are due for a list, by knob. */
struct settings {
	const struct weir_plan_setting *of[WEIR_HDF5_KNOBS];
	bool any;
};

static const struct {
	enum weir_plan_verdict verdict;
	const char *words;
} fates[] = {
	[WEIR_HDF5_KEPT] = { WEIR_VERDICT_KEPT, "" },
	[WEIR_HDF5_REFUSED] = { WEIR_VERDICT_REFUSED,
				"HDF5 does not take the value" },
	[WEIR_HDF5_CALL_FAILED] = { WEIR_VERDICT_REFUSED,
				    "the call failed with the plan" },
	[WEIR_HDF5_MISSING] = { WEIR_VERDICT_REFUSED,
				"this HDF5 has no such property" },
	[WEIR_HDF5_NOT_NOW] = { WEIR_VERDICT_REFUSED,
				"not tried where it could be but once" },
	[WEIR_HDF5_NO_LIST] = { WEIR_VERDICT_REFUSED,
				"the call takes no access list" },
	[WEIR_HDF5_NO_COPY] = { WEIR_VERDICT_REFUSED,
				"the list cannot be copied" },
	[WEIR_HDF5_NO_SIEVE] = { WEIR_VERDICT_INERT,
				 "HDF5 does not sieve under MPI-IO" },
	[WEIR_HDF5_NO_CACHE] = { WEIR_VERDICT_INERT,
				 "no chunk cache where ranks write" },
	[WEIR_HDF5_ALWAYS_EARLY] = { WEIR_VERDICT_INERT,
				     "always early under MPI-IO" },
	[WEIR_HDF5_BROKEN_READS] = { WEIR_VERDICT_INERT,
				     "does nothing in HDF5 1.10.5 to 1.10.8" },
	[WEIR_HDF5_NOT_SHARED] = { WEIR_VERDICT_INERT,
				   "the file is not open by MPI-IO" },
	[WEIR_HDF5_NOT_PARALLEL] = { WEIR_VERDICT_INERT,
				     "not for files open by MPI-IO" },
	[WEIR_HDF5_NOT_PAGED] = { WEIR_VERDICT_INERT,
				  "the file has no paged space" },
	[WEIR_HDF5_HAS_PAGES] = { WEIR_VERDICT_INERT,
				  "the file has paged space" },
	[WEIR_HDF5_NOT_CORE] = { WEIR_VERDICT_INERT, "the driver is not core" },
	[WEIR_HDF5_TOO_OLD] = { WEIR_VERDICT_INERT,
				"the oldest format does not have it" },
	[WEIR_HDF5_BY_VARIABLE] = { WEIR_VERDICT_INERT,
				    "HDF5_USE_FILE_LOCKING is set" },
	[WEIR_HDF5_NO_LOCKS] = { WEIR_VERDICT_INERT,
				 "HDF5 does not lock under MPI-IO" },
	[WEIR_HDF5_STAYS_MPIO] = { WEIR_VERDICT_REFUSED,
				   "files open by MPI-IO stay so" },
	[WEIR_HDF5_OTHER_RANK] = { WEIR_VERDICT_REFUSED,
				   "the dataset has another number of sides" },
	[WEIR_HDF5_TOO_LARGE] = { WEIR_VERDICT_REFUSED,
				  "a side is longer than the dataset's" },
	[WEIR_HDF5_IS_EXTERNAL] = { WEIR_VERDICT_REFUSED,
				    "the data lie in other files" },
	[WEIR_HDF5_NOT_CHUNKED] = { WEIR_VERDICT_INERT,
				    "the dataset is not chunked" },
	[WEIR_HDF5_GROWS] = { WEIR_VERDICT_REFUSED,
			      "the dataset grows or has filters" },
	[WEIR_HDF5_HEADER_COPIES] = { WEIR_VERDICT_UNSAFE,
				      "each rank has a header of its own" },
	[WEIR_HDF5_ALONE_FAILS] = { WEIR_VERDICT_UNSAFE,
				    "ranks could not write alone any more" },
	[WEIR_HDF5_INDEPENDENT] = { WEIR_VERDICT_INERT,
				    "the transfer is independent" },
	[WEIR_HDF5_NOT_PROVEN] = { WEIR_VERDICT_UNSAFE,
				   "no proof that every rank calls it" },
	[WEIR_HDF5_FILTERED] = { WEIR_VERDICT_UNSAFE,
				 "ranks write filtered data together" },
	[WEIR_HDF5_ONLY_READS] = { WEIR_VERDICT_INERT,
				   "only reads are checked" },
	[WEIR_HDF5_STAYED_ALONE] = { WEIR_VERDICT_CHANGED,
				     "HDF5 made it independent" },
};

static void find_settings(const struct weir_hdf5_due *due,
			  struct settings *found)
{
	const struct weir_hdf5_board *board = &weir_hdf5_boards[due->which];
	const struct weir_plan_setting *setting = NULL;

	memset(found, 0, sizeof(*found));
	for (size_t i = 0; due->known && board->knobs[i].set; i++) {
		found->of[i] = due->known[i];
		found->any |= due->known[i] != NULL;
	}
	if (due->known)
		return;
	while ((setting = weir_adjust_next(board->target, due->file,
					   due->dataset, setting)))
		for (size_t i = 0; board->knobs[i].set; i++)
			if (board->knobs[i].param == setting->param) {
				found->of[i] = setting;
				found->any = true;
			}
}

/* What a list says; "" if it does not. */
static void spell_list(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	*text = '\0';
	if (knob->tell(scene, knob, list, text) < 0)
		*text = '\0';
}

static bool is_the_programs(const struct weir_hdf5_scene *scene,
			    const struct weir_hdf5_knob *knob, long plain)
{
	char own[WEIR_HDF5_SPELT], usual[WEIR_HDF5_SPELT];

	if (!scene->own)
		return false;
	spell_list(scene, knob, scene->own, own);
	spell_list(scene, knob, plain, usual);
	return strcmp(own, usual) != 0;
}

static uint8_t apply(const struct weir_hdf5_scene *scene,
		     const struct weir_hdf5_knob *knob,
		     const struct weir_plan_setting *setting, long plain)
{
	int fate = WEIR_HDF5_SET;

	if (!weir_hdf5_lists_function(scene->lists, knob->set))
		return scene->lists->library->list_transfer || !knob->is_of_mpi
			       ? WEIR_HDF5_MISSING
			       : WEIR_HDF5_NOT_SHARED;
	if (knob->judge)
		fate = knob->judge(scene, setting);
	if (fate != WEIR_HDF5_SET)
		return (uint8_t)fate;
	if (knob->is_risky && (scene->is_once || scene->is_second))
		return scene->is_once ? WEIR_HDF5_NOT_NOW
				      : WEIR_HDF5_CALL_FAILED;
	if (!(setting->flags & WEIR_PLAN_FORCE) &&
	    is_the_programs(scene, knob, plain))
		return WEIR_HDF5_KEPT;
	return knob->put(scene, knob, setting) < 0 ? WEIR_HDF5_REFUSED
						   : WEIR_HDF5_SET;
}

/*
 * Settings of one call do not depend on each other: one that HDF5 refuses keeps
 * none of the others from being tried. False: the copy is as the program's list
 * was, so the call gets that.
 */
static bool apply_all(struct weir_hdf5_scene *scene,
		      struct weir_hdf5_args *args,
		      const struct weir_hdf5_due *due,
		      const struct settings *found)
{
	const struct weir_hdf5_board *board = &weir_hdf5_boards[due->which];
	long plain = scene->own
			     ? weir_hdf5_lists_plain(scene->lists, due->which)
			     : 0;
	bool any = false;

	for (size_t i = 0; board->knobs[i].set; i++) {
		if (!found->of[i])
			continue;
		args->fates[board->first + i] =
			apply(scene, &board->knobs[i], found->of[i], plain);
		any |= args->fates[board->first + i] == WEIR_HDF5_SET;
	}
	if (plain > 0)
		scene->lists->library->list_close(plain);
	return any;
}

static void mark_all(struct weir_hdf5_args *args,
		     const struct weir_hdf5_due *due,
		     const struct settings *found, uint8_t fate)
{
	const struct weir_hdf5_board *board = &weir_hdf5_boards[due->which];

	for (size_t i = 0; board->knobs[i].set; i++)
		if (found->of[i])
			args->fates[board->first + i] = fate;
}

/*
 * The program may use its list again for what no plan is about, or read it
 * back: only a copy is ever changed. Without settings not even that is made.
 */
void weir_hdf5_adjust_list(struct weir_hdf5_scene *scene,
			   struct weir_hdf5_args *args,
			   const struct weir_hdf5_due *due)
{
	struct settings found;

	find_settings(due, &found);
	if (!found.any)
		return;
	args->adjusted = true;
	scene->which = due->which;
	due->swap->own = due->list ? *due->list : 0;
	scene->own = due->swap->own;
	if (!due->list) {
		mark_all(args, due, &found, WEIR_HDF5_NO_LIST);
		return;
	}
	scene->list =
		weir_hdf5_lists_copy(scene->lists, due->which, scene->own);
	if (scene->list <= 0) {
		mark_all(args, due, &found, WEIR_HDF5_NO_COPY);
		return;
	}
	if (apply_all(scene, args, due, &found)) {
		due->swap->copy = scene->list;
		*due->list = scene->list;
	} else {
		scene->lists->library->list_close(scene->list);
	}
}

bool weir_hdf5_adjust_is_risky(const struct weir_hdf5_args *args,
			       enum weir_hdf5_class which)
{
	const struct weir_hdf5_board *board = &weir_hdf5_boards[which];

	for (size_t i = 0; board->knobs[i].set; i++)
		if (board->knobs[i].is_risky &&
		    args->fates[board->first + i] == WEIR_HDF5_SET)
			return true;
	return false;
}

bool weir_hdf5_adjust_undo(struct weir_hdf5_args *args)
{
	bool any = false;

	for (size_t i = 0; i < WEIR_HDF5_KNOBS; i++)
		if (args->fates[i] == WEIR_HDF5_SET) {
			args->fates[i] = WEIR_HDF5_CALL_FAILED;
			any = true;
		}
	return any;
}

/* What was not tried, or failed without the plan too, says nothing. */
void weir_hdf5_adjust_forget(struct weir_hdf5_args *args)
{
	memset(args->fates, WEIR_HDF5_NOT_DUE, sizeof(args->fates));
}

void weir_hdf5_adjust_mute(struct weir_hdf5_args *args)
{
	weir_hdf5_mute(args->library, &args->mute);
	args->muted = true;
}

void weir_hdf5_adjust_unmute(struct weir_hdf5_args *args)
{
	if (args->muted)
		weir_hdf5_unmute(args->library, &args->mute);
	args->muted = false;
}

/* What was asked for, what the object says, and what it would have said. */
static enum weir_plan_verdict compare_lists(const struct weir_hdf5_scene *scene,
					    const struct weir_hdf5_knob *knob,
					    const struct weir_hdf5_swap *swap,
					    char *got)
{
	char asked[WEIR_HDF5_SPELT], own[WEIR_HDF5_SPELT];
	long before = swap->own;

	spell_list(scene, knob, swap->copy, asked);
	if (!swap->seen) {
		memcpy(got, asked, sizeof(asked));
		return WEIR_VERDICT_GIVEN;
	}
	spell_list(scene, knob, swap->seen, got);
	if (!strcmp(asked, got))
		return WEIR_VERDICT_TOOK;
	if (!before)
		before = weir_hdf5_lists_plain(scene->lists, scene->which);
	spell_list(scene, knob, before, own);
	if (!swap->own && before > 0)
		scene->lists->library->list_close(before);
	if (strcmp(own, got))
		return WEIR_VERDICT_CHANGED;
	if (!knob->is_untold)
		return WEIR_VERDICT_IGNORED;
	memcpy(got, asked, sizeof(asked));
	return WEIR_VERDICT_GIVEN;
}

static void report_one(const struct weir_hdf5_scene *scene, uint8_t fate,
		       const struct weir_hdf5_knob *knob,
		       const struct weir_plan_setting *setting,
		       const struct weir_hdf5_outcome *outcome)
{
	char got[WEIR_HDF5_SPELT] = "";
	enum weir_plan_verdict verdict;

	if (fate == WEIR_HDF5_SET && knob->judge)
		fate = (uint8_t)knob->judge(scene, setting);
	if (fate == WEIR_HDF5_SET) {
		verdict = compare_lists(scene, knob, outcome->swap, got);
	} else {
		verdict = fates[fate].verdict;
		if (fate == WEIR_HDF5_KEPT)
			spell_list(scene, knob, outcome->swap->own, got);
		else
			weir_hdf5_spell_word(got, fates[fate].words);
	}
	weir_adjust_tell(outcome->on, outcome->handle, setting, verdict, got);
}

void weir_hdf5_adjust_report(struct weir_hdf5_scene *scene,
			     struct weir_hdf5_args *args,
			     const struct weir_hdf5_due *due,
			     struct weir_hdf5_outcome *outcome)
{
	const struct weir_hdf5_board *board = &weir_hdf5_boards[due->which];
	struct settings found;

	find_settings(due, &found);
	outcome->swap = due->swap;
	scene->which = due->which;
	scene->own = due->swap->own;
	scene->list = due->swap->copy;
	for (size_t i = 0; board->knobs[i].set; i++) {
		uint8_t fate = args->fates[board->first + i];

		if (found.of[i] && fate)
			report_one(scene, fate, &board->knobs[i], found.of[i],
				   outcome);
	}
}

void weir_hdf5_adjust_close(struct weir_hdf5_args *args)
{
	for (int i = 0; i < 2; i++) {
		struct weir_hdf5_swap *swap = &args->swaps[i];

		if (swap->copy > 0)
			args->library->list_close(swap->copy);
		if (swap->seen > 0 && swap->seen != swap->copy)
			args->library->list_close(swap->seen);
		swap->copy = swap->seen = 0;
	}
}
