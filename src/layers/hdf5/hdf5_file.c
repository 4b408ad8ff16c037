/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: files, and the lists that say who shares them. */
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_object.h"

bool weir_hdf5_file_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	weir_hdf5_crowd_meet(args);
	return weir_layer_enter(on, args->call, 0, args->frame);
}

static struct weir_hdf5_object *meet_file(struct weir_layer *on,
					  struct weir_hdf5_args *args)
{
	struct weir_hdf5_object *file;

	if (!args->library || on->args.failed)
		return NULL;
	file = weir_hdf5_object_meet(on, args->library, on->args.ret, NULL,
				     NULL);
	if (file)
		weir_layer_about(on, file->handle);
	return file;
}

void weir_hdf5_file_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	struct weir_hdf5_object *file = meet_file(on, args);

	if (!file)
		return;
	file->crowd = weir_hdf5_crowd_open(args);
	weir_storage_ask(args->name, &args->on);
}

bool weir_hdf5_reopen_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	return weir_hdf5_plain_before(on, args);
}

void weir_hdf5_reopen_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	struct weir_hdf5_object *file = meet_file(on, args);

	if (file && args->object)
		file->crowd = args->object->crowd;
}

bool weir_hdf5_fapl_mpio_before(struct weir_layer *on,
				struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	return weir_hdf5_setting_before(on, args);
}

void weir_hdf5_fapl_mpio_after(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	if (args->library && !on->args.failed)
		weir_hdf5_crowd_list(args->library, args->fapl, args->comm,
				     args->from);
}
