/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes, places, lengths, and that they are stored. */
#include "calls.h"

#include <errno.h>
#include <linux/falloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/uio.h>

static void try_read(const struct cell *c)
{
	char bytes[32] = "";

	say_text("read", bytes, (size_t)SAY(read(c->fd, bytes, 3)));
	say_text("read", bytes, (size_t)SAY(read(c->fd, bytes, 32)));
	SAY(read(c->fd, bytes, 32));
	SAY(read(c->fd, (void *)8, 3));
	SAY(read(c->dir, bytes, 3));
}

static void try_write(const struct cell *c)
{
	SAY(write(c->fd, "more", 4));
	SAY(write(c->fd, "", 0));
	SAY(write(c->fd, "much more", 9));
	SAY(write(c->fd, (void *)8, 3));
	SAY(write(c->dir, "x", 1));
}

static void try_pread(const struct cell *c)
{
	char bytes[32] = "";

	say_text("read", bytes, (size_t)SAY(pread(c->fd, bytes, 5, 3)));
	SAY(pread(c->fd, bytes, 5, 1000));
	SAY(pread(c->fd, bytes, 5, -1));
	SAY(pread(c->fd, bytes, 5, 1L << 62));
}

static void try_pwrite(const struct cell *c)
{
	SAY(pwrite(c->fd, "more", 4, 20));
	SAY(pwrite(c->fd, "0", 1, -1));
	SAY(pwrite(c->fd, "0", 1, 1L << 62));
	SAY(pwrite(c->fd, NULL, 0, 100));
}

static char first[3], second[20];
static const struct iovec into[] = {{first, 3}, {second, 20}};
static const struct iovec from[] = {{"ab", 2}, {"", 0}, {"cde", 3}};

static void try_readv(const struct cell *c)
{
	SAY(readv(c->fd, into, 2));
	say_text("first", first, 3);
	say_text("second", second, 3);
	SAY(readv(c->fd, into, -1));
}

static void try_writev(const struct cell *c)
{
	SAY(writev(c->fd, from, 3));
	SAY(writev(c->fd, (void *)8, 3));
}

static void try_preadv(const struct cell *c)
{
	SAY(preadv(c->fd, into, 2, 1));
	say_text("first", first, 3);
	SAY(preadv(c->fd, into, 2, -5));
}

static void try_pwritev(const struct cell *c)
{
	SAY(pwritev(c->fd, from, 3, 8));
	SAY(pwritev(c->fd, from, 3, -5));
}

static void try_preadv2(const struct cell *c)
{
	SAY(preadv2(c->fd, into, 2, 1, 0));
	say_text("first", first, 3);
	SAY(preadv2(c->fd, into, 2, -1, RWF_HIPRI));
	SAY(preadv2(c->fd, into, 2, 0, 1 << 20));
}

static void try_pwritev2(const struct cell *c)
{
	SAY(pwritev2(c->fd, from, 3, 8, 0));
	SAY(pwritev2(c->fd, from, 3, -1, RWF_DSYNC));
	SAY(pwritev2(c->fd, from, 3, 0, RWF_APPEND));
	SAY(pwritev2(c->fd, from, 3, 0, 1 << 20));
}

static void try_dprintf(const struct cell *c)
{
	SAY(dprintf(c->fd, "%d and %s", 7, "more"));
	SAY(dprintf(c->dir, "x"));
}

static int print_list(int fd, const char *format, ...)
{
	va_list list;
	int ret;

	va_start(list, format);
	ret = vdprintf(fd, format, list);
	va_end(list);
	return ret;
}

static void try_vdprintf(const struct cell *c)
{
	SAY(print_list(c->fd, "%d and %s", 7, "more"));
}

static void try_lseek(const struct cell *c)
{
	for (int whence = SEEK_SET; whence <= SEEK_HOLE + 1; whence++) {
		SAY(lseek(c->fd, 2, whence));
		SAY(lseek(c->fd, -3, whence));
		SAY(lseek(c->fd, 100, whence));
		SAY(lseek(c->fd, 1L << 60, whence));
	}
	SAY(ftruncate(c->fd, 100000));
	SAY(lseek(c->fd, 50, SEEK_HOLE));
	SAY(lseek(c->fd, 5000, SEEK_DATA));
	SAY(lseek(c->fd, 3, SEEK_SET));
}

