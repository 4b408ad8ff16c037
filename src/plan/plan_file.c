/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a plan: a regular one, or a pipe, and no large one. */
#include "plan/plan.h"

#include "plan/xmlread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* One byte more than the largest is read, so that the reader sees it. */
#define ROOM (WEIR_XMLREAD_LARGEST + 1)

static ssize_t fill(int fd, char *bytes)
{
	size_t size = 0;

	while (size < ROOM) {
		ssize_t got = read(fd, bytes + size, ROOM - size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		size += (size_t)got;
	}
	return (ssize_t)size;
}

static int read_from(int fd, const char *path, struct weir_plan **ret_plan,
		     FILE *complaints)
{
	char *bytes = malloc(ROOM);
	ssize_t size = bytes ? fill(fd, bytes) : -ENOMEM;
	int err = size < 0 ? (int)size
			   : weir_plan_read_bytes(path, bytes, (size_t)size,
						  ret_plan, complaints);

	free(bytes);
	return err;
}

int weir_plan_read(const char *path, struct weir_plan **ret_plan,
		   FILE *complaints)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = read_from(fd, path, ret_plan, complaints);
	close(fd);
	return err;
}
