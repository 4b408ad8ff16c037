/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers what was written during a run: files, and what is in them, with the
 * sums that processes have told.
 */
#include "verify/output.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/bytes/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void forget_told(struct weir_output_object *object)
{
	for (size_t i = 0; i < object->count; i++)
		weir_spans_fini(&object->told[i].spans);
	object->count = 0;
}

void weir_output_fini(struct weir_output *written)
{
	for (size_t i = 0; i < written->object_count; i++) {
		forget_told(&written->objects[i]);
		free(written->objects[i].told);
		free(written->objects[i].inside);
	}
	for (size_t i = 0; i < written->move_count; i++) {
		free(written->moves[i].from);
		free(written->moves[i].to);
	}
	free(written->moves);
	free(written->objects);
	free(written->files);
	weir_map_fini(&written->by_name);
	weir_map_fini(&written->folders);
	weir_map_fini(&written->by_path);
	weir_names_fini(&written->names);
	*written = (struct weir_output){ 0 };
}

/* Index + 1; 0: there is none of this name. */
static uint64_t find_output_file(const struct weir_output *written,
				 uint32_t name)
{
	return weir_map_get(&written->by_name, name);
}

static int number_name(struct weir_output *written, const char *name,
		       size_t len, uint32_t *ret_number)
{
	return weir_names_add(&written->names, name, len, ret_number);
}

static int note_folders(struct weir_output *written, uint32_t name)
{
	size_t len;
	const char *text = weir_names_get(&written->names, name, &len);
	int err = 0;

	while (!err && len && text[--len] != '/')
		;
	for (; !err && len; len--)
		if (text[len] == '/')
			err = weir_map_put(&written->folders,
					   weir_hash_bytes(text, len), 1);
	return err;
}

/* From now on the name is that of the file, and of no other. */
static int give_name(struct weir_output *written, uint32_t name,
		     uint64_t file)
{
	int err = note_folders(written, name);

	return err ? err : weir_map_put(&written->by_name, name, file + 1);
}

static void take_name(struct weir_output *written, uint32_t name)
{
	weir_map_remove(&written->by_name, name);
}

const char *weir_output_name(const struct weir_output *output, uint32_t file)
{
	size_t len;

	return weir_names_get(&output->names, output->files[file].name, &len);
}

/* A name below `from` is one below `to` now: false: it is not below. */
static bool carry(const struct weir_output_move *move, char path[4096])
{
	size_t skip = strlen(move->from);
	char rest[4096];

	if (strncmp(path, move->from, skip) || path[skip] != '/')
		return false;
	snprintf(rest, sizeof(rest), "%s", path + skip);
	return (size_t)snprintf(path, 4096, "%s%s", move->to, rest) < 4096;
}

/*
 * Who works in a directory does not learn that it has another name, and nor do
 * we: what is not where it should be may be where it went.
 */
static void find_carried(struct weir_output *written,
			 struct weir_output_file *file)
{
	char path[4096];
	uint32_t number;
	size_t len;
	const char *name = weir_names_get(&written->names, file->name, &len);

	if (!name || len >= sizeof(path) || !access(name, F_OK) ||
	    errno != ENOENT)
		return;
	snprintf(path, sizeof(path), "%.*s", (int)len, name);
	for (size_t i = 0; i < written->move_count; i++)
		file->is_carried |= carry(&written->moves[i], path);
	if (file->is_carried && !access(path, F_OK) &&
	    !number_name(written, path, strlen(path), &number) &&
	    !find_output_file(written, number))
		file->name = number;
}

void weir_output_settle(struct weir_output *written)
{
	for (size_t i = 0; i < written->file_count; i++)
		written->files[i].name = 0;
	for (uint32_t name = 1; name <= written->names.count; name++) {
		uint64_t at = find_output_file(written, name);

		if (at)
			written->files[at - 1].name = name;
	}
	for (size_t i = 0; written->move_count && i < written->file_count; i++)
		find_carried(written, &written->files[i]);
}

int64_t weir_output_file(struct weir_output *written, const char *name,
			  size_t len)
{
	uint32_t number;
	int err = number_name(written, name, len, &number);
	uint64_t at = err ? 0 : find_output_file(written, number);

	if (at)
		return (int64_t)at - 1;
	if (!err)
		err = WEIR_GROW(written->files, written->file_count,
				written->file_room);
	if (err)
		return err;
	written->files[written->file_count] =
		(struct weir_output_file){ .first = 0 };
	err = give_name(written, number, written->file_count);
	return err ? err : (int64_t)written->file_count++;
}

