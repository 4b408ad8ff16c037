/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the files, datasets, groups and attributes that are open. */
#include "layers/hdf5/hdf5_object.h"

#include "base/hash.h"
#include "layers/book.h"
#include "layers/hdf5/hdf5_space.h"

#include <stdatomic.h>
#include <string.h>

#define LONGEST_RANK 32
#define LONGEST_NAME 2048

static struct weir_book book;
static struct weir_hdf5_object objects[WEIR_BOOK_ROOM];
static _Atomic uint32_t extents; /* counts changes of shapes */

struct weir_hdf5_object *weir_hdf5_object_find(struct weir_hdf5_library *lib,
					       long id)
{
	uint32_t at;

	if (!lib || id <= 0)
		return NULL;
	at = weir_book_find(&book, weir_hdf5_key(lib, id));
	return at == WEIR_BOOK_NONE ? NULL : &objects[at];
}

void weir_hdf5_object_leave(struct weir_hdf5_object *object)
{
	if (!object || object->library->id_type(object->id) > 0)
		return;
	weir_book_remove(&book, object->key);
	object->key = 0;
}

/* A file that was closed with all that was open in it tells of one id only. */
static void sweep(struct weir_hdf5_library *lib)
{
	for (uint32_t i = 0; i < WEIR_BOOK_ROOM; i++)
		if (objects[i].key && objects[i].library == lib)
			weir_hdf5_object_leave(&objects[i]);
}

void weir_hdf5_object_forget(struct weir_hdf5_library *lib)
{
	for (uint32_t i = 0; i < WEIR_BOOK_ROOM; i++) {
		if (!objects[i].key || objects[i].library != lib)
			continue;
		weir_book_remove(&book, objects[i].key);
		objects[i].key = 0;
	}
}

static struct weir_hdf5_object *add_object(struct weir_hdf5_library *lib,
					   long id)
{
	uint64_t key = weir_hdf5_key(lib, id);
	uint32_t at = weir_book_add(&book, key);

	if (at == WEIR_BOOK_NONE) {
		sweep(lib);
		at = weir_book_add(&book, key);
	}
	if (at == WEIR_BOOK_NONE)
		return NULL;
	objects[at] = (struct weir_hdf5_object){
		.key = key,
		.id = id,
		.library = lib,
	};
	return &objects[at];
}

/* Append what fits; always ends the text. */
static size_t append_part(char *text, size_t used, const char *more)
{
	while (*more && used < LONGEST_NAME - 1)
		text[used++] = *more++;
	text[used] = '\0';
	return used;
}

/* Where it stands in its file, as it was opened; costs no I/O. */
static size_t append_path(struct weir_hdf5_object *object, char *text,
			  size_t used)
{
	struct weir_hdf5_library *lib = object->library;
	long len = lib->id_name(object->id, text + used, LONGEST_NAME - used);

	object->anonymous = len <= 0;
	if (object->anonymous)
		return append_part(text, used, "/(no name)");
	used += strnlen(text + used, LONGEST_NAME - used - 1);
	if (object->type != lib->attribute_type)
		return used;
	used = append_part(text, used, "@");
	len = lib->attribute_name(object->id, LONGEST_NAME - used, text + used);
	if (len <= 0)
		text[used] = '\0';
	return used + strnlen(text + used, LONGEST_NAME - used - 1);
}

static size_t append_hint(char *text, size_t used, const char *name)
{
	used = append_part(text, used, "/(no path)");
	if (!name)
		return used;
	if (*name != '/')
		used = append_part(text, used, "/");
	return append_part(text, used, name);
}

/* FILE, or FILE:/path of what is in it. */
static void spell_name(struct weir_hdf5_object *object, char text[LONGEST_NAME],
		       const char *name)
{
	struct weir_hdf5_library *lib = object->library;
	long len = lib->file_name(object->id, text, LONGEST_NAME);
	size_t used;

	if (len <= 0)
		strcpy(text, "(no file)");
	used = strnlen(text, LONGEST_NAME - 2);
	object->file = weir_hash_bytes(text, used);
	if (object->type == WEIR_HDF5_FILE)
		return;
	text[used] = ':';
	if (object->nameless)
		append_hint(text, used + 1, name);
	else if (append_path(object, text, used + 1) == used + 2)
		text[used] = '\0'; /* the root group is the file */
}

