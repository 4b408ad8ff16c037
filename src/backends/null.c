/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `null`: what is written is dropped, but files are as long as they would be;
 * reads give zeros. To measure everything but the file system.
 */
#include "backends/plain.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
	int fd;
	pthread_mutex_t lock; /* growing and cutting are one after the other */
	int64_t size;
};

static int begin_null(const char *options, void **ret_self)
{
	if (*options) {
		fprintf(stderr, "weir: backend null has no options: '%s'\n",
			options);
		return -EINVAL;
	}
	*ret_self = NULL;
	return 0;
}

static void end_null(void *self)
{
}

static int open_null(void *self, int fd, void **ret_file)
{
	struct weir_backend_extent extent;
	struct file *file;
	int err = weir_plain_extent(fd, &extent);

	if (err)
		return err;
	file = malloc(sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->fd = fd;
	file->size = extent.size;
	pthread_mutex_init(&file->lock, NULL);
	*ret_file = file;
	return 0;
}

static void close_file(void *self, void *of)
{
	struct file *file = of;

	close(file->fd);
	pthread_mutex_destroy(&file->lock);
	free(file);
}

/* The file itself is resized: `stat` asks the kernel. */
static int resize(struct file *file, int64_t size)
{
	int err = weir_plain_truncate(file->fd, size);

	if (!err)
		file->size = size;
	return err;
}

/* The kernel's size too: whoever asks it is told the same. */
static int64_t write_null(void *self, void *of, const struct iovec *parts,
			  int count, int64_t offset)
{
	struct file *file = of;
	int64_t length = 0;
	int err = 0;

	for (int i = 0; i < count; i++)
		length += (int64_t)parts[i].iov_len;
	pthread_mutex_lock(&file->lock);
	if (length && offset + length > file->size)
		err = resize(file, offset + length);
	pthread_mutex_unlock(&file->lock);
	return err ? err : length;
}

static int64_t read_null(void *self, void *of, void *bytes, uint64_t length,
			 int64_t offset)
{
	struct file *file = of;
	int64_t left;

	pthread_mutex_lock(&file->lock);
	left = file->size - offset;
	pthread_mutex_unlock(&file->lock);
	if (left <= 0)
		return 0;
	if (length > (uint64_t)left)
		length = (uint64_t)left;
	memset(bytes, 0, length);
	return (int64_t)length;
}

static int sync_file(void *self, void *of)
{
	return 0;
}

static int truncate_file(void *self, void *of, int64_t length)
{
	struct file *file = of;
	int err;

	pthread_mutex_lock(&file->lock);
	err = resize(file, length);
	pthread_mutex_unlock(&file->lock);
	return err;
}

static int ask_extent(void *self, void *of,
		      struct weir_backend_extent *ret_extent)
{
	struct file *file = of;
	int err = weir_plain_extent(file->fd, ret_extent);

	ret_extent->room = UINT64_MAX; /* nothing is stored, so all fits */
	return err;
}

const struct weir_backend weir_backend = {
	.version = WEIR_BACKEND_VERSION,
	.flags = WEIR_BACKEND_READS,
	.name = "null",
	.begin = begin_null,
	.end = end_null,
	.open = open_null,
	.close = close_file,
	.write = write_null,
	.read = read_null,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};
