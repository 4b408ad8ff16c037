/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows files through a trace: who opens, names, empties and removes them. */
#include "verify/follow.h"

#include "base/grow.h"
#include "trace/event/detail.h"
#include "trace/event/pathjoin.h"
#include "trace/layout/digest_layout.h"
#include "trace/layout/trace_layout.h"
#include "verify/following.h"
#include "verify/told.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>

static uint64_t handle_key(const struct weir_event *event, uint32_t handle)
{
	return (uint64_t)event->proc << 32 | handle;
}

static struct weir_bound *find_bound(struct weir_following *f, uint32_t handle)
{
	uint64_t at = weir_map_get(&f->by_handle,
				   handle_key(f->event, handle));

	return at ? &f->bound[at - 1] : NULL;
}

/*
 * 0 where the call has no such argument: none that is asked for means anything
 * then.
 */
static uint64_t argument_number(const struct weir_following *f,
				const char *name)
{
	struct weir_value value;

	return weir_following_argument(f, name, &value) ? value.number : 0;
}

static bool is_in_layer(const struct weir_following *f, const char *layer)
{
	return f->call->layer && !strcmp(f->call->layer, layer);
}

static bool is_hdf5(const struct weir_following *f)
{
	return is_in_layer(f, "hdf5");
}

/* What it does to files, it does by calls of libc, which are told too. */
static bool is_of_library(const struct weir_following *f)
{
	return f->call->is_served || is_hdf5(f) ||
	       is_in_layer(f, "mpiio") || is_in_layer(f, "pnetcdf");
}

/* The name that the call has is that of a directory. */
static bool makes_nameless(const struct weir_following *f)
{
	struct weir_value flags;

	return weir_call_is(f->call, WEIR_MEANS_OPEN) &&
	       weir_following_argument(f, "flags", &flags) &&
	       !strcmp(flags.kind->show, "open_flags") &&
	       (flags.number & O_TMPFILE) == O_TMPFILE;
}

/*
 * The file that was duplicated to this number: its name may be another file's,
 * or nobody's, by now. -ENOENT: none was.
 */
static int64_t find_copied(struct weir_following *f)
{
	uint64_t key = handle_key(f->event, (uint32_t)f->event->fd);
	uint64_t at = weir_map_get(&f->by_copy, key);

	if (!at || f->bound[at - 1].name != f->event->file)
		return -ENOENT;
	weir_map_remove(&f->by_copy, key);
	return f->bound[at - 1].file;
}

static int64_t file_of_handle(struct weir_following *f)
{
	int64_t file;

	if (makes_nameless(f))
		return weir_output_nameless(f->written);
	file = find_copied(f);
	return file == -ENOENT ? weir_following_file(f) : file;
}

/* The handle of the event, from when it is seen first; NULL: it has none. */
static int bind(struct weir_following *f, struct weir_bound **ret_bound)
{
	int64_t file;
	int err;

	*ret_bound = NULL;
	if (!f->event->handle || !f->event->file)
		return 0;
	*ret_bound = find_bound(f, f->event->handle);
	if (*ret_bound)
		return 0;
	file = file_of_handle(f);
	if (file < 0)
		return file == -ENOENT ? 0 : (int)file;
	err = WEIR_GROW(f->bound, f->count, f->room);
	if (!err)
		err = weir_map_put(&f->by_handle,
				   handle_key(f->event, f->event->handle),
				   f->count + 1);
	if (err)
		return err;
	f->bound[f->count] = (struct weir_bound){
		.proc = f->event->proc,
		.file = (uint32_t)file,
		.name = f->event->file,
		.cut = UINT64_MAX,
		.fd = -1,
	};
	*ret_bound = &f->bound[f->count++];
	return 0;
}

/* --- files are opened and emptied ------------------------------------- */

/*
 * Who has written and tells later has summed up what is not there any more. A
 * process knows itself what it has emptied.
 */
static void empty(struct weir_following *f, uint32_t file)
{
	weir_output_void(f->written, file);
	for (size_t i = 0; i < f->count; i++)
		if (f->bound[i].file == file &&
		    f->bound[i].proc != f->event->proc)
			f->bound[i].was_voided |= f->bound[i].has_written;
}

/*
 * A file that is made or emptied holds nothing of before. Names tell it where
 * calls have no flags (mkstemp(), creat()), the mode where streams are opened.
 */
static bool is_making(const struct weir_following *f)
{
	uint64_t flags = argument_number(f, "flags");
	struct weir_value mode;

	if (weir_call_has(f->call, WEIR_TRAIT_CREATES) && !is_hdf5(f))
		return true;
	if (weir_following_argument(f, "mode", &mode) && mode.text &&
	    mode.text_len)
		return mode.text[0] == 'w' ||
		       memchr(mode.text, 'x', mode.text_len);
	return flags & O_TRUNC || (flags & (O_CREAT | O_EXCL)) ==
					  (O_CREAT | O_EXCL);
}

