/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the trace that was made last. */
#include "launch/directory/newesttrace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_DEPTH   3
#define MOST_ENTRIES 50000

struct search {
	char *newest; /* PATH_MAX */
	struct timespec when; /* of that */
	unsigned entries;
};

static bool ends_with(const char *name, const char *suffix)
{
	size_t len = strlen(name), more = strlen(suffix);

	return len > more && !strcmp(name + len - more, suffix);
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec > b.tv_sec ||
	       (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

/* Only links of live files have that name: what they lead to may be gone. */
static bool is_of_trace(int dir_fd, const char *name, struct stat *ret_st)
{
	if (!ends_with(name, ".weir") && !ends_with(name, ".live"))
		return false;
	return !fstatat(dir_fd, name, ret_st, AT_SYMLINK_NOFOLLOW) &&
	       (S_ISREG(ret_st->st_mode) || S_ISLNK(ret_st->st_mode));
}

/*
 * A file of the top stands for itself: that directory may hold many runs. What
 * is being recorded is read by its directory.
 */
static void offer(struct search *search, const char *dir, const char *name,
		  const struct stat *st)
{
	if (*search->newest && !is_later(st->st_mtim, search->when))
		return;
	snprintf(search->newest, PATH_MAX, "%s",
		 *dir ? dir : ends_with(name, ".live") ? "." : name);
	search->when = st->st_mtim;
}

static int search_below(struct search *search, int at_fd, const char *dir,
			int depth);

static void search_entry(struct search *search, int dir_fd, const char *dir,
			 const struct dirent *entry, int depth)
{
	char path[PATH_MAX];
	struct stat st;

	if (entry->d_name[0] == '.')
		return;
	if (is_of_trace(dir_fd, entry->d_name, &st)) {
		offer(search, dir, entry->d_name, &st);
		return;
	}
	if (depth >= MOST_DEPTH ||
	    (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) ||
	    snprintf(path, sizeof(path), "%s%s%s", dir, *dir ? "/" : "",
		     entry->d_name) >= (int)sizeof(path))
		return;
	search_below(search, dir_fd, path, depth + 1);
}

/* `dir` as seen from the top, "" for that; its last part is in `at_fd`. */
static int search_below(struct search *search, int at_fd, const char *dir,
			int depth)
{
	const char *slash = strrchr(dir, '/');
	const char *name = !*dir ? "." : slash ? slash + 1 : dir;
	int fd = openat(at_fd, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!list) {
		int err = -errno;

		if (fd >= 0)
			close(fd);
		return err;
	}
	while (search->entries < MOST_ENTRIES && (entry = readdir(list))) {
		search->entries++;
		search_entry(search, fd, dir, entry, depth);
	}
	closedir(list);
	return 0;
}

int weir_newesttrace_find(const char *top, char ret_path[PATH_MAX])
{
	struct search search = { .newest = ret_path };
	int fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	*ret_path = '\0';
	err = search_below(&search, fd, "", 0);
	close(fd);
	return err ? err : *ret_path ? 0 : -ENOENT;
}
