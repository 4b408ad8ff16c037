/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A load for measuring the forwarder: each call is timed by itself.
 *
 * usage: forward_load MODE CALLS FILE [BYTES]
 */
#include "loadclock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define WINDOW (64l << 20) /* offsets start again behind it */

static const char *path;
static size_t bytes = 1024;
static char *buffer;
static int fd;

static int do_write(long i)
{
	off_t at = (off_t)((size_t)i * bytes % WINDOW);

	return pwrite(fd, buffer, bytes, at) != (ssize_t)bytes;
}

/* Nothing is written twice. */
static int do_stream(long i)
{
	return pwrite(fd, buffer, bytes, (off_t)((size_t)i * bytes)) !=
	       (ssize_t)bytes;
}

static int do_append(long i)
{
	return write(fd, buffer, bytes) != (ssize_t)bytes;
}

/* Of a byte that is in memory still: it is written before, untimed. */
static int prepare_read(long i)
{
	return pwrite(fd, buffer, 1, i * 512 % WINDOW) != 1;
}

static int do_read(long i)
{
	return pread(fd, buffer, 1, i * 512 % WINDOW) != 1;
}

static int do_seek(long i)
{
	return lseek(fd, 0, SEEK_END) < 0;
}

static int do_open(long i)
{
	int other = open(path, O_WRONLY | O_CLOEXEC);

	return other < 0 || close(other);
}

/* Another file, that nobody else has open; made by the first call. */
static int open_other(int flags)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s.other", path);
	return open(name, flags | O_CREAT | O_CLOEXEC, 0600);
}

static int do_openread(long i)
{
	int other = open_other(O_RDONLY);
	bool failed = other < 0 || read(other, buffer, bytes) < 0;

	return failed || close(other);
}

static int do_openwrite(long i)
{
	int other = open_other(O_WRONLY);

	return other < 0 || write(other, buffer, bytes) != (ssize_t)bytes ||
	       close(other);
}

static int remove_other(long i)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s.other", path);
	return unlink(name) && errno != ENOENT;
}

static int do_create(long i)
{
	int other = open_other(O_WRONLY | O_EXCL);

	return other < 0 || close(other);
}

/* A file that is written, read by its name, and removed. */
static int do_temporary(long i)
{
	char name[4096];
	int other, failed;

	snprintf(name, sizeof(name), "%s.%ld", path, i);
	other = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (other < 0)
		return 1;
	failed = write(other, buffer, bytes) != (ssize_t)bytes;
	failed |= close(other);
	other = open(name, O_RDONLY | O_CLOEXEC);
	if (other < 0)
		return 1;
	failed |= read(other, buffer, bytes) != (ssize_t)bytes;
	return failed | close(other) | unlink(name);
}

/* The daemon has nothing to do; who measures it ends us. */
static int do_idle(long i)
{
	printf("idle 1\n");
	fflush(stdout);
	pause();
	return 0;
}

static const struct mode {
	const char *name;
	int (*call)(long i);
	int (*before)(long i);
	int flags;
} modes[] = {
	{ "write", do_write, NULL, 0 },
	{ "stream", do_stream, NULL, O_TRUNC },
	{ "append", do_append, NULL, O_APPEND },
	{ "through", do_write, NULL, O_DSYNC },
	{ "read", do_read, prepare_read, 0 },
	{ "seek", do_seek, NULL, 0 },
	{ "open", do_open, NULL, 0 },
	{ "openread", do_openread, NULL, 0 },
	{ "openwrite", do_openwrite, NULL, 0 },
	{ "create", do_create, remove_other, 0 },
	{ "temporary", do_temporary, NULL, 0 },
	{ "idle", do_idle, NULL, 0 },
};

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return a < b ? -1 : a > b;
}

static int fail(const char *what)
{
	fprintf(stderr, "forward_load: %s: %s\n", what, strerror(errno));
	return 1;
}

/* The first tenth is not counted: memory is new then. */
static int measure(const struct mode *mode, long calls)
{
	double *took = calloc((size_t)calls, sizeof(*took)), begun = 0;

	for (long i = -calls / 10 - 64; i < calls; i++) {
		long nth = i + calls / 10 + 64;
		double start;

		if (mode->before && mode->before(nth))
			return fail(mode->name);
		start = loadclock_now();
		if (mode->call(nth))
			return fail(mode->name);
		if (i == 0)
			begun = start;
		if (i >= 0)
			took[i] = loadclock_now() - start;
	}
	printf("ns %.1f\n", (loadclock_now() - begun) / (double)calls);
	qsort(took, (size_t)calls, sizeof(*took), by_value);
	printf("least %.1f\n", took[0]);
	printf("median %.1f\n", took[calls / 2]);
	printf("p99 %.1f\n", took[calls * 99 / 100]);
	printf("most %.1f\n", took[calls - 1]);
	return 0;
}

static int run(const struct mode *mode, long calls)
{
	double start;
	int ret;

	fd = open(path, O_RDWR | O_CREAT | mode->flags, 0600);
	if (fd < 0 || pwrite(fd, buffer, bytes, 0) != (ssize_t)bytes)
		return fail(path);
	ret = measure(mode, calls);
	start = loadclock_now();
	if (close(fd))
		return fail("close");
	printf("close %.1f\n", loadclock_now() - start);
	return ret;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	path = argv[3];
	if (argc > 4)
		bytes = strtoul(argv[4], NULL, 10);
	buffer = malloc(bytes);
	memset(buffer, 1, bytes);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(modes[i].name, argv[1]))
			return run(&modes[i], atol(argv[2]));
	return 2;
}
