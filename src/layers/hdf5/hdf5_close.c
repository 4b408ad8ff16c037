/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: what was written is flushed, and objects and files are closed. */
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_digest.h"
#include "layers/hdf5/hdf5_place.h"

/* The id is gone afterwards, so all is asked before. */
bool weir_hdf5_close_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	if (!weir_hdf5_plain_before(on, args))
		return false;
	weir_hdf5_place_ask(args->object);
	return true;
}

/* Unless it failed, or the id has more than one user. */
void weir_hdf5_close_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	weir_hdf5_place_tell(on);
	if (on->args.failed)
		return;
	weir_hdf5_digest_close(args->object);
	weir_hdf5_object_leave(args->object);
}

bool weir_hdf5_file_close_before(struct weir_layer *on,
				 struct weir_hdf5_args *args)
{
	bool begun = weir_hdf5_plain_before(on, args);

	if (args->object)
		weir_hdf5_crowd_count(args->object->crowd, args);
	if (begun)
		weir_hdf5_place_ask_file(args->object, false);
	return begun;
}

void weir_hdf5_file_close_after(struct weir_layer *on,
				struct weir_hdf5_args *args)
{
	weir_hdf5_close_after(on, args);
}

/* Who only gives back one of several uses closes nothing. */
bool weir_hdf5_release_before(struct weir_layer *on,
			      struct weir_hdf5_args *args)
{
	struct weir_hdf5_library *lib = weir_hdf5_library(args->from);
	struct weir_hdf5_object *object = weir_hdf5_object_find(lib, args->id);

	if (!object || lib->id_users(args->id) != 1)
		return false;
	if (object->type == WEIR_HDF5_FILE)
		return weir_hdf5_file_close_before(on, args);
	return weir_hdf5_close_before(on, args);
}

void weir_hdf5_release_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	weir_hdf5_close_after(on, args);
}

/* A dataset, a group or a whole file; any id of it will do for H5Fflush. */
bool weir_hdf5_flush_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	bool begun = weir_hdf5_plain_before(on, args);

	if (args->collective && args->object)
		weir_hdf5_crowd_count(args->object->crowd, args);
	if (!begun)
		return false;
	if (args->collective)
		weir_hdf5_place_ask_file(args->object, true);
	else
		weir_hdf5_place_ask(args->object);
	return true;
}

void weir_hdf5_flush_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	weir_hdf5_plain_after(on, args);
	weir_hdf5_place_tell(on);
}