struct weir_hdf5_object *
weir_hdf5_object_meet(struct weir_layer *on, struct weir_hdf5_library *lib,
		      long id, const struct weir_hdf5_object *from,
		      const char *name)
{
	struct weir_hdf5_object *object = add_object(lib, id);
	struct weir_hdf5_hush hush;
	char text[LONGEST_NAME];

	if (!object)
		return NULL;
	/* What was opened is in a file; what is met by chance need not be. */
	if (from)
		weir_hdf5_hush_good(lib, &hush);
	else
		weir_hdf5_hush(lib, &hush);
	object->type = lib->id_type(id);
	object->nameless = from && from->nameless;
	spell_name(object, text, name);
	weir_hdf5_unhush(lib, &hush);
	object->name = weir_hash_bytes(text, strlen(text));
	/* An external link leads into a file that may not be shared. */
	if (from && from->file == object->file)
		object->crowd = from->crowd;
	object->handle = weir_layer_handle(on, text);
	return object;
}

bool weir_hdf5_object_rename(struct weir_layer *on,
			     struct weir_hdf5_object *object)
{
	struct weir_hdf5_hush hush;
	char text[LONGEST_NAME];

	if (!object->anonymous)
		return false;
	weir_hdf5_hush(object->library, &hush);
	spell_name(object, text, NULL);
	weir_hdf5_unhush(object->library, &hush);
	if (object->anonymous)
		return false;
	object->name = weir_hash_bytes(text, strlen(text));
	object->handle = weir_layer_handle(on, text);
	return true;
}

/*
 * With the count of changes of extent that it was learned at, so that a shape
 * is asked again only after one.
 */
static void learn_shape(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	uint64_t dims[LONGEST_RANK], most[LONGEST_RANK];
	long space = lib->dataset_space(object->id);
	size_t bytes;

	object->extents = atomic_load(&extents);
	object->rank = -1;
	if (space < 0)
		return;
	object->rank = lib->space_rank(space);
	if (object->rank > 0 && lib->space_dims(space, dims, most) < 0)
		object->rank = -1;
	lib->space_close(space);
	if (object->rank < 0 || object->rank > LONGEST_RANK)
		return;
	bytes = (size_t)object->rank * sizeof(*dims);
	object->extendible = memcmp(dims, most, bytes) != 0;
	weir_hdf5_space_shape(dims, object->rank, object->shape);
	if (object->rank <= WEIR_HDF5_RANK)
		memcpy(object->dims, dims, bytes);
}

static void learn_layout(struct weir_hdf5_object *object)
{
	struct weir_hdf5_library *lib = object->library;
	uint64_t chunk[LONGEST_RANK];
	long list = lib->dataset_list(object->id);

	if (list < 0)
		return;
	object->layout = (uint8_t)lib->list_layout(list);
	if (object->layout == WEIR_HDF5_CHUNKED &&
	    lib->list_chunk(list, LONGEST_RANK, chunk) > 0)
		memcpy(object->chunk, chunk, sizeof(object->chunk));
	lib->list_close(list);
}

bool weir_hdf5_object_learn(struct weir_hdf5_object *object)
{
	struct weir_hdf5_hush hush;
	bool stale =
		object->extendible && object->extents != atomic_load(&extents);

	if (object->type != WEIR_HDF5_DATASET)
		return false;
	if (object->learned && !stale)
		return true;
	weir_hdf5_hush_good(object->library, &hush);
	learn_shape(object);
	if (!object->learned)
		learn_layout(object);
	weir_hdf5_unhush(object->library, &hush);
	object->learned = true;
	return true;
}

void weir_hdf5_object_extend(struct weir_hdf5_object *object)
{
	atomic_fetch_add(&extents, 1);
	if (object)
		object->extendible = true;
}
