/* SPDX-License-Identifier: BSD-3-Clause */
/* Stations: datasets are made and opened by a plan. */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/hdf5/hdf5_known.h"
#include "layers/hdf5/hdf5_object.h"
#include "spec/calls.h"

#include <string.h>

#define LONGEST 2048

enum { CREATION, ACCESS }; /* the swaps */

/* What the program calls a dataset. */
struct names {
	char file[LONGEST], dataset[LONGEST];
};

static bool makes_dataset(const struct weir_hdf5_args *args)
{
	return args->call != WEIR_CALL_H5DOPEN1 &&
	       args->call != WEIR_CALL_H5DOPEN2 &&
	       args->call != WEIR_CALL_H5DOPEN_ASYNC;
}

static bool has_access_list(const struct weir_hdf5_args *args)
{
	return args->call != WEIR_CALL_H5DOPEN1 &&
	       args->call != WEIR_CALL_H5DCREATE1;
}

static bool is_due(const struct weir_hdf5_args *args)
{
	return weir_adjust_has(WEIR_PLAN_DATASET_ACCESS) ||
	       (makes_dataset(args) &&
		weir_adjust_has(WEIR_PLAN_DATASET_CREATE));
}

/* From the root, if where it begins is known and costs nothing to ask. */
static void name_dataset(struct weir_hdf5_args *args, char text[LONGEST])
{
	struct weir_hdf5_object *from =
		weir_hdf5_object_find(args->library, args->id);
	size_t used = 0;

	text[0] = '\0';
	if (!args->name)
		return;
	if (args->name[0] != '/') {
		if (from && from->nameless)
			return;
		if (args->library->id_name(args->id, text, LONGEST) <= 0)
			return;
		used = strnlen(text, LONGEST - 1);
		if (used && text[used - 1] != '/' && used < LONGEST - 1)
			text[used++] = '/';
	}
	for (const char *at = args->name; *at && used < LONGEST - 1; at++)
		text[used++] = *at;
	text[used] = '\0';
}

static void name_both(struct weir_hdf5_args *args, struct names *names)
{
	struct weir_hdf5_library *lib = args->library;

	if (lib->file_name(args->id, names->file, LONGEST) <= 0)
		names->file[0] = '\0';
	name_dataset(args, names->dataset);
}

static struct weir_hdf5_due due_of(struct weir_hdf5_args *args,
				   const struct names *names, int swap)
{
	bool creates = swap == CREATION;
	long *access = has_access_list(args) ? &args->dapl : NULL;

	return (struct weir_hdf5_due){
		.which = creates ? WEIR_HDF5_DCPL : WEIR_HDF5_DAPL,
		.file = names->file,
		.dataset = names->dataset[0] ? names->dataset : NULL,
		.list = creates ? &args->dcpl : access,
		.swap = &args->swaps[swap],
	};
}

static void set_scene(struct weir_hdf5_scene *scene,
		      struct weir_hdf5_args *args, const struct names *names)
{
	/* A file behind a link is opened as the one with the link is. */
	struct weir_hdf5_known known = {
		.is_shared = args->library->list_transfer != NULL,
		.is_writable = true,
	};

	weir_hdf5_known_get(args->library, names->file, &known);
	*scene = (struct weir_hdf5_scene){
		.lists = weir_hdf5_lists(args->library),
		.args = args,
		.is_shared = known.is_shared,
		.is_writable = known.is_writable,
		.is_oldest = known.is_oldest,
		.ranks = known.ranks,
	};
}

static void adjust(struct weir_hdf5_args *args)
{
	struct weir_hdf5_scene scene;
	struct names names;
	struct weir_hdf5_due creation, access;

	name_both(args, &names);
	creation = due_of(args, &names, CREATION);
	access = due_of(args, &names, ACCESS);
	set_scene(&scene, args, &names);
	if (!scene.lists)
		return;
	if (makes_dataset(args)) {
		weir_hdf5_adjust_list(&scene, args, &creation);
		scene.made = args->dcpl;
	}
	weir_hdf5_adjust_list(&scene, args, &access);
}

void weir_hdf5_adjust_dataset_before(struct weir_hdf5_args *args)
{
	struct weir_hdf5_hush hush;

	if (!is_due(args))
		return;
	args->library = weir_hdf5_library(args->from);
	if (!args->library)
		return;
	args->swaps[CREATION].own = args->dcpl;
	args->swaps[ACCESS].own = args->dapl;
	weir_hdf5_hush(args->library, &hush);
	adjust(args);
	weir_hdf5_unhush(args->library, &hush);
	if (args->swaps[CREATION].copy || args->swaps[ACCESS].copy)
		weir_hdf5_adjust_mute(args);
}

bool weir_hdf5_adjust_dataset_again(struct weir_hdf5_args *args)
{
	weir_hdf5_adjust_unmute(args);
	args->dcpl = args->swaps[CREATION].own;
	args->dapl = args->swaps[ACCESS].own;
	return weir_hdf5_adjust_undo(args);
}

static void look_at_dataset(struct weir_hdf5_args *args, long dataset)
{
	struct weir_hdf5_lists *lists = weir_hdf5_lists(args->library);

	if (args->es > 0)
		return;
	args->swaps[CREATION].seen = args->library->dataset_list(dataset);
	if (args->swaps[ACCESS].copy)
		args->swaps[ACCESS].seen = lists->of_dataset(dataset);
}

void weir_hdf5_adjust_dataset_look(struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_hush hush;

	weir_hdf5_adjust_unmute(args);
	weir_hdf5_hush(args->library, &hush);
	if (ret < 0)
		weir_hdf5_adjust_forget(args);
	else
		look_at_dataset(args, ret);
	weir_hdf5_unhush(args->library, &hush);
}

static void report_dataset(struct weir_layer *on, struct weir_hdf5_args *args,
			   long dataset)
{
	struct weir_hdf5_object *object =
		weir_hdf5_object_find(args->library, dataset);
	struct weir_hdf5_outcome outcome = {
		.on = on,
		.handle = object ? object->handle : 0,
	};
	struct weir_hdf5_due creation, access;
	struct weir_hdf5_scene scene;
	struct names names;

	name_both(args, &names);
	creation = due_of(args, &names, CREATION);
	access = due_of(args, &names, ACCESS);
	set_scene(&scene, args, &names);
	scene.made = args->swaps[CREATION].seen;
	if (makes_dataset(args))
		weir_hdf5_adjust_report(&scene, args, &creation, &outcome);
	weir_hdf5_adjust_report(&scene, args, &access, &outcome);
}

void weir_hdf5_adjust_dataset_after(struct weir_layer *on,
				    struct weir_hdf5_args *args, long ret)
{
	struct weir_hdf5_hush hush;

	weir_hdf5_hush(args->library, &hush);
	report_dataset(on, args, ret);
	weir_hdf5_adjust_close(args);
	weir_hdf5_unhush(args->library, &hush);
}
