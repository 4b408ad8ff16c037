/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plug-in for `weir serve --backend`: stores as usual, and at the end appends
 * to a file how many requests and bytes there were.
 *
 *	gcc -shared -fPIC -o counted.so backend_counted.c
 *	weir run --forward=DIR --backend ./counted.so:LOGFILE -- COMMAND
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weir/backend.h>

struct counted {
	FILE *out;
	_Atomic uint64_t requests, bytes;
};

static int fd_of(void *file)
{
	return *(int *)file;
}

static int begin(const char *options, void **ret_self)
{
	struct counted *counted = calloc(1, sizeof(*counted));

	if (!counted)
		return -ENOMEM;
	counted->out = fopen(options, "ae");
	if (!counted->out) {
		int err = -errno;

		fprintf(stderr, "counted: '%s': %m\n", options);
		free(counted);
		return err;
	}
	*ret_self = counted;
	return 0;
}

static void end(void *self)
{
	struct counted *counted = self;

	if (counted->requests)
		fprintf(counted->out, "%" PRIu64 " requests, %" PRIu64
			" bytes\n", counted->requests, counted->bytes);
	fclose(counted->out);
	free(counted);
}

static int open_file(void *self, int fd, void **ret_file)
{
	int *file = malloc(sizeof(*file));

	(void)self;
	if (!file)
		return -ENOMEM;
	*file = fd;
	*ret_file = file;
	return 0;
}

static void close_file(void *self, void *file)
{
	(void)self;
	close(fd_of(file));
	free(file);
}

static int64_t write_file(void *self, void *file, const struct iovec *parts,
			  int count, int64_t offset)
{
	struct counted *counted = self;
	ssize_t done = pwritev(fd_of(file), parts, count, offset);

	if (done < 0)
		return -errno;
	counted->requests++;
	counted->bytes += (uint64_t)done;
	return done;
}

static int64_t read_file(void *self, void *file, void *bytes, uint64_t length,
			 int64_t offset)
{
	ssize_t got = pread(fd_of(file), bytes, length, offset);

	(void)self;
	return got < 0 ? -errno : got;
}

static int sync_file(void *self, void *file)
{
	(void)self;
	return fsync(fd_of(file)) ? -errno : 0;
}

static int truncate_file(void *self, void *file, int64_t length)
{
	(void)self;
	return ftruncate(fd_of(file), length) ? -errno : 0;
}

static int ask_extent(void *self, void *file,
		      struct weir_backend_extent *ret_extent)
{
	struct stat is;

	(void)self;
	if (fstat(fd_of(file), &is))
		return -errno;
	*ret_extent = (struct weir_backend_extent){
		.size = is.st_size,
		.seconds = is.st_mtim.tv_sec,
		.nanoseconds = is.st_mtim.tv_nsec,
		.links = is.st_nlink,
		.room = UINT64_MAX,
	};
	return 0;
}

const struct weir_backend weir_backend = {
	.version = WEIR_BACKEND_VERSION,
	.name = "counted",
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
