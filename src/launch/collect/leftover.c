/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes over what a killed collector left in a trace directory. */
#include "launch/collect/leftover.h"

#include "launch/collect/reserve.h"
#include "trace/control/controlfile.h"
#include "trace/layout/ring_layout.h"
#include "trace/live/live.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of one host are HOST.weir, HOST.1.weir …; all share HOST's lock. */
static void set_host(struct weir_tracedir *place, const char *stem)
{
	size_t len = strlen(stem), end = len;

	while (end && isdigit((unsigned char)stem[end - 1]))
		end--;
	if (end > 1 && end < len && stem[end - 1] == '.')
		len = end - 1;
	snprintf(place->host, sizeof(place->host), "%.*s", (int)len, stem);
}

/* Whether a process, as /proc calls it, has the file open. */
static bool has_open(const char *pid, const struct stat *file)
{
	char path[64];
	struct dirent *entry;
	struct stat st;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = !fstatat(dirfd(dir), entry->d_name, &st, 0) &&
			st.st_ino == file->st_ino && st.st_dev == file->st_dev;
	if (dir)
		closedir(dir);
	return found;
}

/*
 * The kernel's own list of locks has who took a lock, not who holds it: the
 * launcher hands it over to the collector.
 */
static uint32_t find_holder(const struct weir_tracedir *place)
{
	char path[PATH_MAX];
	struct dirent *entry;
	struct stat st;
	unsigned long pid = 0, found = 0;
	DIR *proc;

	if (!weir_tracedir_path(place, ".lock", path) || stat(path, &st))
		return 0;
	proc = opendir("/proc");
	while (proc && !found && (entry = readdir(proc))) {
		pid = strtoul(entry->d_name, NULL, 10);
		if (pid && has_open(entry->d_name, &st))
			found = pid;
	}
	if (proc)
		closedir(proc);
	return (uint32_t)found;
}

static int is_live_name(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 5 && !strcmp(entry->d_name + len - 5, ".live");
}

static void note_process(int dir_fd, const char *name,
			 struct weir_leftover_busy *busy)
{
	struct weir_live_view *view;

	if (weir_live_open(dir_fd, name, &view))
		return;
	if (!weir_live_is_gone(view)) {
		if (busy->processes < WEIR_LEFTOVER_NAMED)
			busy->pids[busy->processes] =
				weir_live_about(view)->pid;
		busy->processes++;
	}
	weir_live_close(view);
}

/* Whether anybody still writes to the memory files; who, where it is told. */
static int find_processes(int dir_fd, struct weir_leftover_busy *busy)
{
	struct dirent **names;
	int control = -1,
	    n = scandirat(dir_fd, ".", &names, is_live_name, NULL);
	int is_busy;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		note_process(dir_fd, names[i]->d_name, busy);
		free(names[i]);
	}
	free(names);
	is_busy = busy->processes != 0;
	/* One that has not made a call yet has no file, but knows of us. */
	if (!weir_controlfile_open(dir_fd, true, &control)) {
		is_busy |= !weir_controlfile_is_alone(control);
		close(control);
	}
	return is_busy ? -EBUSY : 0;
}

static int look_at_live(struct weir_leftover *left,
			struct weir_leftover_busy *busy)
{
	int fd, err;

	if (!left->place.live[0])
		return 0;
	fd = open(left->place.live, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = find_processes(fd, busy);
	close(fd);
	return err;
}

/* A link that leads nowhere: to memory of another host, or lost long ago. */
static int find_live(struct weir_leftover *left, const char *here)
{
	char link_path[PATH_MAX];
	struct stat st;
	int err;

	if (!weir_tracedir_path(&left->place, ".live", link_path))
		return -ENAMETOOLONG;
	left->place.live[0] = '\0';
	if (lstat(link_path, &st))
		return 0;
	err = weir_tracedir_find_live(&left->place);
	if (!err)
		return 0;
	left->place.live[0] = '\0';
	if (err == -ENOENT)
		return strncmp(here, left->place.host, strlen(here)) ? -EREMOTE
								     : 0;
	return err;
}

/*
 * Looked for before the lock is asked for, too: a collector that does not get
 * it would think that it is not needed.
 */
static int find_life(struct weir_leftover *left, const char *here,
		     struct weir_leftover_busy *busy)
{
	int err = find_live(left, here);

	memset(busy, 0, sizeof(*busy));
	if (!err)
		err = look_at_live(left, busy);
	return err;
}

/* The place of a file, as the host that the file is of sees it. */
static int open_place(struct weir_tracedir *place, const char *path,
		      const char *host, char here[sizeof(place->host)])
{
	char *slash, dir[PATH_MAX];
	int err;

	if (snprintf(dir, sizeof(dir), "%s", path) >= (int)sizeof(dir))
		return -ENAMETOOLONG;
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	err = weir_tracedir_open(place, slash ? dir : ".");
	if (err)
		return err;
	memcpy(here, place->host, sizeof(place->host));
	set_host(place, host);
	return 0;
}

int weir_leftover_look(const char *path, const char *host,
		       struct weir_leftover_busy *ret_busy)
{
	struct weir_leftover left;
	char here[sizeof(left.place.host)];
	int err = open_place(&left.place, path, host, here);

	if (!err)
		err = find_life(&left, here, ret_busy);
	if (err == -EBUSY)
		ret_busy->collector = find_holder(&left.place);
	return err;
}

int weir_leftover_take(struct weir_leftover *left, const char *path,
		       const char *host, struct weir_leftover_busy *ret_busy)
{
	char here[sizeof(left->place.host)];
	int err = open_place(&left->place, path, host, here);

	if (!err)
		err = find_life(left, here, ret_busy);
	if (!err)
		err = weir_tracedir_lock(&left->place);
	if (err == -EWOULDBLOCK)
		err = -EBUSY;
	if (err == -EBUSY)
		ret_busy->collector = find_holder(&left->place);
	if (err)
		return err;
	err = find_life(left, here, ret_busy);
	if (err)
		weir_leftover_release(left);
	return err;
}

/* A live file and the ring that may lie beside it. */
static void remove_image(int dir_fd, const char *name)
{
	char ring[NAME_MAX + 1];

	if (snprintf(ring, sizeof(ring), "%s" WEIR_RING_SUFFIX, name) <
	    (int)sizeof(ring))
		unlinkat(dir_fd, ring, 0);
	unlinkat(dir_fd, name, 0);
}

/* Only what is known: somebody may have come this very moment. */
static void empty_live(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct weir_unrecorded told = {0};
	struct dirent **names;
	int n;

	if (fd < 0)
		return;
	n = scandirat(fd, ".", &names, is_live_name, NULL);
	for (int i = 0; i < n; i++) {
		struct weir_leftover_busy busy = {0};

		note_process(fd, names[i]->d_name, &busy);
		if (!busy.processes)
			remove_image(fd, names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	weir_reserve_remove(fd);
	weir_controlfile_take_marks(fd, &told);
	close(fd);
}

int weir_leftover_remove(struct weir_leftover *left)
{
	char link_path[PATH_MAX];

	if (left->place.live[0]) {
		empty_live(left->place.live);
		return weir_tracedir_remove_live(&left->place);
	}
	if (weir_tracedir_path(&left->place, ".live", link_path))
		unlink(link_path);
	return 0;
}

void weir_leftover_release(struct weir_leftover *left)
{
	weir_tracedir_unlock(&left->place);
}
