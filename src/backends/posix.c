/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores into the file itself, by the kernel: the plug-in `posix`. */
#include "backends/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

#define FUSE	 0x65735546
#define LARGE	 (256u << 10) /* bytes that are worth it */
#define ALIGNED	 4096u
#define UNTRIED	 (-1)
#define CANNOT	 (-2)

struct file {
	int fd;
	/* past the kernel's memory; one of two threads may try in vain */
	_Atomic int direct;
};

static int fd_of(void *file)
{
	return ((struct file *)file)->fd;
}

static int begin_posix(const char *options, void **ret_self)
{
	if (*options) {
		fprintf(stderr, "weir: backend posix has no options: '%s'\n",
			options);
		return -EINVAL;
	}
	*ret_self = NULL;
	return 0;
}

static void end_posix(void *self)
{
}

static int open_posix(void *self, int fd, void **ret_file)
{
	struct file *file = malloc(sizeof(*file));

	if (!file)
		return -ENOMEM;
	*file = (struct file){.fd = fd, .direct = UNTRIED};
	*ret_file = file;
	return 0;
}

static void close_file(void *self, void *of)
{
	struct file *file = of;

	close(file->fd);
	if (file->direct >= 0)
		close(file->direct);
	free(file);
}

static int64_t write_posix(void *self, void *file, const struct iovec *parts,
			   int count, int64_t offset)
{
	return weir_plain_write(fd_of(file), parts, count, offset);
}

static int64_t read_posix(void *self, void *file, void *bytes, uint64_t length,
			  int64_t offset)
{
	return weir_plain_read(fd_of(file), bytes, length, offset);
}

/* A file system in a process: what the kernel keeps is one copy more. */
static int open_direct(struct file *file)
{
	struct statfs system;
	char path[64];
	int fd = CANNOT, untried = UNTRIED;

	if (!fstatfs(file->fd, &system) && system.f_type == FUSE) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
		fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
		fd = fd < 0 ? CANNOT : fd;
	}
	if (atomic_compare_exchange_strong(&file->direct, &untried, fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return untried;
}

/* Whether the kernel has some of it in memory; in doubt it has not. */
static bool is_kept(int fd, uint64_t length, int64_t offset)
{
	const uint64_t range[2] = {(uint64_t)offset, length};
	uint64_t counts[5] = {0};

	return !syscall(SYS_cachestat, fd, range, counts, 0) && counts[0];
}

/*
 * What is read once is read past the kernel's memory where that saves a copy:
 * in large aligned pieces, unless the kernel has them already.
 */
static int64_t fetch_file(void *self, void *of, void *bytes, uint64_t length,
			  int64_t offset)
{
	struct file *file = of;
	int fd = CANNOT;
	int64_t got = -EINVAL;

	if (length >= LARGE &&
	    !((length | (uint64_t)offset | (uintptr_t)bytes) % ALIGNED) &&
	    !is_kept(file->fd, length, offset))
		fd = file->direct == UNTRIED ? open_direct(file) :
					       file->direct;
	if (fd >= 0)
		got = weir_plain_read(fd, bytes, length, offset);
	return got < 0 ? weir_plain_read(file->fd, bytes, length, offset) : got;
}

static int sync_file(void *self, void *file)
{
	return weir_plain_sync(fd_of(file));
}

static int truncate_file(void *self, void *file, int64_t length)
{
	return weir_plain_truncate(fd_of(file), length);
}

static int ask_extent(void *self, void *file,
		      struct weir_backend_extent *ret_extent)
{
	return weir_plain_extent(fd_of(file), ret_extent);
}

const struct weir_backend weir_backend = {
	.version = WEIR_BACKEND_VERSION,
	.name = "posix",
	.begin = begin_posix,
	.end = end_posix,
	.open = open_posix,
	.close = close_file,
	.write = write_posix,
	.read = read_posix,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
	.fetch = fetch_file,
};
