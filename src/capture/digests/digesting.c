/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests what libc's calls write to descriptors. */
#include "capture/digests/digesting.h"

#include "base/append.h"
#include "base/sys.h"
#include "capture/digests/digests.h"
#include "capture/record/readable.h"
#include "gate/asked.h"
#include "gate/confined.h"
#include "spec/calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>

#define MOST_PARTS 1024
#define NOWHERE	   UINT64_MAX

static uint32_t traits_of(const struct weir_digesting_call *call)
{
	uint32_t ofd = weir_fdmap_ofd(call->entry);

	return ofd ? atomic_load(&weir_ofd_table[ofd].traits) : 0;
}

static void add_trait(uint64_t entry, uint32_t trait)
{
	uint32_t ofd = weir_fdmap_ofd(entry);

	if (ofd)
		atomic_fetch_or(&weir_ofd_table[ofd].traits, trait);
}

/* --- which files -------------------------------------------------------- */

static bool is_shown(uint32_t why)
{
	return !(why & WEIR_FILTER_WHY) ||
	       (why & WEIR_FILTER_WHY) == WEIR_FILTER_PAUSED;
}

/* False: it is no file whose bytes stay. */
static bool learn(uint64_t entry, int fd, bool is_cut)
{
	uint32_t handle = weir_fdmap_handle(entry);
	struct weir_digest_file file;

	if (weir_digest_file_look(fd, "", &file)) {
		add_trait(entry, WEIR_OFD_UNPROVEN);
		return false;
	}
	weir_digests_know(handle, file.key, is_cut && !file.size);
	if (!file.size)
		weir_digests_trust(handle, WEIR_DIGEST_EXISTED);
	return true;
}

