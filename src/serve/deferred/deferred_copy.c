/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes what the memory of a deferred file holds out of it. */
#include "serve/deferred/deferred_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (1u << 20)

static int copy_part(const struct weir_deferred_copy *copy, char *room,
		     off_t at, off_t end)
{
	int err = 0;

	for (ssize_t got = 0; !err && at < end; at += got) {
		size_t want = end - at < PIECE ? (size_t)(end - at) : PIECE;

		got = pread(copy->memory, room, want, at);
		if (got <= 0)
			return got ? -errno : -EIO;
		err = copy->put(copy->arg, room, (size_t)got, (uint64_t)at);
	}
	return err;
}

/* From one end of data to the next; holes stay holes. */
static int copy_parts(const struct weir_deferred_copy *copy, char *room,
		      off_t size)
{
	off_t at = lseek(copy->memory, 0, SEEK_DATA), end;
	int err = 0;

	while (!err && at >= 0 && at < size) {
		end = lseek(copy->memory, at, SEEK_HOLE);
		if (end <= at)
			return -EIO; /* somebody cuts it */
		err = copy_part(copy, room, at, end < size ? end : size);
		at = lseek(copy->memory, end, SEEK_DATA);
	}
	return err;
}

/* Whoever could not be kept from writing there does not keep us at it. */
int weir_deferred_copy(const struct weir_deferred_copy *copy,
		       uint64_t *ret_size)
{
	char *room = malloc(PIECE);
	struct stat about;
	int err = room ? 0 : -ENOMEM;

	if (!err && fstat(copy->memory, &about))
		err = -errno;
	if (!err)
		err = copy_parts(copy, room, about.st_size);
	if (!err)
		*ret_size = (uint64_t)about.st_size;
	free(room);
	return err;
}
