/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles of calls that open and close streams. */
#include "capture/role_stream.h"

#include "spec/calls.h"

#include <fcntl.h>
#include <string.h>

static bool may_edit(const struct weir_pass *pass)
{
	return !pass->thread->vforks;
}

/* What the letters of a mode mean to the descriptor. */
static int flags_of(const struct weir_args *args)
{
	const char *mode = args->mode;

	return (mode[0] == 'a' ? O_APPEND : 0) |
	       (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

/* The trace tells a stream by its descriptor, not by an address. */
static void take_descriptor(struct weir_args *args)
{
	args->stream = (struct weir_stream *)(uintptr_t)args->ret;
	args->ret = args->stream ? args->stream->fd : -1;
}

void weir_role_fopen_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_meta_before(pass, args);
}

/* A file without a name is asked for its number, as an inherited one. */
static void meet(struct weir_pass *pass, int fd)
{
	uint64_t entry;

	weir_fdmap_drop(fd);
	entry = weir_note_identify(pass->thread, fd);
	pass->thread->state = WEIR_THREAD_BUSY;
	pass->handle = entry ? weir_fdmap_handle(entry) : weir_role_bare(fd);
}

/* libc has gone to the end of a file that is appended to. */
static void doubt_position(int fd)
{
	uint32_t ofd = weir_fdmap_ofd(weir_fdmap_get(fd));

	if (ofd)
		atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
}

void weir_role_fopen_after(struct weir_pass *pass, struct weir_args *args)
{
	take_descriptor(args);
	if (args->path && !args->failed)
		args->flags = flags_of(args);
	if (args->path) {
		weir_role_open_after(pass, args);
		if (args->flags & O_APPEND && !args->failed)
			doubt_position((int)args->ret);
		return;
	}
	if (!args->failed && may_edit(pass))
		meet(pass, (int)args->ret);
	weir_observe_record(pass, args);
}

/* Streams need a description of their own, even of pipes. */
static void describe(int fd, uint64_t entry)
{
	if (entry && !weir_fdmap_ofd(entry))
		weir_fdmap_set(fd, weir_fdmap_entry(
			weir_fdmap_handle(entry),
			weir_ofd_new(fd, WEIR_OFD_NOSEEK, false),
			entry & WEIR_FDMAP_CLOEXEC));
}

void weir_role_adopt_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_adopt_after(struct weir_pass *pass, struct weir_args *args)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);

	take_descriptor(args);
	if (!args->failed && may_edit(pass)) {
		if (ofd && flags_of(args) & O_APPEND)
			atomic_fetch_or(&weir_ofd_table[ofd].traits,
					WEIR_OFD_APPEND);
		if (atomic_load(&weir_ofd_table[ofd].traits) & WEIR_OFD_APPEND)
			doubt_position(args->fd);
		weir_stream_close_book(ofd);
		describe(args->fd, pass->entry);
	}
	weir_observe_record(pass, args);
}

static void tell_handle(struct weir_pass *pass, int fd, uint32_t origin,
			const char *path)
{
	struct weir_note_handle note = {
		.handle = weir_fdmap_next_handle(),
		.fd = fd,
		.origin = origin,
		.path = path,
	};

	weir_note_tell_handle(pass->thread, &note);
	pass->handle = note.handle;
}

void weir_role_fpopen_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_spawn_before(pass, args);
}

void weir_role_fpopen_after(struct weir_pass *pass, struct weir_args *args)
{
	int fd;

	take_descriptor(args);
	fd = (int)args->ret;
	if (!args->failed && may_edit(pass) && weir_fdmap_holds(fd)) {
		weir_fdmap_drop(fd);
		tell_handle(pass, fd, WEIR_ORIGIN_PIPE, "pipe");
		weir_fdmap_set(fd, weir_fdmap_entry(
			pass->handle, weir_ofd_new(fd, WEIR_OFD_NOSEEK, false),
			flags_of(args) & O_CLOEXEC));
	}
	weir_observe_record(pass, args);
}

void weir_role_unnamed_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

void weir_role_unnamed_after(struct weir_pass *pass, struct weir_args *args)
{
	bool cookie = args->call == WEIR_CALL_FOPENCOOKIE;

	take_descriptor(args);
	args->ret = 0;
	if (!args->failed) {
		tell_handle(pass, -1,
			    cookie ? WEIR_ORIGIN_COOKIE : WEIR_ORIGIN_MEMORY,
			    cookie ? "cookie" : "memory");
		weir_stream_remember(args->stream, pass->handle);
	}
	weir_observe_record(pass, args);
}

/*
 * As for close: the descriptor's entry goes before the call. What is in the
 * buffer is written by it, which is all that can be known: afterwards the
 * stream is gone.
 */
static void part_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;

	weir_role_find_stream(pass, args);
	pass->pending = 0;
	if (s && weir_stream_is_plain(s) && s->fd >= 0)
		pass->pending = weir_stream_pending(s);
	if (!s || !may_edit(pass))
		return;
	if (s->fd < 0)
		weir_stream_forget(s);
	else
		pass->entry = weir_fdmap_take(s->fd);
}

static void part_after(struct weir_pass *pass, bool written)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	uint64_t word = ofd ? atomic_load(&weir_ofd_table[ofd].word) : 0;
	struct weir_pass child = weir_observe_child(pass, pass->handle);
	struct weir_args args = {
		.call = WEIR_CALL_STREAM_FLUSH,
		.size = pass->pending,
		.ret = (int64_t)pass->pending,
		.has_off = ofd && !(word & (WEIR_OFD_UNKNOWN |
					    WEIR_OFD_INSIDES)),
		.off = (int64_t)(word & WEIR_OFD_POSITION),
	};

	child.flags |= WEIR_EVENT_RETSIZE;
	if (written && pass->pending)
		weir_observe_derive(&child, &args);
	if (!ofd || !may_edit(pass))
		return;
	weir_stream_close_book(ofd);
	atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
	weir_ofd_put(ofd);
}

void weir_role_fclose_before(struct weir_pass *pass, struct weir_args *args)
{
	part_before(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_fclose_after(struct weir_pass *pass, struct weir_args *args)
{
	part_after(pass, !args->failed);
	weir_observe_record(pass, args);
}

void weir_role_freopen_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_fclose_before(pass, args);
}

/* Without a name it is the same file in another mode. */
void weir_role_freopen_after(struct weir_pass *pass, struct weir_args *args)
{
	part_after(pass, true);
	pass->handle = 0;
	weir_role_fopen_after(pass, args);
}