static bool is_made(int flags)
{
	return flags & O_TRUNC ||
	       (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
}

void weir_digesting_open(uint64_t entry, int fd, int flags)
{
	if (!is_shown(weir_fdmap_why(entry)) ||
	    (flags & O_ACCMODE) == O_RDONLY || flags & O_PATH)
		return;
	if (weir_digests_is_below_layers())
		add_trait(entry, WEIR_OFD_COVERED);
	else
		learn(entry, fd, is_made(flags));
}

/*
 * By the description, not by what is going on: libraries that write their own
 * files also tell what is wrong, to a log of the program's.
 */
static bool is_covered(const struct weir_digesting_call *call)
{
	if (!weir_fdmap_ofd(call->entry))
		return weir_digests_is_below_layers();
	return traits_of(call) & WEIR_OFD_COVERED &&
	       !weir_digests_is_let_through();
}

bool weir_digesting_is_taken(const struct weir_digesting_call *call)
{
	if (!call->entry || !is_shown(call->why) ||
	    traits_of(call) & (WEIR_OFD_NOSEEK | WEIR_OFD_UNPROVEN) ||
	    is_covered(call))
		return false;
	return weir_digests_knows(call->handle) ||
	       learn(call->entry, call->fd, false);
}

void weir_digesting_doubt(const struct weir_digesting_call *call,
			  uint32_t doubts)
{
	if (weir_digesting_is_taken(call))
		weir_digests_doubt(call->handle, doubts);
}

/* --- writes ------------------------------------------------------------- */

#define RWF_APPENDS 16

static bool appends(const struct weir_digesting_call *call)
{
	return traits_of(call) & WEIR_OFD_APPEND ||
	       (call->call == WEIR_CALL_PWRITEV2 && call->flags & RWF_APPENDS);
}

static uint64_t ask_position(int fd)
{
	long at = weir_asked_at(fd);

	if (at < 0)
		at = weir_confined ? -1 : weir_sys3(SYS_lseek, fd, 0, SEEK_CUR);
	return weir_sys_failed(at) ? NOWHERE : (uint64_t)at;
}

static uint64_t ask_size(int fd)
{
	struct stat st;

	weir_asked_stored(fd);
	if (weir_confined || weir_sys2(SYS_fstat, fd, &st))
		return NOWHERE;
	return (uint64_t)st.st_size;
}

static uint64_t size_of(const struct weir_digesting_call *call)
{
	const struct iovec *part = call->iov;
	uint64_t size = 0;

	if (!part)
		return call->size;
	if (call->iovcnt > MOST_PARTS ||
	    !weir_readable_has_bytes(weir_thread_self, part,
				     call->iovcnt * sizeof(*part)))
		return 0;
	for (uint64_t i = 0; i < call->iovcnt; i++)
		size += part[i].iov_len;
	return size;
}

static uint64_t place_before(const struct weir_digesting_call *call)
{
	if (call->has_off)
		return (uint64_t)call->off;
	if (call->uses_position &&
	    !(call->entered & (WEIR_OFD_UNKNOWN | WEIR_OFD_INSIDES)))
		return call->entered & WEIR_OFD_POSITION;
	return ask_position(call->fd);
}

void weir_digesting_old(uint32_t handle, int fd, uint64_t from, uint64_t to)
{
	struct weir_digests_range range = { from, to };
	struct weir_digest_old old;

	weir_digest_old_begin(&old, handle, fd);
	weir_digest_old_learn(&old, &range, 1);
	weir_digest_old_end(&old);
}

/*
 * A child of vfork writes, as shells do that find no program: with our memory
 * and descriptors of its own, most of which are as ours.
 */
static bool stand_in(const struct weir_digesting_call *call,
		     struct weir_digesting_call *ret_ours)
{
	char ours[64], *at;
	struct weir_digest_file file, mine;

	*ret_ours = *call;
	ret_ours->entry = weir_fdmap_get(call->fd);
	ret_ours->handle = weir_fdmap_handle(ret_ours->entry);
	at = weir_append_number(weir_append_text(ours, "/proc/"),
				(uint64_t)weir_sys0(SYS_getppid));
	weir_append_number(weir_append_text(at, "/fd/"), (uint64_t)call->fd);
	return ret_ours->entry && !weir_confined &&
	       !weir_digest_file_look(call->fd, "", &file) &&
	       !weir_digest_file_look(AT_FDCWD, ours, &mine) &&
	       file.key == mine.key;
}

void weir_digesting_write_before(const struct weir_digesting_call *call)
{
	struct weir_digesting_call ours;
	uint64_t size, place;

	if (weir_thread_self->vforks && stand_in(call, &ours))
		call = &ours;
	if (!weir_digesting_is_taken(call) || appends(call))
		return;
	size = size_of(call);
	place = place_before(call);
	if (place == NOWHERE)
		return;
	weir_digest_race_enter(call->handle, place, place + size);
	weir_digesting_old(call->handle, call->fd, place, place + size);
}

/* Who asks after the call may find it moved by others. */
static uint64_t place_asked(const struct weir_digesting_call *call)
{
	uint64_t end =
		call->is_placed ? ask_size(call->fd) : ask_position(call->fd);
	uint32_t traits = traits_of(call);

	if (traits & WEIR_OFD_SHARED || !call->uses_position ||
	    !(call->entered & WEIR_OFD_UNKNOWN || appends(call)))
		weir_digests_doubt(call->handle, WEIR_DIGEST_SHARED);
	if (end == NOWHERE || end < (uint64_t)call->ret)
		return NOWHERE;
	return end - (uint64_t)call->ret;
}

static void extend_by_parts(struct weir_digests_piece *piece,
			    const struct weir_digesting_call *call)
{
	const struct iovec *part = call->iov;
	uint64_t left = (uint64_t)call->ret;

	for (uint64_t i = 0; i < call->iovcnt && left; i++) {
		uint64_t bytes =
			part[i].iov_len < left ? part[i].iov_len : left;

		weir_digests_extend(piece, part[i].iov_base, bytes);
		left -= bytes;
	}
}

static void add_bytes(const struct weir_digesting_call *call, uint64_t place)
{
	struct weir_digests_piece piece = { .position = place,
					    .how = WEIR_DIGESTS_JOINS };

	if (appends(call))
		piece.how |= WEIR_DIGESTS_STAYS;
	if (call->iov)
		extend_by_parts(&piece, call);
	else if (call->data)
		weir_digests_extend(&piece, call->data, (uint64_t)call->ret);
	else
		weir_digests_doubt(call->handle, WEIR_DIGEST_BUFFER);
	weir_digests_put(call->handle, &piece, 1);
}

static void take_written(const struct weir_digesting_call *call)
{
	uint64_t place = call->has_off && !appends(call) ? (uint64_t)call->off
							 : place_asked(call);

	if (place == NOWHERE) {
		weir_digests_doubt(call->handle, WEIR_DIGEST_POSITION);
		return;
	}
	if (call->ret <= 0)
		return;
	if (!appends(call)) /* it may have ended within a piece */
		weir_digesting_old(call->handle, call->fd,
				   place + (uint64_t)call->ret,
				   place + size_of(call));
	add_bytes(call, place);
}

void weir_digesting_write_after(const struct weir_digesting_call *call)
{
	struct weir_digesting_call ours;

	if (weir_thread_self->vforks && stand_in(call, &ours))
		call = &ours;
	if (!weir_digesting_is_taken(call))
		return;
	take_written(call);
	if (!appends(call))
		weir_digest_race_leave(call->handle);
}

/* The kernel has not looked at it yet. */
static bool can_read(const struct weir_digesting_call *call)
{
	const struct iovec *part = call->iov;

	if (!part)
		return weir_readable_has_bytes(weir_thread_self, call->data,
					       call->size);
	for (uint64_t i = 0; size_of(call) && i < call->iovcnt; i++)
		if (!weir_readable_has_bytes(weir_thread_self, part[i].iov_base,
					     part[i].iov_len))
			return false;
	return true;
}

void weir_digesting_submit(const struct weir_digesting_call *call)
{
	struct weir_digesting_call whole = *call;

	if (!weir_digesting_is_taken(call))
		return;
	/* Whether all of it was written is seen much later, if at all. */
	weir_digests_doubt(call->handle, WEIR_DIGEST_SHORT);
	whole.ret = (int64_t)size_of(call);
	if (appends(call) || !call->has_off || call->off < 0) {
		weir_digests_doubt(call->handle, WEIR_DIGEST_POSITION);
		return;
	}
	if (!can_read(call)) {
		weir_digests_doubt(call->handle, WEIR_DIGEST_BUFFER);
		return;
	}
	weir_digesting_old(call->handle, call->fd, (uint64_t)call->off,
			   (uint64_t)(call->off + whole.ret));
	add_bytes(&whole, (uint64_t)call->off);
}

/* --- other lengths ------------------------------------------------------ */

/* Bytes of a range that this process has written. */
static uint64_t count_own(uint32_t handle, uint64_t from, uint64_t to)
{
	uint64_t at, bytes, count = 0;

	while (from < to &&
	       weir_digests_find(handle, from, to - from, &at, &bytes)) {
		count += bytes;
		from = at + bytes;
	}
	return count;
}

static void cut(const struct weir_digesting_call *call, uint64_t length)
{
	uint64_t size = ask_size(call->fd);

	if (size == NOWHERE)
		weir_digests_doubt(call->handle, WEIR_DIGEST_TRUNCATED);
	if (size == NOWHERE || size <= length)
		return;
	if (count_own(call->handle, length, size) != size - length)
		weir_digests_doubt(call->handle, WEIR_DIGEST_TRUNCATED);
	weir_digesting_old(call->handle, call->fd, length, size);
	weir_digests_cut(call->handle, length);
}

void weir_digesting_shorten(const char *path, int64_t length)
{
	struct weir_digesting_call call = { 0 };
	struct weir_digest_file file;

	if (weir_confined || length < 0 || !weir_digests_is_on())
		return;
	call.fd = (int)weir_sys4(SYS_openat, AT_FDCWD, path,
				 O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	if (call.fd < 0)
		return;
	if (!weir_digest_file_look(call.fd, "", &file))
		call.handle = weir_digests_holder(file.key);
	if (call.handle)
		cut(&call, (uint64_t)length);
	weir_sys1(SYS_close, call.fd);
}

#define KEEPS_SIZE 1 /* FALLOC_FL_KEEP_SIZE */

void weir_digesting_resize(const struct weir_digesting_call *call)
{
	if (!weir_digesting_is_taken(call) || call->off < 0)
		return;
	if (call->call == WEIR_CALL_FTRUNCATE)
		cut(call, (uint64_t)call->off);
	else if (call->flags & ~KEEPS_SIZE)
		weir_digests_doubt(call->handle, WEIR_DIGEST_OVERWRITTEN);
}
