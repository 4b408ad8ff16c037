/* SPDX-License-Identifier: BSD-3-Clause */
/* `posix`: into the file, by the kernel. */
#include "backends/plain.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* A file is its descriptor and one, so that it is never NULL. */
static int fd_of(void *file)
{
	return (int)(intptr_t)file - 1;
}

static int begin(const char *options, void **ret_self)
{
	if (*options) {
		fprintf(stderr, "weir: backend posix has no options: '%s'\n",
			options);
		return -EINVAL;
	}
	*ret_self = NULL;
	return 0;
}

static void end(void *self)
{
}

static int open_file(void *self, int fd, void **ret_file)
{
	*ret_file = (void *)(intptr_t)(fd + 1);
	return 0;
}

static void close_file(void *self, void *file)
{
	close(fd_of(file));
}

static int64_t write_file(void *self, void *file, const struct iovec *parts,
			  int count, int64_t offset)
{
	return weir_plain_write(fd_of(file), parts, count, offset);
}

static int64_t read_file(void *self, void *file, void *bytes, uint64_t length,
			 int64_t offset)
{
	return weir_plain_read(fd_of(file), bytes, length, offset);
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
	.begin = begin,
	.end = end,
	.open = open_file,
	.close = close_file,
	.write = write_file,
	.read = read_file,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};
