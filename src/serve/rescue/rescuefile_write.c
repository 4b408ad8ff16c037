/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what could not be stored of a file into a rescue file. */
#include "serve/rescue/rescuefile.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/whole.h"
#include "serve/files/backing.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 64 /* bytes of the other file's name that are in ours */

struct writing {
	int fd;
	uint64_t at; /* the end of what is written */
	struct weir_rescuefile_head head;
	struct weir_rescuefile_range *ranges;
	size_t room;
	char path[PATH_MAX + 8]; /* padded */
	unsigned char bytes[WEIR_RESCUEFILE_RANGE];
};

static int put_bytes(struct writing *to, const void *bytes, uint64_t length,
		     uint64_t at)
{
	return weir_whole_write_at(to->fd, bytes, length, at);
}

static int put_behind(struct writing *to, const void *bytes, uint64_t length)
{
	int err = put_bytes(to, bytes, length, to->at);

	if (!err)
		to->at += length;
	return err;
}

/* The next bytes in a row from `at` on, as many as one range may have. */
static struct weir_rescuefile_range
collect(struct writing *to, struct weir_index *index, uint64_t at)
{
	struct weir_rescuefile_range range = {.offset = at};
	struct weir_index_piece piece;

	while (range.length < WEIR_RESCUEFILE_RANGE &&
	       weir_index_find(index, at + range.length,
			       at + WEIR_RESCUEFILE_RANGE, &piece) &&
	       piece.offset == at + range.length) {
		memcpy(to->bytes + range.length, piece.bytes, piece.length);
		range.length += piece.length;
	}
	range.sum = weir_hash_bytes(to->bytes, range.length);
	return range;
}

static int put_ranges(struct writing *to, struct weir_index *index)
{
	struct weir_index_piece piece = { 0 };
	uint64_t at = 0;
	int err = 0;

	while (!err && weir_index_find(index, at, UINT64_MAX, &piece)) {
		struct weir_rescuefile_range range =
			collect(to, index, piece.offset);

		err = WEIR_GROW(to->ranges, to->head.ranges, to->room);
		if (!err)
			err = put_behind(to, to->bytes, range.length);
		if (!err)
			to->ranges[to->head.ranges++] = range;
		at = range.offset + range.length;
	}
	if (!err)
		err = put_behind(to, to->ranges,
				 to->head.ranges * sizeof(to->ranges[0]));
	return err;
}

static uint64_t digest_tables(const struct writing *to, uint64_t path)
{
	XXH3_state_t state;

	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &to->head, sizeof(to->head));
	XXH3_64bits_update(&state, to->path, path);
	XXH3_64bits_update(&state, to->ranges,
			   to->head.ranges * sizeof(to->ranges[0]));
	return XXH3_64bits_digest(&state);
}

static int describe_file(struct writing *to, struct weir_file *file)
{
	struct weir_backend_extent extent;
	int err = weir_backing_extent(file, &extent);

	if (err)
		return err;
	if (!extent.links)
		return -ENODATA;
	to->head = (struct weir_rescuefile_head){
		.magic = WEIR_RESCUEFILE_MAGIC,
		.version = WEIR_RESCUEFILE_VERSION,
		.path = (uint32_t)strlen(file->kept->path),
		.dev = file->kept->dev,
		.ino = file->kept->ino,
		.size = extent.size,
		.seconds = extent.seconds,
		.nanoseconds = extent.nanoseconds,
	};
	memcpy(to->path, file->kept->path, to->head.path);
	return 0;
}

static int fill_rescue(struct writing *to, struct weir_file *file)
{
	uint64_t path = ((uint64_t)to->head.path + 7) / 8 * 8;
	int err = put_bytes(to, to->path, path, sizeof(to->head));

	to->at = sizeof(to->head) + path;
	if (!err)
		err = put_ranges(to, file->index);
	if (!err && fdatasync(to->fd))
		err = -errno;
	if (err)
		return err;
	to->head.total = to->at;
	to->head.sum = digest_tables(to, path);
	err = put_bytes(to, &to->head, sizeof(to->head), 0);
	if (!err && fsync(to->fd))
		err = -errno;
	return err;
}

/* Names of before are not taken: somebody may still want what is in there. */
static int make_file(const char *directory, const char *path, char *name)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;

	for (int i = 1; i < 1000; i++) {
		int fd;

		if (snprintf(name, PATH_MAX, "%s/%.*s.%d.weir-rescue",
			     directory, NAME_MOST, last, i) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

int weir_rescuefile_write(const char *directory, struct weir_file *file,
			  char *ret_name)
{
	struct writing *to = calloc(1, sizeof(*to));
	int err;

	if (!to)
		return -ENOMEM;
	err = describe_file(to, file);
	if (err)
		goto free_writing;
	to->fd = make_file(directory, file->kept->path, ret_name);
	err = to->fd < 0 ? to->fd : 0;
	if (err)
		goto free_writing;
	err = fill_rescue(to, file);
	if (close(to->fd) && !err)
		err = -errno;
	if (err)
		unlink(ret_name);
	free(to->ranges);
free_writing:
	free(to);
	return err;
}
