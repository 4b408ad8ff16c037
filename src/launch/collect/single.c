/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends what processes left to one file that nodes and runs share. */
#include "launch/collect/single.h"

#include "launch/directory/tracedir.h"
#include "trace/file/portions.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Locks of fcntl, which NFS has too. They belong to the process and go with
 * the first close of any descriptor of the file: there is only one.
 */
static int lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	while (fcntl(fd, F_SETLKW, &whole))
		if (errno != EINTR)
			return -errno;
	return 0;
}

static bool has_no_locks(int err)
{
	return err == -ENOLCK || err == -ENOSYS || err == -EOPNOTSUPP ||
	       err == -EINVAL;
}

static int open_locked(const char *path, struct weir_store **ret_store)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int err;

	if (fd < 0)
		return -errno;
	err = lock(fd);
	err = err ?: weir_portions_mend(fd);
	if (err) {
		close(fd);
		return err;
	}
	return weir_store_adopt(fd, ret_store);
}

/* A part is whole in the file or not in it; closing unlocks. */
static int put_and_close(struct weir_portions *parts, uint32_t part,
			 struct weir_store *store, uint64_t *bytes)
{
	uint64_t before = weir_store_bytes(store);
	int err = weir_portions_put(parts, part, store);

	if (!err)
		*bytes += weir_store_bytes(store) - before;
	else if (ftruncate(weir_store_fd(store), (off_t)before))
		err = -errno; /* readers see a part that was cut short */
	weir_store_close(store);
	return err;
}

/* HOST-PID.weir, and HOST-PID.1.weir and so on of later images. */
static int create_apart(const struct weir_tracedir *place, uint32_t pid,
			struct weir_store **ret_store)
{
	char suffix[64], path[PATH_MAX];
	int err = -EEXIST;

	snprintf(suffix, sizeof(suffix), "-%u.weir", pid);
	for (int i = 1; err == -EEXIST && i < 10000; i++) {
		if (!weir_tracedir_path(place, suffix, path))
			return -ENAMETOOLONG;
		err = weir_store_create(path, ret_store);
		snprintf(suffix, sizeof(suffix), "-%u.%d.weir", pid, i);
	}
	return err;
}

static int append_all(const struct weir_tracedir *place,
		      struct weir_portions *parts,
		      struct weir_single_result *result)
{
	char path[PATH_MAX];
	int err = 0;

	if (snprintf(path, PATH_MAX, "%s/" WEIR_SINGLE_NAME, place->dir) >=
	    PATH_MAX)
		return -ENAMETOOLONG;
	for (uint32_t i = 0; !err && i < weir_portions_count(parts); i++) {
		struct weir_store *store = NULL;

		if (!result->apart)
			err = open_locked(path, &store);
		if (has_no_locks(err))
			result->apart = err;
		if (result->apart)
			err = create_apart(place, weir_portions_pid(parts, i),
					   &store);
		if (!err)
			err = put_and_close(parts, i, store, &result->bytes);
	}
	return err;
}

/* One that we made and could not lock is in nobody's way. */
static void remove_empty(const struct weir_tracedir *place)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, PATH_MAX, "%s/" WEIR_SINGLE_NAME, place->dir) >=
	    PATH_MAX)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (!lseek(fd, 0, SEEK_END))
		unlink(path);
	close(fd);
}

int weir_single_append(const struct weir_tracedir *place,
		       const char *packed_path,
		       struct weir_single_result *ret_result)
{
	struct weir_single_result result = {0};
	struct weir_portions *parts;
	int fd = open(packed_path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : weir_portions_open(fd, &parts);

	if (err)
		return err;
	err = append_all(place, parts, &result);
	weir_portions_close(parts);
	if (result.apart)
		remove_empty(place);
	if (!err)
		*ret_result = result;
	return err;
}
