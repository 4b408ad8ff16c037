/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and closes streams. libc's own reads and writes nobody sees, so a
 * stream on a forwarded file is one that calls us instead (cookiestream.h).
 * Where that cannot be, its file goes straight to the kernel, and so does
 * everybody who has it open.
 */
#include "capture/streams/role_stream.h"
#include "forward/deferred/deferral.h"
#include "forward/deferred/release.h"
#include "forward/divert/cookiestream.h"
#include "forward/divert/divert.h"
#include "forward/files/adopt.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/ownfds.h"
#include "forward/files/servedfiles.h"
#include "gate/fdtable.h"
#include "spec/real.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define NEW_FILE 0666 /* as libc makes them */

/* Before libc opens it, and perhaps cuts it. */
static int release_name(const char *path)
{
	struct weir_servedfile served;

	if (path && weir_servedfiles_find_name(AT_FDCWD, path, true, &served))
		return weir_servedfiles_bypass(&served);
	return 0;
}

static int descriptor_of(void *stream)
{
	return stream ? weir_real.fileno(stream) : -1;
}

/* One that libc has opened and that stays an ordinary one. */
static struct weir_stream *keep_plain(struct weir_stream *donor)
{
	if (donor)
		weir_cookiestream_note_plain(donor->fd, true);
	return donor;
}

static bool is_kernels(int fd)
{
	int open = weir_fdtable_peek(fd);

	if (open < 0 || weir_lazyopen_is(open))
		return open < 0 || weir_lazyopen_is_kernels(open);
	return weir_openfiles_is_kernels((uint32_t)open, fd) &&
	       !weir_deferral_is(fd);
}

/* The one that the program gets for a stream that libc has opened. */
static struct weir_stream *forward_stream(struct weir_stream *donor)
{
	struct weir_stream *stream = NULL;

	if (is_kernels(donor->fd))
		return keep_plain(donor);
	if (!donor->mode) /* else it is wide from the beginning */
		stream = weir_cookiestream_make(donor, &weir_divert_cookie);
	if (stream)
		return stream;
	weir_release_fd(donor->fd);
	return keep_plain(donor);
}

/* As libc does when it will only append. */
static void go_to_end(const struct weir_stream *donor)
{
	if (donor->flags & WEIR_STREAM_APPENDS &&
	    donor->flags & WEIR_STREAM_NO_READS)
		weir_divert_lseek(donor->fd, 0, SEEK_END);
}

/* By a descriptor, as any file is opened; what libc opens nobody sees. */
static struct weir_stream *open_donor(const char *path, const char *mode)
{
	int fd = weir_divert_openat(AT_FDCWD, path, weir_role_letters(mode),
				    NEW_FILE);
	struct weir_stream *donor;
	int err = weir_gate_errno();

	if (fd < 0)
		return NULL;
	donor = weir_real.fdopen(fd, mode);
	if (donor) {
		go_to_end(donor);
	} else {
		err = weir_gate_errno();
		weir_divert_close(fd);
	}
	weir_gate_set_errno(err);
	return donor;
}

/*
 * A mode that says how to convert characters is for wide ones, and what is none
 * libc refuses before it opens anything.
 */
static bool is_simple(const char *mode)
{
	return (*mode == 'r' || *mode == 'w' || *mode == 'a') &&
	       !strchr(mode, ',');
}

void *weir_divert_fopen(const char *path, const char *mode)
{
	struct weir_stream *donor;

	if (!weir_ownfds_are_ours() || !is_simple(mode)) {
		if (weir_link_is_deferring)
			weir_deferral_before_name(AT_FDCWD, path);
		release_name(path);
		donor = keep_plain(weir_real.fopen(path, mode));
		if (donor && weir_ownfds_are_ours())
			weir_adopt_for_kernel(donor->fd);
		return donor;
	}
	donor = open_donor(path, mode);
	return donor ? forward_stream(donor) : NULL;
}

/* libc has made it append where it did not, which we do not see. */
static void note_append(const struct weir_stream *donor)
{
	struct weir_divert hold;
	int open = weir_lazyopen_get(donor->fd);

	if (open < 0 || !(donor->flags & WEIR_STREAM_APPENDS) ||
	    weir_openfiles_flags((uint32_t)open) & O_APPEND)
		return;
	weir_divert_control_before(&hold, donor->fd, F_SETFL,
				   (long)weir_openfiles_flags((uint32_t)open) |
					   O_APPEND);
	weir_divert_control_after(&hold, 0);
	go_to_end(donor);
}

void *weir_divert_fdopen(int fd, const char *mode)
{
	struct weir_stream *donor;
	bool ours = weir_ownfds_are_ours();

	if (!ours)
		weir_release_fd(fd);
	donor = weir_real.fdopen(fd, mode);
	if (!donor || !ours)
		return donor;
	note_append(donor);
	return forward_stream(donor);
}

/* It leaves the table before its number can become another's. */
static void leave_table(struct weir_divert *hold, void *stream)
{
	int fd = descriptor_of(stream);

	hold->opens[0] = -1;
	if (fd < 0 || !weir_ownfds_are_ours())
		return;
	hold->opens[0] = weir_fdtable_swap(fd, -1);
	weir_cookiestream_note_plain(fd, false);
}

/* One of ours closes its descriptor by us. */
int weir_divert_fclose_before(struct weir_divert *hold, void *stream)
{
	hold->opens[0] = -1;
	hold->room = weir_cookiestream_of(stream);
	if (!weir_cookiestream_fast_of(stream))
		leave_table(hold, stream);
	return 0;
}

long weir_divert_fclose_after(struct weir_divert *hold, long ret)
{
	if (hold->opens[0] >= 0)
		weir_lazyopen_drop(hold->opens[0]);
	if (hold->room)
		weir_cookiestream_end(hold->room);
	return ret;
}

/* From here on it is libc's, which finds all in the kernel. */
static void loosen(struct weir_stream *stream)
{
	struct weir_cookiestream *cookie = weir_cookiestream_fast_of(stream);

	if (!cookie)
		return;
	weir_release_fd(stream->fd);
	atomic_store(&cookie->is_loose, true);
}

/*
 * What was put into its buffer goes through the service still: only who opens
 * the same file anew must find it in the kernel.
 */
int weir_divert_freopen_before(struct weir_divert *hold, const char *path,
			       const char *mode, void *stream)
{
	struct weir_cookiestream *cookie = weir_cookiestream_fast_of(stream);

	if (cookie && weir_stream_pending(stream))
		weir_real.fflush(stream);
	if (cookie && path && !weir_stream_pending(stream))
		atomic_store(&cookie->is_loose, true);
	else
		loosen(stream);
	leave_table(hold, stream);
	release_name(path);
	return 0;
}

long weir_divert_freopen_after(struct weir_divert *hold, long stream)
{
	int fd = descriptor_of((void *)stream);

	if (hold->opens[0] >= 0)
		weir_lazyopen_drop(hold->opens[0]);
	if (fd >= 0 && weir_ownfds_are_ours()) {
		weir_adopt_for_kernel(fd);
		weir_cookiestream_note_plain(fd, true);
	}
	return stream;
}

/* A call that makes a new stream one of wide characters. */
int weir_divert_widen_before(struct weir_divert *hold, void *stream)
{
	const struct weir_stream *s = stream;

	if (s && !s->mode)
		loosen(stream);
	return 0;
}

long weir_divert_widen_after(struct weir_divert *hold, long ret)
{
	return ret;
}
