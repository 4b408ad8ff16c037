/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes all that is asked for, in as many calls as it takes. */
#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* In a file without positions, as pipes are, `at` stands for the next byte. */
#define NEXT UINT64_MAX

static ssize_t read_some(int fd, void *to, size_t room, uint64_t at)
{
	return at == NEXT ? read(fd, to, room) : pread(fd, to, room, (off_t)at);
}

static ssize_t write_some(int fd, const void *from, size_t size, uint64_t at)
{
	return at == NEXT ? write(fd, from, size)
			  : pwrite(fd, from, size, (off_t)at);
}

ssize_t weir_whole_fill_at(int fd, void *to, size_t room, uint64_t at)
{
	size_t done = 0;

	while (done < room) {
		ssize_t got = read_some(fd, (char *)to + done, room - done,
					at == NEXT ? NEXT : at + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t weir_whole_fill(int fd, void *to, size_t room)
{
	return weir_whole_fill_at(fd, to, room, NEXT);
}

int weir_whole_read_at(int fd, void *to, size_t size, uint64_t at)
{
	ssize_t got = weir_whole_fill_at(fd, to, size, at);

	if (got < 0)
		return (int)got;
	return (size_t)got == size ? 0 : -EBADMSG;
}

int weir_whole_read(int fd, void *to, size_t size)
{
	return weir_whole_read_at(fd, to, size, NEXT);
}

int weir_whole_write_at(int fd, const void *bytes, size_t size, uint64_t at)
{
	size_t done = 0;

	while (done < size) {
		ssize_t put =
			write_some(fd, (const char *)bytes + done, size - done,
				   at == NEXT ? NEXT : at + done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -ENOSPC;
		done += (size_t)put;
	}
	return 0;
}

int weir_whole_write(int fd, const void *bytes, size_t size)
{
	return weir_whole_write_at(fd, bytes, size, NEXT);
}

ssize_t weir_whole_load(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t got = fd < 0 ? -errno : weir_whole_fill(fd, to, room - 1);

	if (fd >= 0)
		close(fd);
	to[got > 0 ? got : 0] = '\0';
	return got;
}

char *weir_whole_copy(int fd, size_t size, uint64_t at)
{
	char *bytes = malloc(size + 1);
	int err = bytes ? weir_whole_read_at(fd, bytes, size, at) : -ENOMEM;

	if (err) {
		free(bytes);
		errno = -err;
		return NULL;
	}
	bytes[size] = '\0';
	return bytes;
}

int weir_whole_create(const char *path, const void *bytes, size_t size)
{
	int err, fd = open(path,
			   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			   0600);

	if (fd < 0)
		return -errno;
	err = weir_whole_write(fd, bytes, size);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		unlink(path);
	return err;
}
