/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a plain file from where it is stored. */
#include "verify/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)4 << 20)

static int read_to_end(int fd, const struct weir_sink *sink, uint64_t size)
{
	void *buffer = malloc(BUFFER);
	uint64_t position = 0;
	ssize_t got = 1;

	if (!buffer)
		return -ENOMEM;
	while (position < size && got) {
		got = pread(fd, buffer, BUFFER, (off_t)position);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		sink->take(sink->context, 1, position, buffer, (size_t)got);
		position += (uint64_t)got;
	}
	free(buffer);
	return got < 0 ? -errno : 0;
}

/*
 * What the kernel has in memory need not be what is stored: it is asked to
 * write that out and to forget it. File systems that cannot do so are read as
 * they are.
 */
static void drop_cached(int fd)
{
	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

int weir_source_file(const char *path, const struct weir_sink *sink,
		     uint64_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	if (!err) {
		*ret_size = (uint64_t)st.st_size;
		drop_cached(fd);
		err = read_to_end(fd, sink, *ret_size);
	}
	close(fd);
	return err;
}
