/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, names and removes the runtime directory of a service. */
#include "serve/state/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SHARED	  "weir-serve-"
#define OWN	  "weir-forward-" /* of a run that is over some time */
#define RANDOM	  "XXXXXX"
#define BACKLOG	  1024
#define NEW_LOCK  WEIR_RUNTIME_LOCK ".new"
#define NEW_FOR	  60 /* seconds in which one may have no lock yet */
#define LONGEST	  (sizeof(((struct sockaddr_un *)0)->sun_path) - 8)

/* Where they may be, the best first; NULL: not here. */
static const char *base_at(unsigned i)
{
	const char *bases[] = {getenv("XDG_RUNTIME_DIR"), "/dev/shm", "/tmp"};

	if (i >= sizeof(bases) / sizeof(*bases))
		return "";
	return bases[i] && bases[i][0] == '/' ? bases[i] : NULL;
}

int weir_runtime_name(const char *place, const char *name, char *ret_path,
		      size_t room)
{
	int length = snprintf(ret_path, room, "%s/%s", place, name);

	return length >= 0 && (size_t)length < room ? 0 : -ENAMETOOLONG;
}

static int take_lock(const char *place, const char *name, int flags,
		     int *ret_lock)
{
	char path[PATH_MAX];
	int err = weir_runtime_name(place, name, path, sizeof(path));
	int fd;

	if (err)
		return err;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		err = -errno;
		close(fd);
		return err;
	}
	*ret_lock = fd;
	return 0;
}

/* Nobody ever sees it without that it is held: that would be a leftover. */
static int make_lock(const char *place, int *ret_lock)
{
	char before[PATH_MAX], path[PATH_MAX];
	int err = weir_runtime_name(place, WEIR_RUNTIME_LOCK, path,
				    sizeof(path));

	if (!err)
		err = weir_runtime_name(place, NEW_LOCK, before,
					sizeof(before));
	if (!err)
		err = take_lock(place, NEW_LOCK, O_CREAT | O_EXCL, ret_lock);
	if (err || !rename(before, path))
		return err;
	err = -errno;
	close(*ret_lock);
	return err;
}

/* All files are directly in it. */
void weir_runtime_remove(const char *place)
{
	DIR *dir = opendir(place);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(place);
}

static bool is_our_directory(const char *path, struct stat *ret_st)
{
	return !lstat(path, ret_st) && S_ISDIR(ret_st->st_mode) &&
	       ret_st->st_uid == geteuid();
}

/* A leftover of processes that were killed is removed. */
static bool is_running(const char *path)
{
	struct stat st;
	int lock, err;

	if (!is_our_directory(path, &st))
		return false;
	err = take_lock(path, WEIR_RUNTIME_LOCK, 0, &lock);
	if (err == -EWOULDBLOCK)
		return true;
	if (err && (err != -ENOENT || st.st_mtime + NEW_FOR > time(NULL)))
		return false;
	weir_runtime_remove(path);
	if (!err)
		close(lock);
	return false;
}

static void look_in(const char *base, const char *prefix,
		    void (*look)(const char *place, void *arg), void *arg)
{
	DIR *dir = opendir(base);
	struct dirent *entry;
	char path[PATH_MAX];

	while (dir && (entry = readdir(dir))) {
		if (!strncmp(entry->d_name, prefix, strlen(prefix)) &&
		    !weir_runtime_name(base, entry->d_name, path,
				       sizeof(path)) &&
		    is_running(path) && look)
			look(path, arg);
	}
	if (dir)
		closedir(dir);
}

/* Where `choose` would make one. */
static const char *find_base(void)
{
	const char *base;

	for (unsigned i = 0; !(base = base_at(i)) || *base; i++)
		if (base && !access(base, W_OK | X_OK))
			break;
	return base;
}

void weir_runtime_each(void (*look)(const char *place, void *arg), void *arg)
{
	look_in(find_base(), SHARED, look, arg);
}

static void remove_leftovers(void)
{
	look_in(find_base(), SHARED, NULL, NULL);
	look_in(find_base(), OWN, NULL, NULL);
}

static int choose_directory(char *place, size_t room, bool is_shared)
{
	const char *name = is_shared ? SHARED RANDOM : OWN RANDOM;
	const char *base;
	int err = -ENOENT;

	for (unsigned i = 0; !(base = base_at(i)) || *base; i++) {
		if (!base || strlen(base) + strlen(name) >= LONGEST ||
		    weir_runtime_name(base, name, place, room))
			continue;
		if (mkdtemp(place))
			return 0;
		err = -errno;
	}
	return err;
}

static int make_named(const char *place)
{
	if (strlen(place) >= LONGEST)
		return -ENAMETOOLONG;
	return mkdir(place, 0700) ? -errno : 0;
}

int weir_runtime_make(char *place, size_t room, bool is_shared, int *ret_lock)
{
	int err;

	remove_leftovers();
	err = *place ? make_named(place)
		     : choose_directory(place, room, is_shared);
	if (err)
		return err;
	err = make_lock(place, ret_lock);
	if (err)
		weir_runtime_remove(place);
	return err;
}

static int open_socket(const char *place, const char *name,
		       struct sockaddr_un *ret_at)
{
	int fd, err;

	*ret_at = (struct sockaddr_un){.sun_family = AF_UNIX};
	err = weir_runtime_name(place, name, ret_at->sun_path,
				sizeof(ret_at->sun_path));
	if (err)
		return err;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

int weir_runtime_listen(const char *place, const char *name)
{
	struct sockaddr_un at;
	int fd = open_socket(place, name, &at), err;

	if (fd < 0)
		return fd;
	if (!bind(fd, (struct sockaddr *)&at, sizeof(at)) &&
	    !listen(fd, BACKLOG) && !fcntl(fd, F_SETFL, O_NONBLOCK))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int weir_runtime_connect(const char *place, const char *name)
{
	struct sockaddr_un at;
	int fd = open_socket(place, name, &at), err;

	if (fd < 0 || !connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}
