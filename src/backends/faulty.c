/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `faulty`: as posix, but some operations fail as told:
 *
 *	every=N		each N-th of them (1: all, 0: none)
 *	from=K		not before the K-th
 *	count=C		at most so often
 *	errno=NAME	how: ENOSPC, EIO (this unless told), EDQUOT, ...
 *	op=NAME		which: write (this unless told), read, sync, truncate,
 *			all
 *	file=TEXT	only of files that have it in their name
 *	short=1		they do not fail, but do only half of it
 *	heal=FILE	none fails while this file is there
 *	hold=FILE	they wait while this file is there
 *	log=FILE	a line each: OP NUMBER OFFSET LENGTH RESULT FILE
 */
#include "backends/faults.h"
#include "backends/plain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
	int fd;
	char path[PATH_MAX];
};

static int begin_faulty(const char *options, void **ret_self)
{
	struct weir_faults *faults;
	int err = weir_faults_new(options, &faults);

	if (!err)
		*ret_self = faults;
	return err;
}

static void end_faulty(void *self)
{
	weir_faults_free(self);
}

/* For `file=` and the log: the daemon hands over no names. */
static void find_path(struct file *file)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file->fd);
	length = readlink(link, file->path, sizeof(file->path) - 1);
	file->path[length > 0 ? length : 0] = '\0';
}

static int open_faulty(void *self, int fd, void **ret_file)
{
	struct file *file = malloc(sizeof(*file));

	if (!file)
		return -ENOMEM;
	file->fd = fd;
	find_path(file);
	*ret_file = file;
	return 0;
}

static void close_file(void *self, void *of)
{
	struct file *file = of;

	close(file->fd);
	free(file);
}

/* What did not fail is in the log as well. */
static int64_t tell_fault(void *self, const struct weir_faults_case *met,
			  int64_t result)
{
	weir_faults_tell(self, met, result);
	return result;
}

/* The first part of what was to be written: half of it, and not nothing. */
static int64_t write_half(const struct file *file, const struct iovec *parts,
			  uint64_t length, int64_t offset)
{
	struct iovec first = parts[0];

	if (first.iov_len > (length + 1) / 2)
		first.iov_len = (length + 1) / 2;
	return weir_plain_write(file->fd, &first, 1, offset);
}

static int64_t write_faulty(void *self, void *of, const struct iovec *parts,
			    int count, int64_t offset)
{
	struct file *file = of;
	struct weir_faults_case met = {
		.op = WEIR_FAULTS_WRITE, .path = file->path, .offset = offset,
	};

	for (int i = 0; i < count; i++)
		met.length += parts[i].iov_len;
	weir_faults_meet(self, &met);
	if (met.error)
		return tell_fault(self, &met, met.error);
	if (met.is_short)
		return tell_fault(self, &met,
				  write_half(file, parts, met.length, offset));
	return tell_fault(self, &met,
			  weir_plain_write(file->fd, parts, count, offset));
}

static int64_t read_faulty(void *self, void *of, void *bytes, uint64_t length,
			   int64_t offset)
{
	struct file *file = of;
	struct weir_faults_case met = {
		.op = WEIR_FAULTS_READ, .path = file->path, .offset = offset,
		.length = length,
	};

	weir_faults_meet(self, &met);
	if (met.error)
		return tell_fault(self, &met, met.error);
	if (met.is_short)
		length = (length + 1) / 2;
	return tell_fault(self, &met,
			  weir_plain_read(file->fd, bytes, length, offset));
}

static int sync_file(void *self, void *of)
{
	struct file *file = of;
	struct weir_faults_case met = {
		.op = WEIR_FAULTS_SYNC, .path = file->path,
	};

	weir_faults_meet(self, &met);
	return (int)tell_fault(
		self, &met, met.error ? met.error : weir_plain_sync(file->fd));
}

static int truncate_file(void *self, void *of, int64_t length)
{
	struct file *file = of;
	struct weir_faults_case met = {
		.op = WEIR_FAULTS_TRUNCATE, .path = file->path,
		.offset = length,
	};

	weir_faults_meet(self, &met);
	return (int)tell_fault(
		self, &met,
		met.error ? met.error : weir_plain_truncate(file->fd, length));
}

static int ask_extent(void *self, void *of,
		      struct weir_backend_extent *ret_extent)
{
	struct file *file = of;

	return weir_plain_extent(file->fd, ret_extent);
}

const struct weir_backend weir_backend = {
	.version = WEIR_BACKEND_VERSION,
	.flags = WEIR_BACKEND_READS,
	.name = "faulty",
	.begin = begin_faulty,
	.end = end_faulty,
	.open = open_faulty,
	.close = close_file,
	.write = write_faulty,
	.read = read_faulty,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};
