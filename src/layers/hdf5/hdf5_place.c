/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells where in its file a dataset lies, for what is written later. */
#include "layers/hdf5/hdf5_place.h"

#include "layers/hdf5/hdf5_pending.h"
#include "spec/calls.h"

#include <stdatomic.h>

#define UNDEFINED    UINT64_MAX
#define LONGEST_RANK 32
#define PIECES	     64 /* for one call; larger datasets have none told */
#define NOTED	     256

/* Datasets that were written to and may still be open. */
static _Atomic(struct weir_hdf5_object *) noted[NOTED];

/* From before a call until after it; nothing else comes between. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
	uint32_t number;
	struct {
		uint32_t handle;
		bool known;
		uint64_t address, bytes;
	} pieces[PIECES];
} asked;

void weir_hdf5_place_note(struct weir_hdf5_object *object)
{
	if (object->written)
		return;
	object->written = true;
	for (int i = 0; i < NOTED; i++) {
		struct weir_hdf5_object *there = atomic_load(&noted[i]);

		if (there && there->key && there->written && there != object)
			continue;
		if (atomic_compare_exchange_strong(&noted[i], &there, object))
			return;
	}
}

static void add_piece(const struct weir_hdf5_object *object, bool known,
		      uint64_t address, uint64_t bytes)
{
	if (asked.number == PIECES ||
	    (known && (!bytes || address == UNDEFINED)))
		return;
	asked.pieces[asked.number].handle = object->handle;
	asked.pieces[asked.number].known = known;
	asked.pieces[asked.number].address = address;
	asked.pieces[asked.number++].bytes = bytes;
}

static void add_unknown(const struct weir_hdf5_object *object)
{
	add_piece(object, false, 0, 0);
}

/* As many as there can be, which costs nothing to know. */
static bool has_few_chunks(const struct weir_hdf5_object *object)
{
	uint64_t number = 1;

	if (object->rank < 0 || object->rank > WEIR_HDF5_RANK)
		return false;
	for (int i = 0; i < object->rank; i++) {
		uint64_t chunk = object->chunk[i];

		number *= chunk ? (object->dims[i] + chunk - 1) / chunk : 0;
		if (number > PIECES)
			return false;
	}
	return true;
}

/* Addresses of chunks leave it out in some versions, and not in others. */
static bool has_userblock(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	long file = lib->file_of(object->id);
	long list = file < 0 ? -1 : lib->file_list(file);
	uint64_t bytes = UNDEFINED;

	if (list >= 0) {
		lib->list_userblock(list, &bytes);
		lib->list_close(list);
	}
	if (file >= 0)
		lib->file_close(file);
	return bytes != 0;
}

static bool add_chunks(struct weir_hdf5_object *object, long space)
{
	struct weir_hdf5_library *lib = object->library;
	uint64_t offset[LONGEST_RANK], number = 0;

	if (lib->chunk_number(object->id, space, &number) < 0)
		return false;
	for (uint64_t i = 0; i < number; i++) {
		uint64_t address = UNDEFINED, bytes = 0;
		unsigned mask;

		if (lib->chunk_info(object->id, space, i, offset, &mask,
				    &address, &bytes) < 0)
			return false;
		add_piece(object, true, address, bytes);
	}
	return asked.number < PIECES;
}

/* False: not all were told. */
static bool ask_chunks(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	bool all;
	long space;

	if (!lib->chunk_info || !lib->chunk_number || !has_few_chunks(object) ||
	    has_userblock(object))
		return false;
	space = lib->dataset_space(object->id);
	if (space < 0)
		return false;
	all = add_chunks(object, space);
	lib->space_close(space);
	return all;
}

/* Several ranks keep no chunks for later, and to ask might wait for others. */
static void ask_layout(struct weir_hdf5_object *object, bool with_chunks)
{
	struct weir_hdf5_library *lib = object->library;

	if (object->layout == WEIR_HDF5_CONTIGUOUS)
		add_piece(object, true, lib->dataset_offset(object->id),
			  lib->dataset_storage(object->id));
	else if (object->layout == WEIR_HDF5_CHUNKED && !object->crowd &&
		 (!with_chunks || !ask_chunks(object)))
		add_unknown(object);
}

/* An answer might wait for what the program does not want to wait for yet. */
static void ask_places(struct weir_hdf5_object *object, bool with_chunks)
{
	struct weir_hdf5_hush hush;

	if (weir_hdf5_pending_any()) {
		add_unknown(object);
		return;
	}
	weir_hdf5_hush(object->library, &hush);
	if (weir_hdf5_object_learn(object))
		ask_layout(object, with_chunks);
	weir_hdf5_unhush(object->library, &hush);
}

void weir_hdf5_place_ask(struct weir_hdf5_object *object)
{
	asked.number = 0;
	if (object && object->written)
		ask_places(object, true);
}

static struct weir_hdf5_object *noted_in(const struct weir_hdf5_object *file,
					 int i)
{
	struct weir_hdf5_object *object = atomic_load(&noted[i]);

	return object && object->key && object->written &&
			       object->library == file->library &&
			       object->file == file->file
		       ? object
		       : NULL;
}

/* Of several, chunks might be written in another order than without us. */
void weir_hdf5_place_ask_file(const struct weir_hdf5_object *file,
			      bool with_chunks)
{
	int number = 0;

	asked.number = 0;
	if (!file)
		return;
	for (int i = 0; i < NOTED; i++)
		number += noted_in(file, i) != NULL;
	for (int i = 0; i < NOTED && number; i++)
		if (noted_in(file, i))
			ask_places(noted_in(file, i),
				   with_chunks && number == 1);
}

void weir_hdf5_place_tell(struct weir_layer *on)
{
	struct weir_args told = { .call = WEIR_CALL_HDF5_PLACE, .fd = -1 };

	for (uint32_t i = 0; i < asked.number; i++) {
		told.has_off = asked.pieces[i].known;
		told.off = (int64_t)asked.pieces[i].address;
		told.size = asked.pieces[i].bytes;
		weir_layer_derive(on, asked.pieces[i].handle, &told);
	}
	asked.number = 0;
}