static void try_fsync(const struct cell *c)
{
	SAY(fsync(c->fd));
	SAY(fsync(c->dir));
	SAY(write(c->fd, "x", 1));
	SAY(fsync(c->fd));
}

static void try_fdatasync(const struct cell *c)
{
	SAY(fdatasync(c->fd));
	SAY(fdatasync(c->dir));
	SAY(fdatasync(-1));
}

static void try_syncfs(const struct cell *c)
{
	SAY(syncfs(c->fd));
	SAY(syncfs(-1));
}

static void try_sync(const struct cell *c)
{
	sync();
	SAY(write(c->fd, "x", 1));
}

static void try_sync_file_range(const struct cell *c)
{
	SAY(sync_file_range(c->fd, 0, 5, SYNC_FILE_RANGE_WRITE));
	SAY(sync_file_range(c->fd, -1, 5, 0));
}

static void try_ftruncate(const struct cell *c)
{
	SAY(ftruncate(c->fd, 3));
	SAY(ftruncate(c->fd, 5000));
	SAY(ftruncate(c->fd, -1));
	SAY(ftruncate(c->fd, 1L << 60));
	SAY(ftruncate(c->dir, 0));
}

static void try_truncate(const struct cell *c)
{
	SAY(truncate(c->path, 3));
	SAY(truncate(c->path, 5000));
	SAY(truncate(c->path, -1));
	SAY(truncate("file/", 1));
	SAY(truncate(".", 1));
	say_name(c->path);
}

static void try_fallocate(const struct cell *c)
{
	SAY(fallocate(c->fd, 0, 5, 20));
	SAY(fallocate(c->fd, FALLOC_FL_KEEP_SIZE, 100, 20));
	SAY(fallocate(c->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 1, 2));
	SAY(fallocate(c->fd, FALLOC_FL_ZERO_RANGE, 4, 3));
	SAY(ftruncate(c->fd, 12288));
	SAY(fallocate(c->fd, FALLOC_FL_COLLAPSE_RANGE, 4096, 4096));
	SAY(fallocate(c->fd, FALLOC_FL_INSERT_RANGE, 0, 4096));
	SAY(fallocate(c->fd, 0, -1, 0));
}

static void try_posix_fallocate(const struct cell *c)
{
	SAY(posix_fallocate(c->fd, 5, 20));
	SAY(posix_fallocate(c->fd, 0, -1));
	SAY(posix_fallocate(c->dir, 0, 1));
}

static void try_posix_fadvise(const struct cell *c)
{
	for (int advice = 0; advice < 7; advice++)
		SAY(posix_fadvise(c->fd, 0, 0, advice));
}

static void try_readahead(const struct cell *c)
{
	SAY(readahead(c->fd, 0, 10));
	SAY(readahead(c->dir, 0, 10));
}

const struct call data_calls[] = {
	{"read", try_read},
	{"write", try_write},
	{"pread", try_pread},
	{"pwrite", try_pwrite},
	{"readv", try_readv},
	{"writev", try_writev},
	{"preadv", try_preadv},
	{"pwritev", try_pwritev},
	{"preadv2", try_preadv2},
	{"pwritev2", try_pwritev2},
	{"dprintf", try_dprintf},
	{"vdprintf", try_vdprintf},
	{"lseek", try_lseek},
	{"fsync", try_fsync},
	{"fdatasync", try_fdatasync},
	{"syncfs", try_syncfs},
	{"sync", try_sync},
	{"sync_file_range", try_sync_file_range},
	{"ftruncate", try_ftruncate},
	{"truncate", try_truncate},
	{"fallocate", try_fallocate},
	{"posix_fallocate", try_posix_fallocate},
	{"posix_fadvise", try_posix_fadvise},
	{"readahead", try_readahead},
	{NULL, NULL},
};
