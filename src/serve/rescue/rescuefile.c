/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads rescue files, trusting nothing in them, and stores what they hold. */
#include "serve/rescue/rescuefile.h"

#include "base/hash.h"
#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OFFSET_MOST (UINT64_C(1) << 62)

static uint64_t padded(uint64_t length)
{
	return (length + 7) / 8 * 8;
}

static uint64_t size_of_ranges(const struct weir_rescuefile_head *head)
{
	return head->ranges * sizeof(struct weir_rescuefile_range);
}

static bool is_sound_head(const struct weir_rescuefile_head *head,
			  uint64_t size)
{
	uint64_t least = sizeof(*head) + padded(head->path);

	return head->magic == WEIR_RESCUEFILE_MAGIC &&
	       head->version == WEIR_RESCUEFILE_VERSION && head->path > 0 &&
	       head->path < PATH_MAX && head->ranges > 0 &&
	       head->ranges <= WEIR_RESCUEFILE_RANGES && head->total == size &&
	       size >= least && size_of_ranges(head) <= size - least;
}

static int read_head(int fd, struct weir_rescuefile_head *head)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	err = weir_whole_read_at(fd, head, sizeof(*head), 0);
	if (!err && !is_sound_head(head, (uint64_t)st.st_size))
		err = -EBADMSG;
	return err;
}

static int read_tables(struct weir_rescuefile *rescue)
{
	const struct weir_rescuefile_head *head = &rescue->head;
	uint64_t ranges = size_of_ranges(head);
	int err;

	rescue->path = calloc(1, padded(head->path) + 1);
	rescue->ranges = malloc(ranges);
	if (!rescue->path || !rescue->ranges)
		return -ENOMEM;
	err = weir_whole_read_at(rescue->fd, rescue->path, padded(head->path),
				 sizeof(*head));
	if (!err)
		err = weir_whole_read_at(rescue->fd, rescue->ranges, ranges,
			  head->total - ranges);
	return err;
}

static bool is_right_sum(const struct weir_rescuefile *rescue)
{
	struct weir_rescuefile_head head = rescue->head;
	XXH3_state_t state;

	head.sum = 0;
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &head, sizeof(head));
	XXH3_64bits_update(&state, rescue->path, padded(head.path));
	XXH3_64bits_update(&state, rescue->ranges, size_of_ranges(&head));
	return XXH3_64bits_digest(&state) == rescue->head.sum;
}

/* What made it is trusted no more than what damaged it. */
static bool are_sound_tables(const struct weir_rescuefile *rescue)
{
	const struct weir_rescuefile_head *head = &rescue->head;
	uint64_t end = 0, sum = 0;

	if (rescue->path[0] != '/' || strlen(rescue->path) != head->path)
		return false;
	for (uint64_t i = 0; i < head->ranges; i++) {
		const struct weir_rescuefile_range *range = &rescue->ranges[i];

		if (!range->length || range->length > WEIR_RESCUEFILE_RANGE ||
		    range->offset < end || range->offset > OFFSET_MOST)
			return false;
		end = range->offset + range->length;
		sum += range->length;
	}
	return sum == head->total - size_of_ranges(head) - rescue->bytes_at;
}

/* Each range's bytes in turn; the first error, of reading or of `use`. */
static int each_range(const struct weir_rescuefile *rescue,
		      int (*use)(int fd, const void *bytes,
				 const struct weir_rescuefile_range *range),
		      int fd)
{
	void *bytes = malloc(WEIR_RESCUEFILE_RANGE);
	uint64_t at = rescue->bytes_at;
	int err = bytes ? 0 : -ENOMEM;

	for (uint64_t i = 0; !err && i < rescue->head.ranges; i++) {
		const struct weir_rescuefile_range *range = &rescue->ranges[i];

		err = weir_whole_read_at(rescue->fd, bytes, range->length, at);
		at += range->length;
		if (!err && weir_hash_bytes(bytes, range->length) != range->sum)
			err = -EBADMSG;
		if (!err)
			err = use(fd, bytes, range);
	}
	free(bytes);
	return err;
}

static int look_only(int fd, const void *bytes,
		     const struct weir_rescuefile_range *range)
{
	(void)fd;
	(void)bytes;
	(void)range;
	return 0;
}

int weir_rescuefile_open(int fd, struct weir_rescuefile *ret_rescue)
{
	struct weir_rescuefile rescue = {.fd = fd};
	int err = read_head(fd, &rescue.head);

	if (err)
		return err;
	rescue.bytes_at = sizeof(rescue.head) + padded(rescue.head.path);
	err = read_tables(&rescue);
	if (!err && (!is_right_sum(&rescue) || !are_sound_tables(&rescue)))
		err = -EBADMSG;
	if (!err)
		err = each_range(&rescue, look_only, -1);
	if (err)
		weir_rescuefile_close(&rescue);
	else
		*ret_rescue = rescue;
	return err;
}

void weir_rescuefile_close(struct weir_rescuefile *rescue)
{
	free(rescue->path);
	free(rescue->ranges);
	*rescue = (struct weir_rescuefile){.fd = -1};
}

static int store_range(int fd, const void *bytes,
		       const struct weir_rescuefile_range *range)
{
	return weir_whole_write_at(fd, bytes, range->length, range->offset);
}

/* NULL, or why it is not what it was. */
static const char *what_differs(const struct weir_rescuefile_head *head, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "is no regular file";
	if (st.st_dev != head->dev || st.st_ino != head->ino)
		return "is another file now";
	if (st.st_size != head->size || st.st_mtim.tv_sec != head->seconds ||
	    st.st_mtim.tv_nsec != head->nanoseconds)
		return "was changed since";
	return NULL;
}

static bool may_store(const struct weir_rescuefile *rescue, int fd, bool force)
{
	const char *why = what_differs(&rescue->head, fd);
	struct stat st;

	if (!why || (force && !fstat(fd, &st) && S_ISREG(st.st_mode)))
		return true;
	fprintf(stderr,
		"weir: '%s' %s; --force stores into it all the same\n",
		rescue->path, why);
	return false;
}

static int store(const struct weir_rescuefile *rescue, bool force)
{
	int fd = open(rescue->path,
		      O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int err = fd < 0 ? -errno : 0;

	if (!err && !may_store(rescue, fd, force)) {
		close(fd);
		return -ESTALE;
	}
	if (!err)
		err = each_range(rescue, store_range, fd);
	if (!err && fsync(fd))
		err = -errno;
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (err)
		fprintf(stderr, "weir: cannot store into '%s': %s\n",
			rescue->path, strerror(-err));
	return err;
}

static int tell_unreadable(const char *name, int err)
{
	fprintf(stderr, "weir: %s: %s\n", name,
		err == -EBADMSG ? "this is no rescue file, or a damaged one" :
				  strerror(-err));
	return err;
}

int weir_rescuefile_recover(const char *name, bool force)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct weir_rescuefile rescue;
	int err = fd < 0 ? -errno : weir_rescuefile_open(fd, &rescue);

	if (err) {
		tell_unreadable(name, err);
	} else {
		err = store(&rescue, force);
		weir_rescuefile_close(&rescue);
	}
	if (!err)
		unlink(name);
	if (fd >= 0)
		close(fd);
	return err;
}
