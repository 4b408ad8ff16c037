/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the directory of a trace, its live directory, names and lock. */
#include "launch/directory/tracedir.h"

#include "trace/layout/control_layout.h"
#include "trace/layout/live_layout.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 100	      /* removed by its last holder each time */
#define ROOM	   (32 << 10) /* bytes: a trace of losses alone needs less */

/* The node's name without anything that is not good in a file name. */
static void name_host(char host[65])
{
	struct utsname node;

	if (uname(&node) || !node.nodename[0])
		strcpy(node.nodename, "localhost");
	snprintf(host, 65, "%s", node.nodename);
	for (char *at = host; *at; at++) {
		if (!isalnum((unsigned char)*at) && *at != '-' &&
		    (*at != '.' || at == host))
			*at = '_';
	}
}

int weir_tracedir_is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int found = 0;

	if (!dir)
		return -errno;
	while (!found && (entry = readdir(dir)))
		found = strcmp(entry->d_name, ".") &&
			strcmp(entry->d_name, "..");
	closedir(dir);
	return !found;
}

int weir_tracedir_open(struct weir_tracedir *place, const char *dir)
{
	memset(place, 0, sizeof(*place));
	place->lock_fd = -1;
	name_host(place->host);
	if (!realpath(dir, place->dir))
		return -errno;
	return 0;
}

/* Of harmless letters only. */
void weir_tracedir_name(char dir[PATH_MAX], const char *command,
			const char *job)
{
	const char *slash = strrchr(command, '/');
	char name[64], stamp[32];
	time_t now = time(NULL);
	struct tm utc;

	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : command);
	for (char *at = name; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("._+-", *at))
			*at = '_';
	}
	if (*job) {
		snprintf(dir, PATH_MAX, "weir-%s-%s", name, job);
		return;
	}
	gmtime_r(&now, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	snprintf(dir, PATH_MAX, "weir-%s-%d-%s", name, (int)getpid(), stamp);
}

int weir_tracedir_create(struct weir_tracedir *place, const char *dir)
{
	int err;

	bool made = !mkdir(dir, 0700);

	*place = (struct weir_tracedir){.lock_fd = -1};
	if (!made) {
		if (errno != EEXIST)
			return -errno;
		err = weir_tracedir_is_empty(dir);
		if (err <= 0)
			return err ? err : -EEXIST;
		if (access(dir, W_OK | X_OK))
			return -errno;
	}
	err = weir_tracedir_open(place, dir);
	place->made = made;
	if (err && made)
		rmdir(dir);
	return err;
}

int weir_tracedir_join(struct weir_tracedir *place, const char *dir)
{
	bool made = !mkdir(dir, 0700);
	int err;

	*place = (struct weir_tracedir){.lock_fd = -1};
	if (!made && errno != EEXIST)
		return -errno;
	if (access(dir, W_OK | X_OK))
		return -errno;
	err = weir_tracedir_open(place, dir);
	if (!err)
		snprintf(place->host + strlen(place->host),
			 sizeof(place->host) - strlen(place->host), "-%d",
			 (int)getpid());
	place->made = made;
	return err;
}

void weir_tracedir_abandon(struct weir_tracedir *place)
{
	weir_tracedir_remove_live(place);
	weir_tracedir_unlock(place);
	if (place->made)
		rmdir(place->dir);
}

void weir_tracedir_close(struct weir_tracedir *place)
{
	if (place->lock_fd >= 0)
		close(place->lock_fd);
	place->lock_fd = -1;
}

char *weir_tracedir_path(const struct weir_tracedir *place, const char *suffix,
			 char to[PATH_MAX])
{
	int length = snprintf(to, PATH_MAX, "%s/%s%s", place->dir, place->host,
			      suffix);

	return length < PATH_MAX ? to : NULL;
}

