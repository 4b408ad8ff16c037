/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a plan: a regular one, or a pipe, and no large one. */
#include "plan/plan.h"

#include "base/whole.h"
#include "plan/xmlread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* One byte more than the largest is read, so that the reader sees it. */
#define ROOM (WEIR_XMLREAD_LARGEST + 1)

static int load_from(int fd, char **ret_bytes, size_t *ret_size)
{
	char *bytes = malloc(ROOM);
	ssize_t size = bytes ? weir_whole_fill(fd, bytes, ROOM) : -ENOMEM;

	if (size < 0) {
		free(bytes);
		return (int)size;
	}
	*ret_bytes = bytes;
	*ret_size = (size_t)size;
	return 0;
}

int weir_plan_load(const char *path, char **ret_bytes, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = load_from(fd, ret_bytes, ret_size);
	close(fd);
	return err;
}

int weir_plan_read(const char *path, struct weir_plan **ret_plan,
		   FILE *complaints)
{
	char *bytes;
	size_t size;
	int err = weir_plan_load(path, &bytes, &size);

	if (err)
		return err;
	err = weir_plan_read_bytes(path, bytes, size, ret_plan, complaints);
	free(bytes);
	return err;
}
