/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: attributes and chunks are read and written, datasets grow. */
#include "layers/hdf5/hdf5_digest.h"
#include "layers/hdf5/hdf5_place.h"
#include "layers/hdf5/hdf5_space.h"

/* The library says so without an error; before a call nothing else does. */
static bool is_open(const struct weir_hdf5_object *object)
{
	return object->library->id_type(object->id) == object->type;
}

/* How many elements an attribute has cannot change. */
static uint64_t elements_of(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	struct weir_hdf5_hush hush;
	long space;

	if (object->points || !is_open(object))
		return object->points;
	weir_hdf5_hush_good(lib, &hush);
	space = lib->attribute_space(object->id);
	if (space >= 0) {
		object->points = (uint64_t)lib->select_points(space);
		lib->space_close(space);
	}
	weir_hdf5_unhush(lib, &hush);
	return object->points;
}

/* Only calls that write have data. */
static struct weir_hdf5_digest digest_of(const struct weir_hdf5_args *args)
{
	return (struct weir_hdf5_digest){
		.object = args->object,
		.type = args->type,
		.data = args->data,
		.is_later = args->es > 0,
	};
}

bool weir_hdf5_attribute_before(struct weir_layer *on,
				struct weir_hdf5_args *args)
{
	if (!weir_hdf5_plain_before(on, args))
		return false;
	if (args->object)
		args->moved = elements_of(args->object) *
			      weir_hdf5_type_size(args->library, args->type);
	if (args->data) {
		struct weir_hdf5_digest digest = digest_of(args);

		weir_hdf5_digest_before(&digest);
	}
	return true;
}

void weir_hdf5_attribute_after(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	weir_hdf5_plain_after(on, args);
	on->args.size = args->moved;
	if (args->data) {
		struct weir_hdf5_digest digest = digest_of(args);

		weir_hdf5_digest_after(&digest, on->args.failed);
	}
}

bool weir_hdf5_chunk_write_before(struct weir_layer *on,
				  struct weir_hdf5_args *args)
{
	if (!weir_hdf5_plain_before(on, args))
		return false;
	if (args->object)
		weir_hdf5_place_note(args->object);
	return true;
}

void weir_hdf5_chunk_write_after(struct weir_layer *on,
				 struct weir_hdf5_args *args)
{
	weir_hdf5_plain_after(on, args);
	weir_hdf5_digest_give_up(args->object);
	on->args.size = args->length;
}

bool weir_hdf5_chunk_read_before(struct weir_layer *on,
				 struct weir_hdf5_args *args)
{
	return weir_hdf5_plain_before(on, args);
}

/* The chunk is there, for it was read. */
void weir_hdf5_chunk_read_after(struct weir_layer *on,
				struct weir_hdf5_args *args)
{
	struct weir_hdf5_hush hush;
	uint64_t bytes = 0;

	weir_hdf5_plain_after(on, args);
	if (on->args.failed || !args->library || !args->library->chunk_storage)
		return;
	weir_hdf5_hush(args->library, &hush);
	args->library->chunk_storage(args->id, args->start, &bytes);
	weir_hdf5_unhush(args->library, &hush);
	on->args.size = bytes;
}

bool weir_hdf5_extent_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	if (!weir_hdf5_plain_before(on, args))
		return false;
	if (args->object && is_open(args->object) &&
	    weir_hdf5_object_learn(args->object))
		args->rank = args->object->rank;
	return true;
}

void weir_hdf5_extent_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	weir_hdf5_plain_after(on, args);
	weir_hdf5_object_extend(args->object);
	if (!on->args.failed)
		weir_hdf5_digest_extend(args->object);
}
