/* SPDX-License-Identifier: BSD-3-Clause */
/* Stations: files are made and opened by a plan. */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_known.h"
#include "layers/hdf5/hdf5_object.h"
#include "spec/calls.h"

#define FOR_WRITING 0x1u /* H5F_ACC_RDWR */
#define CUTS	    0x2u /* H5F_ACC_TRUNC */

enum { ACCESS, CREATION }; /* the swaps */

static bool makes_file(const struct weir_hdf5_args *args)
{
	return args->call == WEIR_CALL_H5FCREATE ||
	       args->call == WEIR_CALL_H5FCREATE_ASYNC;
}

/*
 * After a first try a file that must be new is there; and no rank alone may
 * try again what all of them do together.
 */
static bool is_once(const struct weir_hdf5_args *args, bool is_shared)
{
	return is_shared || (makes_file(args) && !(args->flags & CUTS));
}

static void set_scene(struct weir_hdf5_scene *scene,
		      struct weir_hdf5_args *args, long fapl)
{
	unsigned long driver;

	*scene = (struct weir_hdf5_scene){
		.lists = weir_hdf5_lists(args->library),
		.args = args,
		.is_writable = makes_file(args) || args->flags & FOR_WRITING,
	};
	if (!scene->lists)
		return;
	driver = fapl > 0 ? weir_hdf5_lists_driver(scene->lists, fapl) : 0;
	scene->is_shared = driver & WEIR_HDF5_HAS_MPI;
	scene->can_sieve = !driver || driver & WEIR_HDF5_CAN_SIEVE;
	scene->is_once = is_once(args, scene->is_shared);
	if (scene->is_shared)
		scene->ranks = weir_hdf5_crowd_ranks(args->library, fapl);
}

/* Whether new objects of a new file have the format of HDF5 1.6. */
static bool makes_oldest(const struct weir_hdf5_scene *scene, long fapl)
{
	int (*get)(long, int *, int *) =
		weir_hdf5_lists_function(scene->lists, "H5Pget_libver_bounds");
	long plain =
		fapl > 0 ? 0
			 : weir_hdf5_lists_plain(scene->lists, WEIR_HDF5_FAPL);
	int low = -1, high;

	if (!get || get(plain ? plain : fapl, &low, &high) < 0)
		low = -1;
	if (plain > 0)
		scene->lists->library->list_close(plain);
	return !low && makes_file(scene->args);
}

static struct weir_hdf5_due due_of(struct weir_hdf5_args *args, int swap)
{
	return (struct weir_hdf5_due){
		.which = swap == ACCESS ? WEIR_HDF5_FAPL : WEIR_HDF5_FCPL,
		.file = args->name,
		.list = swap == ACCESS ? &args->fapl : &args->fcpl,
		.swap = &args->swaps[swap],
	};
}

/* How the file is to be made decides about how it can be opened. */
static void adjust(struct weir_hdf5_scene *scene, struct weir_hdf5_args *args)
{
	struct weir_hdf5_due access = due_of(args, ACCESS);
	struct weir_hdf5_due creation = due_of(args, CREATION);
	long plain = 0;

	if (makes_file(args)) {
		weir_hdf5_adjust_list(scene, args, &creation);
		if (!args->fcpl)
			plain = weir_hdf5_lists_plain(scene->lists,
						      WEIR_HDF5_FCPL);
		scene->made = plain ? plain : args->fcpl;
	}
	weir_hdf5_adjust_list(scene, args, &access);
	if (plain > 0)
		args->library->list_close(plain);
}

static void adjust_quietly(struct weir_hdf5_args *args, bool is_second)
{
	struct weir_hdf5_scene scene;
	struct weir_hdf5_hush hush;

	weir_hdf5_hush(args->library, &hush);
	set_scene(&scene, args, args->fapl);
	scene.is_second = is_second;
	if (scene.lists) {
		adjust(&scene, args);
		args->adjusted = true;
	}
	weir_hdf5_unhush(args->library, &hush);
	if (!scene.is_once &&
	    (args->swaps[ACCESS].copy || args->swaps[CREATION].copy))
		weir_hdf5_adjust_mute(args);
}