static int on_open(struct weir_following *f)
{
	struct weir_bound *bound;
	int err;

	if (weir_call_has(f->call, WEIR_TRAIT_NAMELESS | WEIR_TRAIT_DIRECTORY))
		return 0;
	weir_map_remove(&f->by_copy,
			handle_key(f->event, (uint32_t)f->event->ret));
	err = bind(f, &bound);
	if (err || !bound)
		return err;
	bound->fd = f->event->ret;
	f->written->files[bound->file].is_opened |=
		!is_hdf5(f);
	f->written->files[bound->file].is_mpi |= is_in_layer(f, "mpiio");
	if (is_making(f))
		empty(f, bound->file);
	return 0;
}

/*
 * The child of vfork shares descriptors until it executes: its numbers are not
 * those of the process.
 */
static int on_dup(struct weir_following *f)
{
	uint64_t key = handle_key(f->event, (uint32_t)f->event->ret);
	struct weir_bound *bound;
	int err = f->event->flags & WEIR_EVENT_VFORK ? -ENOENT
						     : bind(f, &bound);

	if (err || !bound)
		return err == -ENOENT ? 0 : err;
	return weir_map_put(&f->by_copy, key,
			    (uint64_t)(bound - f->bound) + 1);
}

static int on_control(struct weir_following *f)
{
	uint64_t command = argument_number(f, "cmd");

	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? on_dup(f)
								: 0;
}

/* All ranks create a file together, before any of them writes. */
static int on_hdf5_open(struct weir_following *f)
{
	struct weir_bound *bound;
	int err;

	if (!f->call->has_path || !weir_call_has(f->call, WEIR_TRAIT_CREATES))
		return on_open(f);
	err = bind(f, &bound);
	if (!err && bound)
		empty(f, bound->file);
	return err;
}

/*
 * Only sums that reach beyond the cut are doubtful: what is left may be as they
 * say, but nobody told it alone.
 */
static void cut_told(struct weir_following *f, uint32_t file, uint64_t left)
{
	struct weir_output_object *object =
		weir_output_object(f->written, file, NULL, 0);

	for (size_t i = 0; object && i < object->count; i++)
		if (object->told[i].end > left)
			object->whys |= WEIR_WHY_CUT;
}

/* How long the file is to be. */
static uint64_t length_of(const struct weir_following *f)
{
	uint8_t at = f->call->means.len;

	return at && f->call->arguments[at - 1].kind->place == WEIR_PLACE_SIZE ?
		       f->event->size : (uint64_t)f->event->off;
}

static int on_truncate(struct weir_following *f)
{
	uint64_t left = length_of(f);
	int64_t file = weir_following_file(f);

	if (file < 0)
		return file == -ENOENT ? 0 : (int)file;
	/* HDF5 cuts its files itself, and what it has told is not lost. */
	if (f->written->files[file].is_hdf5)
		return 0;
	if (!left) {
		empty(f, (uint32_t)file);
		return 0;
	}
	cut_told(f, (uint32_t)file, left);
	for (size_t i = 0; i < f->count; i++)
		if (f->bound[i].file == (uint32_t)file &&
		    f->bound[i].has_written && f->bound[i].cut > left &&
		    f->bound[i].proc != f->event->proc)
			f->bound[i].cut = left;
	return 0;
}

static int on_write(struct weir_following *f)
{
	struct weir_bound *bound;
	int err = bind(f, &bound);

	if (!err && bound) {
		bound->has_written = true;
		f->written->files[bound->file].proc = f->event->proc;
	}
	return err;
}

/* --- names ------------------------------------------------------------- */

static int terminate(struct weir_bytes *bytes)
{
	return weir_bytes_add(bytes, "", 1);
}

/* The name that the reader has made of the first path. */
static int first_path(struct weir_following *f)
{
	size_t len;
	const char *name = weir_reader_name(f->reader, f->event->file, &len);
	int err;

	if (!name || *name != '/')
		return -ENOENT;
	f->path.used = 0;
	err = weir_bytes_add(&f->path, name, len);
	return err ? err : terminate(&f->path);
}

/* A directory that was opened, or the working directory. */
static struct weir_path base_of(struct weir_following *f, uint32_t handle)
{
	const struct weir_bound *bound = handle ? find_bound(f, handle) : NULL;
	const struct weir_procinfo *process =
		weir_reader_process(f->reader, f->event->proc);
	struct weir_path base = { 0 };
	uint64_t moved = weir_map_get(&f->cwd, f->event->proc);

	if (bound || moved) {
		base.text = weir_reader_name(f->reader,
					     bound ? bound->name
						   : (uint32_t)moved,
					     &base.len);
	} else if (process && process->cwd) {
		base.text = process->cwd;
		base.len = strlen(process->cwd);
	}
	return base;
}