/* A file that no path leads to (O_TMPFILE) may get a name later. */
int64_t weir_output_nameless(struct weir_output *written)
{
	if (WEIR_GROW(written->files, written->file_count,
		      written->file_room))
		return -ENOMEM;
	written->files[written->file_count] =
		(struct weir_output_file){ .is_fresh = true };
	return (int64_t)written->file_count++;
}

int weir_output_name_file(struct weir_output *written, uint32_t file,
			  const char *name)
{
	uint32_t number;
	int err = number_name(written, name, strlen(name), &number);

	return err ? err : give_name(written, number, file);
}

/* --- two names, one file ------------------------------------------------ */

/* Bytes in all objects of the file: 0, as long as nobody has told a sum. */
static uint64_t count_told(const struct weir_output *written, uint32_t file)
{
	uint64_t bytes = 0;

	for (uint32_t at = written->files[file].first; at;
	     at = written->objects[at - 1].next)
		for (size_t i = 0; i < written->objects[at - 1].count; i++)
			bytes += written->objects[at - 1].told[i].bytes;
	return bytes;
}

static bool has_name(const struct weir_output *written, uint32_t file)
{
	for (uint32_t name = 1; name <= written->names.count; name++)
		if (find_output_file(written, name) == file + UINT64_C(1))
			return true;
	return false;
}

/*
 * Names are few beside events, and files with two of them are rare: no index.
 */
static int pass_names(struct weir_output *written, uint32_t from, uint32_t to)
{
	int err = 0;

	for (uint32_t name = 1; !err && name <= written->names.count; name++)
		if (find_output_file(written, name) == from + UINT64_C(1))
			err = give_name(written, name, to);
	return err;
}

int weir_output_unite(struct weir_output *written, uint32_t from, uint32_t to)
{
	struct weir_output_file *old = &written->files[from];
	struct weir_output_object *object;

	if (count_told(written, from) || !has_name(written, to))
		return -ENOENT;
	/* It was emptied by its other name, and we cannot say when. */
	if (old->is_fresh && count_told(written, to)) {
		object = weir_output_object(written, to, NULL, 0);
		if (!object)
			return -ENOMEM;
		object->whys |= WEIR_WHY_CUT;
	}
	old = &written->files[from];
	written->files[to].is_mpi |= old->is_mpi;
	written->files[to].is_opened |= old->is_opened;
	written->files[to].is_fresh |= old->is_fresh;
	return pass_names(written, from, to);
}

static uint64_t object_key(uint32_t file, const char *inside, size_t len)
{
	return weir_hash_bytes(inside, len) ^
	       (file + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
}

static int name_object(struct weir_output *written,
		       struct weir_output_object *object, const char *inside,
		       size_t len)
{
	uint32_t number = (uint32_t)(object - written->objects) + 1;

	if (inside) {
		object->inside = strndup(inside, len);
		if (!object->inside)
			return -ENOMEM;
	}
	return weir_map_put(&written->by_path,
			    object_key(object->file, inside ? inside : "", len),
			    number);
}

struct weir_output_object *
weir_output_object(struct weir_output *written, uint32_t file,
		    const char *inside, size_t len)
{
	size_t length = inside ? len : 0;
	uint64_t at =
		weir_map_get(&written->by_path,
			     object_key(file, inside ? inside : "", length));
	struct weir_output_object *object;

	if (at)
		return &written->objects[at - 1];
	if (WEIR_GROW(written->objects, written->object_count,
		      written->object_room))
		return NULL;
	object = &written->objects[written->object_count];
	*object = (struct weir_output_object){ .file = file };
	if (name_object(written, object, inside, length)) {
		free(object->inside);
		return NULL;
	}
	object->next = written->files[file].first;
	written->files[file].first = (uint32_t)++written->object_count;
	return object;
}

/* As processes name objects: FILE:/path. */
const char *weir_output_inside(const char *name, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++)
		if (name[i] == ':' && name[i + 1] == '/')
			return name + i + 1;
	return NULL;
}

