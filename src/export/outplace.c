/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes under a name that says partial, and renames when it is whole. */
#include "export/outplace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_OPEN 16 /* descriptors of nftw() */

/* "out/" and "out" are one place; its neighbour needs the name. */
static int name_partial(const char *path, char **ret_name)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (asprintf(ret_name, "%.*s.%ld.partial", (int)len, path,
		     (long)getpid()) < 0)
		return -ENOMEM;
	return 0;
}

/* Whether a folder has nothing but what an export leaves in one. */
static bool is_export(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool ours = dir;

	while (ours && (entry = readdir(dir)))
		ours = !strcmp(entry->d_name, ".") ||
		       !strcmp(entry->d_name, "..") ||
		       !fnmatch("traces*", entry->d_name, 0) ||
		       !fnmatch("*.csv", entry->d_name, 0);
	if (dir)
		closedir(dir);
	return ours;
}

/* Never a trace, and never a folder that may hold anything else. */
static bool may_replace(const char *path, const struct stat *there)
{
	if (S_ISDIR(there->st_mode))
		return is_export(path);
	return (S_ISREG(there->st_mode) || S_ISLNK(there->st_mode)) &&
	       fnmatch("*.weir", path, 0);
}

int weir_outplace_init(struct weir_outplace *place, const char *path,
		       bool force)
{
	struct stat there;

	*place = (struct weir_outplace){ .path = path, .force = force };
	if (!lstat(path, &there)) {
		if (!force || !may_replace(path, &there))
			return -EEXIST;
	} else if (errno != ENOENT) {
		return -errno;
	}
	return name_partial(path, &place->partial);
}

static int remove_one(const char *path, const struct stat *stat, int type,
		      struct FTW *where)
{
	return remove(path);
}

static int remove_all(const char *path)
{
	return nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}

void weir_outplace_fini(struct weir_outplace *place)
{
	if (place->partial)
		remove_all(place->partial);
	free(place->partial);
	place->partial = NULL;
}

static int store_one(const char *path, const struct stat *stat, int type,
		     struct FTW *where)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = fsync(fd) ? -errno : 0;
	close(fd);
	return err;
}

static int rename_as(const struct weir_outplace *place, unsigned how)
{
	if (!renameat2(AT_FDCWD, place->partial, AT_FDCWD, place->path, how))
		return 0;
	return -errno;
}

/* Some file systems know no such rename; then what appeared just now goes. */
static int rename_alone(const struct weir_outplace *place)
{
	int err = rename_as(place, RENAME_NOREPLACE);

	return err == -EINVAL ? rename_as(place, 0) : err;
}

/*
 * A folder cannot be renamed over another: the two change places. Where the
 * file system does not know how, the old one goes first.
 */
static int rename_over(const struct weir_outplace *place)
{
	int err = rename_as(place, RENAME_EXCHANGE);

	if (err == -EINVAL)
		remove_all(place->path);
	if (err == -ENOENT || err == -EINVAL)
		return rename_as(place, 0);
	return err;
}

int weir_outplace_finish(struct weir_outplace *place)
{
	int err = nftw(place->partial, store_one, MOST_OPEN, FTW_PHYS);

	if (err)
		return err < 0 && err != -1 ? err : -EIO;
	return place->force ? rename_over(place) : rename_alone(place);
}