/*
 * The reader resolves the first path of a call; of others it has the text
 * alone.
 */
static int second_path(struct weir_following *f)
{
	struct weir_value to;
	int err;

	if (!weir_following_given(f, f->call->means.to, &to) || !to.text)
		return -ENOENT;
	err = weir_pathjoin_make(base_of(f, (uint32_t)to.number),
				 (struct weir_path){ (const char *)to.text,
						     to.text_len },
				 &f->other);
	if (!err && (!f->other.used || f->other.data[0] != '/'))
		return -ENOENT;
	return err ? err : terminate(&f->other);
}

static int on_rename(struct weir_following *f)
{
	int err = first_path(f);

	if (!err)
		err = second_path(f);
	if (err)
		return err == -ENOENT ? 0 : err;
	if (argument_number(f, "flags") & RENAME_EXCHANGE)
		return weir_output_exchange(f->written,
					     (char *)f->path.data,
					     (char *)f->other.data);
	return weir_output_rename(f->written, (char *)f->path.data,
				   (char *)f->other.data);
}

/* What /proc/self/fd/N stands for, the latest that was opened as N. */
static const struct weir_bound *find_by_path(const struct weir_following *f,
					const char *path)
{
	long fd;

	if (sscanf(path, "/proc/self/fd/%ld", &fd) != 1 &&
	    sscanf(path, "/proc/%*d/fd/%ld", &fd) != 1)
		return NULL;
	for (size_t i = f->count; i--;)
		if (f->bound[i].proc == f->event->proc &&
		    f->bound[i].fd == fd)
			return &f->bound[i];
	return NULL;
}

static int on_link(struct weir_following *f)
{
	const struct weir_bound *bound;
	int err = first_path(f);

	if (!err)
		err = second_path(f);
	if (err)
		return err == -ENOENT ? 0 : err;
	bound = find_by_path(f, (char *)f->path.data);
	if (bound)
		return weir_output_name_file(f->written, bound->file,
					     (char *)f->other.data);
	return weir_output_link(f->written, (char *)f->path.data,
				 (char *)f->other.data);
}

/* Shared memory has a name of its own: that of a file in this directory. */
static int on_shared_unlink(struct weir_following *f)
{
	static const char place[] = "/dev/shm/";
	struct weir_value name;
	size_t skip;
	int err;

	if (!weir_following_given(f, f->call->means.name, &name) || !name.text)
		return 0;
	skip = name.text_len && name.text[0] == '/';
	f->path.used = 0;
	err = weir_bytes_add(&f->path, place, sizeof(place) - 1);
	if (!err)
		err = weir_bytes_add(&f->path, name.text + skip,
				     name.text_len - skip);
	if (!err)
		err = terminate(&f->path);
	return err ? err : weir_output_unlink(f->written,
					      (char *)f->path.data);
}

static int on_unlink(struct weir_following *f)
{
	int err;

	if (!f->call->has_path)
		return on_shared_unlink(f);
	err = first_path(f);
	if (err)
		return err == -ENOENT ? 0 : err;
	return weir_output_unlink(f->written, (char *)f->path.data);
}

/* The child of vfork has the process's memory, and a directory of its own. */
static int on_chdir(struct weir_following *f)
{
	if (!f->event->file || f->event->flags & WEIR_EVENT_VFORK)
		return 0;
	return weir_map_put(&f->cwd, f->event->proc, f->event->file);
}

/* --- sums ---------------------------------------------------------------- */

/*
 * The same file under two names: a symbolic link, or a directory that has
 * another name now. A process knows which file it writes to.
 */
static int identify(struct weir_following *f, struct weir_bound *bound)
{
	uint64_t key = argument_number(f, "key");
	uint64_t at = key ? weir_map_get(&f->by_key, key) : 0;
	uint32_t from = bound->file, to = (uint32_t)at - 1;
	int err;

	if (!key || (at && to == from))
		return 0;
	err = at ? weir_output_unite(f->written, from, to) : -ENOENT;
	if (err == -ENOENT)
		return weir_map_put(&f->by_key, key, from + UINT64_C(1));
	for (size_t i = 0; !err && i < f->count; i++)
		if (f->bound[i].file == from)
			f->bound[i].file = to;
	return err;
}

