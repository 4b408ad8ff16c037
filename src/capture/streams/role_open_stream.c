/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of calls that open and close streams. */
#include "capture/digests/digests.h"
#include "capture/record/fdnames.h"
#include "capture/record/pass.h"
#include "capture/streams/role_stream.h"
#include "spec/calls.h"

#include <fcntl.h>
#include <string.h>

static bool may_edit(const struct weir_pass *pass)
{
	return !pass->thread->vforks;
}

#define MODE_LETTERS 7 /* libc looks at no more, but in popen */

int weir_role_letters(const char *mode)
{
	size_t len = strnlen(mode, MODE_LETTERS);
	int how = mode[0] == 'r'   ? O_RDONLY
		  : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
				   : O_WRONLY | O_CREAT | O_APPEND;

	if (memchr(mode, '+', len))
		how = (how & ~O_ACCMODE) | O_RDWR;
	return how | (memchr(mode, 'x', len) ? O_EXCL : 0) |
	       (memchr(mode, 'e', len) ? O_CLOEXEC : 0);
}

/* The trace tells a stream by its descriptor, not by an address. */
static void take_descriptor(struct weir_args *args)
{
	args->stream = (struct weir_stream *)(uintptr_t)args->ret;
	args->ret = args->stream ? args->stream->fd : -1;
}

void weir_role_fopen_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_plain_before(pass, args);
}

/*
 * A file without a name is asked for its number, as an inherited one; but it
 * was opened just now, and nobody else has it.
 */
static void meet_descriptor(struct weir_pass *pass, int fd)
{
	struct weir_ofd *ofd;
	uint64_t entry;

	weir_fdmap_drop(fd);
	entry = weir_fdnames_find(pass->thread, fd);
	pass->handle = entry ? weir_fdmap_handle(entry) : weir_role_bare(fd);
	if (!weir_fdmap_ofd(entry))
		return;
	ofd = &weir_ofd_table[weir_fdmap_ofd(entry)];
	atomic_store(&ofd->traits, WEIR_OFD_UNSEEN);
	atomic_store(&ofd->word, 0);
}

/*
 * Of a file that is appended to, libc goes to the end at once if it will not
 * read it; if the stream does not know that it appends, nothing is certain.
 */
static void mind_append(const struct weir_args *args, int fd)
{
	uint32_t ofd = weir_fdmap_ofd(weir_fdmap_get(fd));
	const char *mode = args->mode;
	bool both = memchr(mode, '+', strnlen(mode, MODE_LETTERS));

	if (!ofd)
		return;
	if (mode[0] == 'a')
		atomic_fetch_or(&weir_ofd_table[ofd].traits, WEIR_OFD_APPEND);
	if (atomic_load(&weir_ofd_table[ofd].traits) & WEIR_OFD_APPEND &&
	    (mode[0] == 'w' || both != (mode[0] == 'a')))
		atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
}

static void begin_book(const struct weir_args *args)
{
	uint32_t ofd = weir_fdmap_ofd(weir_fdmap_get(args->stream->fd));

	if (ofd)
		weir_stream_open_book(ofd, args->stream);
}

void weir_role_fopen_after(struct weir_pass *pass, struct weir_args *args)
{
	int fd;

	take_descriptor(args);
	fd = (int)args->ret;
	if (args->failed || !may_edit(pass)) {
		weir_observe_record(pass, args);
		return;
	}
	if (args->path) {
		args->flags = weir_role_letters(args->mode);
		weir_role_adopt_open(pass, args);
	} else {
		meet_descriptor(pass, fd);
	}
	if (args->mode)
		mind_append(args, fd);
	begin_book(args);
	weir_role_tell_beside(pass, args);
	weir_observe_record(pass, args);
}

void weir_role_adopt_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_adopt_after(struct weir_pass *pass, struct weir_args *args)
{
	take_descriptor(args);
	if (!args->failed && may_edit(pass)) {
		if (!weir_fdmap_ofd(pass->entry))
			weir_role_meet(pass->thread, args->stream,
				       &pass->handle);
		mind_append(args, args->fd);
		begin_book(args);
	}
	weir_role_tell_beside(pass, args);
	weir_observe_record(pass, args);
}

static void tell_handle(struct weir_pass *pass, int fd, uint32_t origin,
			const char *path)
{
	struct weir_fdnames_handle note = {
		.handle = weir_fdmap_next_handle(),
		.fd = fd,
		.origin = origin,
		.path = path,
	};

	weir_fdnames_record(pass->thread, &note);
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
	if (!args->failed && may_edit(pass) && weir_fdtable_holds(fd)) {
		weir_fdmap_drop(fd);
		tell_handle(pass, fd, WEIR_ORIGIN_PIPE, "pipe");
		weir_fdmap_set(fd,
			       weir_fdmap_entry(
				       pass->handle,
				       weir_ofd_new(fd, WEIR_OFD_NOSEEK, false),
				       strchr(args->mode, 'e')));
		begin_book(args);
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
void weir_role_fclose_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	uint32_t ofd;

	weir_role_find_stream(pass, args);
	if (weir_digesting_wants(pass) && weir_fdmap_ofd(pass->entry)) {
		weir_role_digest_pending(pass, s, pass->entry);
		weir_digests_tell(pass->handle);
	}
	if (s && may_edit(pass)) {
		if (weir_stream_fd(s) < 0)
			weir_stream_forget(s);
		else
			pass->entry = weir_fdmap_take(s->fd);
	}
	ofd = weir_fdmap_ofd(pass->entry);
	if (ofd) {
		pass->uses_position = weir_stream_is_plain(s);
		pass->entered = weir_ofd_enter(ofd);
		pass->pending = weir_stream_pending(s);
		pass->ahead = weir_stream_ahead(s);
	}
	weir_observe_start(pass, args);
}

static void part(struct weir_pass *pass, const struct weir_stream *s,
		 bool written)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);

	if (!ofd)
		return;
	if (pass->uses_position) {
		weir_role_settle_last(pass, s, written);
	} else {
		weir_stream_close_book(ofd);
		weir_ofd_leave_crowd(ofd);
	}
	weir_ofd_put(ofd);
	pass->entry = 0;
}

void weir_role_fclose_after(struct weir_pass *pass, struct weir_args *args)
{
	part(pass, args->stream, !args->failed);
	weir_observe_record(pass, args);
}

void weir_role_freopen_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_fclose_before(pass, args);
}

/* Whether libc could write what was pending it does not say. */
void weir_role_freopen_after(struct weir_pass *pass, struct weir_args *args)
{
	part(pass, args->stream, true);
	pass->handle = 0;
	weir_role_fopen_after(pass, args);
}