/* It is always looked at: what is in the file may be adjusted later. */
void weir_hdf5_adjust_file_before(struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	if (!args->library || !args->name)
		return;
	args->swaps[ACCESS].own = args->fapl;
	args->swaps[CREATION].own = args->fcpl;
	adjust_quietly(args, false);
}

static void restore(struct weir_hdf5_args *args)
{
	args->fapl = args->swaps[ACCESS].own;
	args->fcpl = args->swaps[CREATION].own;
}

static bool is_risky(const struct weir_hdf5_args *args)
{
	return weir_hdf5_adjust_is_risky(args, WEIR_HDF5_FAPL) ||
	       (makes_file(args) &&
		weir_hdf5_adjust_is_risky(args, WEIR_HDF5_FCPL));
}

/* First without what is risky, then without all. */
bool weir_hdf5_adjust_file_again(struct weir_hdf5_args *args)
{
	bool was_muted = args->muted;

	weir_hdf5_adjust_unmute(args);
	restore(args);
	if (was_muted && !args->tried && is_risky(args)) {
		args->tried = true;
		weir_hdf5_adjust_close(args);
		adjust_quietly(args, true);
		return true;
	}
	return weir_hdf5_adjust_undo(args) && was_muted;
}

/*
 * The lists of the open file tell what HDF5 made of the settings. A file that
 * is opened asynchronously has none yet.
 */
static void look_at_file(struct weir_hdf5_args *args, long file)
{
	struct weir_hdf5_lists *lists = weir_hdf5_lists(args->library);
	long copy = args->swaps[ACCESS].copy;
	long used = copy ? copy : args->fapl;
	struct weir_hdf5_scene scene;

	set_scene(&scene, args, args->fapl);
	weir_hdf5_known_put(args->library, args->name,
			    &(struct weir_hdf5_known){
				    .is_shared = scene.is_shared,
				    .is_writable = scene.is_writable,
				    .is_oldest = makes_oldest(&scene, used),
				    .ranks = scene.ranks,
			    });
	if (args->es > 0)
		return;
	if (args->swaps[ACCESS].copy)
		args->swaps[ACCESS].seen = lists->of_file(file);
	if (args->swaps[ACCESS].copy || args->swaps[CREATION].copy)
		args->swaps[CREATION].seen = args->library->file_list(file);
}

/* A call that fails with and without the plan tells nothing of it. */
static void look_at_result(struct weir_hdf5_args *args, long ret)
{
	if (ret < 0)
		weir_hdf5_adjust_forget(args);
	else
		look_at_file(args, ret);
}

void weir_hdf5_adjust_file_look(struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_hush hush;

	weir_hdf5_adjust_unmute(args);
	restore(args);
	weir_hdf5_hush(args->library, &hush);
	look_at_result(args, ret);
	weir_hdf5_unhush(args->library, &hush);
}

/* A file that was there keeps how it was made: those settings are not told. */
void weir_hdf5_adjust_file_after(struct weir_layer *on,
				 struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_object *file =
		weir_hdf5_object_find(args->library, ret);
	struct weir_hdf5_outcome outcome = {
		.on = on,
		.handle = file ? file->handle : 0,
	};
	struct weir_hdf5_due access = due_of(args, ACCESS);
	struct weir_hdf5_due creation = due_of(args, CREATION);
	struct weir_hdf5_scene scene;
	struct weir_hdf5_hush hush;

	weir_hdf5_hush(args->library, &hush);
	set_scene(&scene, args, args->fapl);
	scene.made = args->swaps[CREATION].seen;
	scene.is_oldest = makes_oldest(
		&scene, access.swap->copy ? access.swap->copy : args->fapl);
	if (makes_file(args))
		weir_hdf5_adjust_report(&scene, args, &creation, &outcome);
	weir_hdf5_adjust_report(&scene, args, &access, &outcome);
	weir_hdf5_adjust_close(args);
	weir_hdf5_unhush(args->library, &hush);
}
