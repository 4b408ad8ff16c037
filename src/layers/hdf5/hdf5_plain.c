/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: calls on files and their parts, which are opened and closed. */
#include "layers/hdf5/hdf5_adjust.h"
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_digest.h"
#include "layers/hdf5/hdf5_object.h"
#include "layers/hdf5/hdf5_pending.h"
#include "layers/hdf5/hdf5_space.h"

bool weir_hdf5_plain_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	args->object = weir_hdf5_object_find(args->library, args->id);
	return weir_layer_enter(on, args->call,
				args->object ? args->object->handle : 0,
				args->frame);
}

/*
 * What the call was on, now that it has shown it to be good. After a failure
 * nothing is asked: the errors that the program may look at are the call's.
 */
static void meet_object(struct weir_layer *on, struct weir_hdf5_args *args)
{
	if (args->object || !args->library || on->args.failed || args->id <= 0)
		return;
	args->object =
		weir_hdf5_object_meet(on, args->library, args->id, NULL, NULL);
	if (args->object)
		weir_layer_about(on, args->object->handle);
}

void weir_hdf5_plain_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	meet_object(on, args);
}

bool weir_hdf5_link_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	return weir_hdf5_plain_before(on, args);
}

/* h5py makes a dataset, writes it, and only then says how it is called. */
void weir_hdf5_link_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	uint32_t old;

	meet_object(on, args);
	if (!args->object || on->args.failed)
		return;
	old = args->object->handle;
	if (weir_hdf5_object_rename(on, args->object))
		weir_hdf5_digest_rename(args->object, old);
}

bool weir_hdf5_setting_before(struct weir_layer *on,
			      struct weir_hdf5_args *args)
{
	return weir_layer_enter(on, args->call, 0, args->frame);
}

void weir_hdf5_setting_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
}

bool weir_hdf5_object_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	return weir_hdf5_plain_before(on, args);
}

/*
 * The record is of what was opened. With an event set all is asked now: when a
 * transfer is under way an answer might wait for it.
 */
static void open_object(struct weir_layer *on, struct weir_hdf5_args *args,
			const struct weir_hdf5_object *from)
{
	struct weir_hdf5_object *object = weir_hdf5_object_meet(
		on, args->library, on->args.ret, from, args->name);

	if (!object)
		return;
	weir_layer_about(on, object->handle);
	weir_hdf5_digest_open(object, args->call);
	if (args->es > 0)
		weir_hdf5_object_learn(object);
}

void weir_hdf5_object_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	meet_object(on, args);
	if (args->library && !on->args.failed)
		open_object(on, args, args->object);
}

bool weir_hdf5_nameless_before(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	return weir_hdf5_plain_before(on, args);
}

void weir_hdf5_nameless_after(struct weir_layer *on,
			      struct weir_hdf5_args *args)
{
	struct weir_hdf5_object from = { .nameless = true };

	meet_object(on, args);
	if (!args->library || on->args.failed)
		return;
	if (args->object) {
		from.file = args->object->file;
		from.crowd = args->object->crowd;
	}
	open_object(on, args, &from);
}

bool weir_hdf5_shut_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	return weir_hdf5_setting_before(on, args);
}

void weir_hdf5_shut_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	if (!args->library)
		return;
	weir_hdf5_object_forget(args->library);
	weir_hdf5_space_forget();
	weir_hdf5_crowd_forget();
	weir_hdf5_pending_forget(args->library);
	weir_hdf5_adjust_transfer_forget();
}

void weir_hdf5_encode_dims(struct weir_encoded *detail,
			   const struct weir_hdf5_args *args, const void *dims)
{
	char text[WEIR_HDF5_TEXT] = "";

	if (dims && args->rank > 0)
		weir_hdf5_space_shape(dims, args->rank, text);
	weir_encode_text(detail, text);
}
