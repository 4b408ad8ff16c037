/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the detail of a record, argument by argument. */
#include "capture/record/encode.h"

#include "base/sys.h"
#include "capture/process/filter.h"
#include "capture/process/workdir.h"
#include "gate/confined.h"
#include "gate/fdmap.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

#define LONGEST_NUMBER 10
#define LONGEST_TEXT   4096
#define PAGE	       4096 /* or a part of one */

static bool has_room(struct weir_encoded *d, size_t bytes)
{
	if (d->used + bytes <= WEIR_ENCODE_ROOM)
		return true;
	d->cut = true;
	return false;
}

void weir_encode_unsigned(struct weir_encoded *d, uint64_t value)
{
	if (!has_room(d, LONGEST_NUMBER))
		return;
	while (value >= 0x80) {
		d->bytes[d->used++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	d->bytes[d->used++] = (uint8_t)value;
}

void weir_encode_signed(struct weir_encoded *d, int64_t value)
{
	weir_encode_unsigned(d, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void weir_encode_optional(struct weir_encoded *d, bool given, uint64_t value)
{
	weir_encode_unsigned(d, given ? value + 1 : 0);
}

void weir_encode_bytes(struct weir_encoded *d, const void *bytes, size_t len)
{
	if (!has_room(d, len + LONGEST_NUMBER))
		len = 0;
	weir_encode_unsigned(d, len);
	memcpy(d->bytes + d->used, bytes, len);
	d->used += (uint32_t)len;
}

void weir_encode_text(struct weir_encoded *d, const char *text)
{
	size_t len = text ? strnlen(text, LONGEST_TEXT) : 0;

	if (len == LONGEST_TEXT)
		d->cut = true;
	weir_encode_bytes(d, text, len);
}

/*
 * The length of a text that the kernel need not have read: page by page, as
 * nothing says that the page after the first byte's is there.
 */
static size_t probed_length(const char *text)
{
	size_t len = 0;

	while (text && len < LONGEST_TEXT &&
	       weir_readable_probe(text + len, 1)) {
		size_t rest = PAGE - (uintptr_t)(text + len) % PAGE;
		size_t n = strnlen(text + len, rest);

		len += n;
		if (n < rest)
			break;
	}
	return len < LONGEST_TEXT ? len : LONGEST_TEXT;
}

static size_t known_length(const char *text)
{
	return text ? strnlen(text, LONGEST_TEXT) : 0;
}

void weir_encode_string(struct weir_encoded *d, const struct weir_args *args,
			const char *text)
{
	size_t len = weir_readable_was_read(args, WEIR_READABLE_ALL)
			     ? known_length(text)
			     : probed_length(text);

	d->cut |= len == LONGEST_TEXT;
	weir_encode_bytes(d, text, len);
}

/* Without a path, a call that worked was about the directory itself. */
static void put_path(struct weir_encoded *d, uint32_t base, int dirfd,
		     const char *path, size_t len)
{
	bool relative = !len || path[0] != '/';
	uint32_t why = weir_filter_name(d->joined, path, len, dirfd);

	d->names++;
	d->hidden += why != WEIR_FILTER_SHOWN;
	d->why = (uint8_t)why;

	weir_encode_unsigned(d, relative ? base : 0);
	d->cut |= len == LONGEST_TEXT;
	weir_encode_bytes(d, path, len);
}

void weir_encode_path(struct weir_encoded *d, const struct weir_args *args,
		      const char *path)
{
	size_t len = weir_readable_was_read(args, WEIR_READABLE_PATH)
			     ? known_length(path)
			     : probed_length(path);

	uint32_t base =
		args->base ? args->base : weir_workdir_base(args->dirfd);

	put_path(d, len || !args->failed ? base : 0, args->dirfd, path, len);
}

static void put_late_path(struct weir_encoded *d, const struct weir_args *args,
			  int dirfd, const char *path)
{
	size_t len = weir_readable_was_read(args, WEIR_READABLE_ALL)
			     ? known_length(path)
			     : probed_length(path);

	put_path(d, len || !args->failed ? weir_workdir_base(dirfd) : 0, dirfd,
		 path, len);
}

void weir_encode_late_path(struct weir_encoded *d, const struct weir_args *args,
			   const char *path)
{
	put_late_path(d, args, args->dirfd, path);
}

void weir_encode_path2(struct weir_encoded *d, const struct weir_args *args,
		       const char *path)
{
	put_late_path(d, args, args->dirfd2, path);
}

/* Also tells the sum of the lengths, which is the call's size. */
void weir_encode_vector(struct weir_encoded *d, struct weir_args *args)
{
	const struct iovec *iov = args->iov;
	uint64_t count = weir_readable_is_there(args, iov) ? args->iovcnt : 0;
	uint64_t shown = count < 256 ? count : 256;
	uint64_t i;

	if (count > 1024 || (count && args->failed &&
			     !weir_readable_probe(iov, count * sizeof(*iov))))
		count = shown = 0; /* the kernel refused it before looking */
	while (shown &&
	       d->used + (2 * shown + 2) * LONGEST_NUMBER > WEIR_ENCODE_ROOM)
		shown--;
	d->cut |= shown < count;
	weir_encode_unsigned(d, args->iovcnt);
	weir_encode_unsigned(d, shown);
	args->size = 0;
	for (i = 0; i < count; i++) {
		args->size += iov[i].iov_len;
		if (i >= shown)
			continue;
		weir_encode_unsigned(d, (uintptr_t)iov[i].iov_base);
		weir_encode_unsigned(d, iov[i].iov_len);
	}
}

static void put_time(struct weir_encoded *d, int64_t seconds, int64_t ns)
{
	weir_encode_signed(d, seconds * INT64_C(1000000000) + ns);
}

void weir_encode_stat(struct weir_encoded *d, const struct weir_args *args,
		      const void *pointer)
{
	const struct stat *st = pointer;

	weir_encode_unsigned(d, !args->failed);
	if (args->failed)
		return;
	weir_encode_unsigned(d, st->st_dev);
	weir_encode_unsigned(d, st->st_ino);
	weir_encode_unsigned(d, st->st_mode);
	weir_encode_unsigned(d, st->st_nlink);
	weir_encode_unsigned(d, st->st_uid);
	weir_encode_unsigned(d, st->st_gid);
	weir_encode_unsigned(d, st->st_rdev);
	weir_encode_unsigned(d, (uint64_t)st->st_size);
	put_time(d, st->st_atim.tv_sec, st->st_atim.tv_nsec);
	put_time(d, st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
	put_time(d, st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
	weir_encode_unsigned(d, (uint64_t)st->st_blksize);
	weir_encode_unsigned(d, (uint64_t)st->st_blocks);
}

uint64_t weir_encode_timeout(const struct weir_args *args, const void *timeout)
{
	const struct timespec *t = timeout;

	if (!weir_readable_is_there(args, timeout))
		return 0;
	return (uint64_t)t->tv_sec * UINT64_C(1000000000) +
	       (uint64_t)t->tv_nsec;
}

static uint64_t device(uint32_t major, uint32_t minor)
{
	return (uint64_t)(minor & 0xff) | (uint64_t)(major & 0xfff) << 8 |
	       (uint64_t)(minor & ~0xffu) << 12 |
	       (uint64_t)(major & ~0xfffu) << 32;
}

void weir_encode_statx(struct weir_encoded *d, const struct weir_args *args,
		       const void *pointer)
{
	const struct statx *st = pointer;

	weir_encode_unsigned(d, !args->failed);
	if (args->failed)
		return;
	weir_encode_unsigned(d, device(st->stx_dev_major, st->stx_dev_minor));
	weir_encode_unsigned(d, st->stx_ino);
	weir_encode_unsigned(d, st->stx_mode);
	weir_encode_unsigned(d, st->stx_nlink);
	weir_encode_unsigned(d, st->stx_uid);
	weir_encode_unsigned(d, st->stx_gid);
	weir_encode_unsigned(d, device(st->stx_rdev_major, st->stx_rdev_minor));
	weir_encode_unsigned(d, st->stx_size);
	put_time(d, st->stx_atime.tv_sec, st->stx_atime.tv_nsec);
	put_time(d, st->stx_mtime.tv_sec, st->stx_mtime.tv_nsec);
	put_time(d, st->stx_ctime.tv_sec, st->stx_ctime.tv_nsec);
	weir_encode_unsigned(d, st->stx_blksize);
	weir_encode_unsigned(d, st->stx_blocks);
}

void weir_encode_handle(struct weir_encoded *d, int fd)
{
	weir_encode_signed(d, fd);
	weir_encode_unsigned(d, weir_fdmap_handle(weir_fdmap_get(fd)));
}

void weir_encode_pair(struct weir_encoded *d, const struct weir_args *args,
		      const int *fds)
{
	weir_encode_unsigned(d, !args->failed);
	if (args->failed)
		return;
	weir_encode_signed(d, fds[0]);
	weir_encode_signed(d, fds[1]);
}