int weir_tracedir_check_room(const struct weir_tracedir *place)
{
	struct rlimit limit;
	int err = 0, fd;

	/* To try would not only fail: it would end us by a signal. */
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < ROOM)
		return -EFBIG;
	fd = open(place->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return 0; /* not told here; the trace file itself will */
	if (fallocate(fd, 0, 0, ROOM) &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		err = -errno;
	close(fd);
	return err;
}

int weir_tracedir_make_live(struct weir_tracedir *place)
{
	char link_path[PATH_MAX];
	int err;

	if (!weir_tracedir_path(place, ".live", link_path))
		return -ENAMETOOLONG;
	snprintf(place->live, sizeof(place->live), "/dev/shm/weir-%u-XXXXXX",
		 (unsigned)geteuid());
	if (mkdtemp(place->live)) {
		if (!symlink(place->live, link_path))
			return 0;
		err = -errno;
		rmdir(place->live);
		place->live[0] = '\0';
		return err;
	}
	if (strlen(link_path) >= WEIR_LIVE_DIRECTORY)
		return -ENAMETOOLONG;
	snprintf(place->live, sizeof(place->live), "%s", link_path);
	return mkdir(place->live, 0700) ? -errno : 0;
}

int weir_tracedir_find_live(struct weir_tracedir *place)
{
	char link_path[PATH_MAX];
	struct stat st;

	if (!weir_tracedir_path(place, ".live", link_path))
		return -ENAMETOOLONG;
	if (lstat(link_path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		snprintf(place->live, sizeof(place->live), "%s", link_path);
	else if (!realpath(link_path, place->live) || lstat(place->live, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		return -EPERM;
	return 0;
}

/*
 * The control file is put aside, not removed, until the directory is gone: if
 * a process has just come after all, it is put back.
 */
int weir_tracedir_remove_live(struct weir_tracedir *place)
{
	char control[PATH_MAX], aside[PATH_MAX], link_path[PATH_MAX];
	int err = 0;

	if (!place->live[0])
		return 0;
	if (snprintf(control, PATH_MAX, "%s/" WEIR_CONTROL_NAME,
		     place->live) >= PATH_MAX ||
	    snprintf(aside, PATH_MAX, "%s." WEIR_CONTROL_NAME, place->live) >=
		    PATH_MAX)
		return -ENAMETOOLONG;
	rename(control, aside);
	if (rmdir(place->live) && errno != ENOENT) {
		err = -errno;
		rename(aside, control);
		return err;
	}
	if (unlink(aside) && errno != ENOENT)
		unlink(aside); /* it would stay for ever */
	if (weir_tracedir_path(place, ".live", link_path))
		unlink(link_path);
	place->live[0] = '\0';
	return 0;
}

static void remove_all(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		unlinkat(dirfd(dir), entry->d_name, 0);
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

bool weir_tracedir_discard_lost(struct weir_tracedir *place)
{
	if (!access(place->dir, F_OK) || errno != ENOENT)
		return false;
	remove_all(place->live);
	return true;
}

/* The file we locked may have been removed by its last holder meanwhile. */
static int is_still_there(int fd, const char *path)
{
	struct stat ours, there;

	return !fstat(fd, &ours) && !lstat(path, &there) &&
	       ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

int weir_tracedir_lock(struct weir_tracedir *place)
{
	char path[PATH_MAX];
	int fd, err;

	if (!weir_tracedir_path(place, ".lock", path))
		return -ENAMETOOLONG;
	for (int i = 0; i < LOCK_TRIES; i++) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			  0600);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			err = -errno;
			close(fd);
			return err;
		}
		if (is_still_there(fd, path)) {
			place->lock_fd = fd;
			return 0;
		}
		close(fd);
	}
	return -EAGAIN;
}

/* A live directory without memory for it lies in the trace's. */
static void shorten_live(struct weir_tracedir *place)
{
	size_t length = strlen(place->dir);

	if (strncmp(place->live, place->dir, length) ||
	    place->live[length] != '/')
		return;
	place->live[0] = '.';
	memmove(place->live + 1, place->live + length,
		strlen(place->live + length) + 1);
}

int weir_tracedir_enter(struct weir_tracedir *place)
{
	char path[PATH_MAX];

	if (chdir(place->dir))
		return errno == ENOENT ? -ESTALE : -errno;
	shorten_live(place);
	strcpy(place->dir, ".");
	if (!weir_tracedir_path(place, ".lock", path))
		return -ENAMETOOLONG;
	return is_still_there(place->lock_fd, path) ? 0 : -ESTALE;
}

void weir_tracedir_unlock(struct weir_tracedir *place)
{
	char path[PATH_MAX];

	if (place->lock_fd < 0)
		return;
	if (weir_tracedir_path(place, ".lock", path))
		unlink(path);
	close(place->lock_fd);
	place->lock_fd = -1;
}