static int on_digest(struct weir_following *f)
{
	struct weir_output_object *object;
	struct weir_bound *bound;
	int err = bind(f, &bound);
	const char *name, *inside;
	uint32_t doubts;
	size_t len;

	if (err || !bound)
		return err;
	name = weir_reader_name(f->reader, f->event->file, &len);
	inside = weir_output_inside(name, len);
	err = inside ? 0 : identify(f, bound);
	if (err)
		return err;
	object = weir_output_object(f->written, bound->file, inside,
				     inside ? len - (size_t)(inside - name)
					    : 0);
	if (!object)
		return -ENOMEM;
	f->written->files[bound->file].proc = f->event->proc;
	f->written->files[bound->file].is_hdf5 |= inside != NULL;
	err = weir_told_read(f->event, f->call, object, &doubts);
	if (err)
		return err;
	bound->is_untold = doubts & WEIR_DIGEST_UNTOLD;
	bound->has_written |= bound->is_untold;
	object->is_gone = false;
	if (bound->was_voided ||
	    object->told[object->count - 1].end > bound->cut)
		object->whys |= WEIR_WHY_CUT;
	return 0;
}

/* --- all events ---------------------------------------------------------- */

enum { UNKNOWN, IGNORED, FIRST };

/* On which calls of a class: of HDF5, of libc, of all layers. */
enum whose { ALL, HDF5, LIBC };

static const struct {
	enum weir_means class;
	enum whose whose;
	int (*act)(struct weir_following *f);
} actions[] = {
	{ WEIR_MEANS_DIGEST, ALL, on_digest },
	{ WEIR_MEANS_RENAME, LIBC, on_rename },
	{ WEIR_MEANS_LINK, LIBC, on_link },
	{ WEIR_MEANS_UNLINK, LIBC, on_unlink },
	{ WEIR_MEANS_CHDIR, LIBC, on_chdir },
	{ WEIR_MEANS_TRUNCATE, LIBC, on_truncate },
	{ WEIR_MEANS_OPEN, HDF5, on_hdf5_open },
	{ WEIR_MEANS_UNLINK, HDF5, weir_following_hdf5_remove },
	{ WEIR_MEANS_RENAME, HDF5, weir_following_hdf5_remove },
	{ WEIR_MEANS_DUP, ALL, on_dup },
	{ WEIR_MEANS_CONTROL, ALL, on_control },
	{ WEIR_MEANS_OPEN, ALL, on_open },
	{ WEIR_MEANS_WRITE, ALL, on_write },
	{ WEIR_MEANS_PRINT, ALL, on_write },
	{ WEIR_MEANS_STREAM_WRITE, ALL, on_write },
	{ WEIR_MEANS_COPY, ALL, on_write },
	{ WEIR_MEANS_SUBMIT, ALL, on_write },
};

static bool is_its(const struct weir_following *f, enum whose whose)
{
	return whose == HDF5 ? is_hdf5(f) :
	       whose == LIBC ? !is_of_library(f) : true;
}

static uint8_t action_of(const struct weir_following *f)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (weir_call_is(f->call, actions[i].class) &&
		    is_its(f, actions[i].whose))
			return (uint8_t)(FIRST + i);
	return IGNORED;
}

static int take_event(struct weir_following *f, const struct weir_event *event)
{
	uint8_t *action = &f->actions[event->call];

	if (event->flags & WEIR_EVENT_FAILED)
		return 0;
	f->event = event;
	f->call = weir_reader_call(f->reader, event);
	if (!f->call)
		return 0;
	if (*action == UNKNOWN)
		*action = action_of(f);
	return *action == IGNORED ? 0 : actions[*action - FIRST].act(f);
}

/* Of a process that did not tell all, nothing it wrote to can be verified. */
static void blame(struct weir_following *f, const struct weir_bound *bound)
{
	const struct weir_procinfo *process =
		weir_reader_process(f->reader, bound->proc);
	struct weir_output_file *file = &f->written->files[bound->file];
	uint32_t why = 0;

	if (!process || !bound->has_written)
		return;
	if (process->dropped || process->lost)
		why |= WEIR_WHY_LOST;
	if (bound->is_untold)
		why |= WEIR_WHY_KILLED;
	if (why && !weir_output_object(f->written, bound->file, NULL, 0))
		why = 0;
	for (uint32_t at = file->first; why && at;
	     at = f->written->objects[at - 1].next)
		f->written->objects[at - 1].whys |= why;
}

int weir_follow_read(struct weir_reader *reader, struct weir_output *written)
{
	struct weir_following *f = calloc(1, sizeof(*f));
	struct weir_event event;
	int err = 0, more = 0;

	if (!f)
		return -ENOMEM;
	f->reader = reader;
	f->written = written;
	while (!err && (more = weir_reader_next(reader, &event)) > 0)
		err = take_event(f, &event);
	for (size_t i = 0; i < f->count; i++)
		blame(f, &f->bound[i]);
	free(f->bound);
	weir_map_fini(&f->by_handle);
	weir_map_fini(&f->by_key);
	weir_map_fini(&f->by_copy);
	weir_map_fini(&f->cwd);
	weir_bytes_fini(&f->path);
	weir_bytes_fini(&f->other);
	free(f);
	return err ? err : more;
}