void weir_output_void(struct weir_output *written, uint32_t file)
{
	uint32_t at = written->files[file].first;

	while (at) {
		struct weir_output_object *object = &written->objects[at - 1];

		forget_told(object);
		object->whys = 0;
		object->is_gone = false;
		at = object->next;
	}
	written->files[file].is_fresh = true;
}

/* A name below the directory `from` is one below `to` now. */
static int move_name(struct weir_output *written, uint32_t name,
		     const char *from, const char *to)
{
	size_t len, skip = strlen(from);
	const char *text = weir_names_get(&written->names, name, &len);
	uint64_t at = find_output_file(written, name);
	struct weir_bytes moved = { 0 };
	uint32_t new;
	int err;

	if (!at || len <= skip || text[skip] != '/' ||
	    memcmp(text, from, skip) != 0)
		return 0;
	err = weir_bytes_add(&moved, to, strlen(to));
	if (!err)
		err = weir_bytes_add(&moved, text + skip, len - skip);
	if (!err)
		err = number_name(written, (char *)moved.data, moved.used,
				  &new);
	weir_bytes_fini(&moved);
	if (err)
		return err;
	take_name(written, name);
	return give_name(written, new, at - 1);
}

static int note_move(struct weir_output *written, const char *from,
		     const char *to)
{
	struct weir_output_move move = { strdup(from), strdup(to) };

	if (!move.from || !move.to ||
	    WEIR_GROW(written->moves, written->move_count,
		      written->move_room)) {
		free(move.from);
		free(move.to);
		return -ENOMEM;
	}
	written->moves[written->move_count++] = move;
	return 0;
}

/* Only directories that have something below them cost a look at all names. */
static int rename_folder(struct weir_output *written, const char *from,
			 const char *to)
{
	uint32_t count = written->names.count;
	int err = 0;

	if (!weir_map_get(&written->folders,
			  weir_hash_bytes(from, strlen(from))))
		return 0;
	for (uint32_t name = 1; !err && name <= count; name++)
		err = move_name(written, name, from, to);
	return err ? err : note_move(written, from, to);
}

int weir_output_rename(struct weir_output *written, const char *from,
			const char *to)
{
	uint32_t old, new;
	int err = number_name(written, from, strlen(from), &old);
	uint64_t at;

	if (!err)
		err = number_name(written, to, strlen(to), &new);
	at = err ? 0 : find_output_file(written, old);
	if (err || old == new)
		return err;
	take_name(written, new);
	take_name(written, old);
	if (at)
		err = give_name(written, new, at - 1);
	/* A directory may have been opened, too. */
	return err ? err : rename_folder(written, from, to);
}

int weir_output_exchange(struct weir_output *written, const char *one,
			  const char *other)
{
	int64_t a = weir_output_file(written, one, strlen(one));
	int64_t b = a < 0 ? a : weir_output_file(written, other,
						  strlen(other));
	uint32_t first, second;
	int err = b < 0 ? (int)b : 0;

	if (!err)
		err = number_name(written, one, strlen(one), &first);
	if (!err)
		err = number_name(written, other, strlen(other), &second);
	if (err)
		return err;
	err = give_name(written, first, (uint64_t)b);
	return err ? err : give_name(written, second, (uint64_t)a);
}

int weir_output_link(struct weir_output *written, const char *from,
		      const char *to)
{
	int64_t at = weir_output_file(written, from, strlen(from));
	uint32_t name;
	int err = at < 0 ? (int)at
			 : number_name(written, to, strlen(to), &name);

	return err ? err : give_name(written, name, (uint64_t)at);
}

int weir_output_unlink(struct weir_output *written, const char *name)
{
	uint32_t number;
	int err = number_name(written, name, strlen(name), &number);

	if (!err)
		take_name(written, number);
	return err;
}

/* The path itself, what is below it, and attributes of both. */
static bool is_below(const char *inside, const char *path)
{
	size_t len = strlen(path);

	return inside && !strncmp(inside, path, len) &&
	       (!inside[len] || inside[len] == '/' || inside[len] == '@');
}

void weir_output_remove_inside(struct weir_output *written, uint32_t file,
				const char *path)
{
	uint32_t at = written->files[file].first;

	written->files[file].has_freed = true;
	while (at) {
		struct weir_output_object *object = &written->objects[at - 1];

		if (is_below(object->inside, path)) {
			forget_told(object);
			object->is_gone = true;
		}
		at = object->next;
	}
}
