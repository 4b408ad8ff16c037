/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a trace directory, or leaves nothing behind. */
#include "share/outdir.h"

#include "base/grow.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 1000000 /* of one host */

static int is_visible(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

static int check_empty(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, is_visible, NULL);

	if (n < 0)
		return errno == ENOTDIR ? -EEXIST : -errno;
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return n ? -EEXIST : 0;
}

int weir_outdir_open(struct weir_outdir *out, const char *path)
{
	*out = (struct weir_outdir){.path = path};
	out->made = !mkdir(path, 0700);
	if (out->made)
		return 0;
	return errno == EEXIST ? check_empty(path) : -errno;
}

void weir_outdir_close(struct weir_outdir *out)
{
	for (size_t i = 0; i < out->count; i++)
		free(out->files[i]);
	free(out->files);
	out->files = NULL;
	out->count = 0;
}

void weir_outdir_abandon(struct weir_outdir *out)
{
	for (size_t i = 0; i < out->count; i++)
		if (unlink(out->files[i]))
			rmdir(out->files[i]);
	if (out->made)
		rmdir(out->path);
}

/* Takes over the path. */
static int remember_path(struct weir_outdir *out, char *path)
{
	if (WEIR_GROW_EXACTLY(out->files, out->count + 1)) {
		free(path);
		return -ENOMEM;
	}
	out->files[out->count++] = path;
	return 0;
}

static char *name_file(const struct weir_outdir *out, const char *host, int n)
{
	char number[16] = "", *path, *name;

	if (n)
		snprintf(number, sizeof(number), ".%d", n);
	if (asprintf(&path, "%s/%s%s.weir", out->path, *host ? host : "host",
		     number) < 0)
		return NULL;
	name = path + strlen(out->path) + 1;
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_", *c) &&
		    (*c != '.' || c == name))
			*c = '_';
	return path;
}

/* Links the source, or creates when there is none; -EEXIST: a taken name. */
static int try_name(const char *path, const char *source, int *ret_fd)
{
	if (source)
		return link(source, path) ? -errno : 0;
	*ret_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		       0600);
	return *ret_fd < 0 ? -errno : 0;
}

static int add_file(struct weir_outdir *out, const char *host,
		    const char *source, int *ret_fd)
{
	int err = -EEXIST;

	for (int n = 0; err == -EEXIST && n < MOST_FILES; n++) {
		char *path = name_file(out, host, n);

		if (!path)
			return -ENOMEM;
		err = try_name(path, source, ret_fd);
		if (err)
			free(path);
		else
			err = remember_path(out, path);
	}
	return err;
}

int weir_outdir_create(struct weir_outdir *out, const char *host, int *ret_fd)
{
	return add_file(out, host, NULL, ret_fd);
}

int weir_outdir_link(struct weir_outdir *out, const char *host,
		     const char *source)
{
	int none;

	return add_file(out, host, source, &none);
}

int weir_outdir_mark(struct weir_outdir *out, const char *name)
{
	const char *dash = strrchr(name, '-');
	int len = dash ? (int)(dash - name) : (int)strlen(name);
	int err = -EEXIST;

	for (int n = 0; err == -EEXIST && n < MOST_FILES; n++) {
		char *path;

		if (asprintf(&path, "%s/%.*s-%d", out->path, len, name, n) < 0)
			return -ENOMEM;
		err = mkdir(path, 0700) ? -errno : 0;
		if (err)
			free(path);
		else
			err = remember_path(out, path);
	}
	return err;
}
