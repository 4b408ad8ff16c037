/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the files of a trace, whatever state they were left in. */
#include "trace/read/readset.h"

#include "base/grow.h"
#include "trace/control/controlfile.h"
#include "trace/read/packaside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_SUFFIX ".weir"
#define LIVE_SUFFIX ".live"

void weir_readset_close(struct weir_readset *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		weir_readnode_close(set->nodes[i]);
		free(set->nodes[i]);
	}
	free(set->nodes);
	if (set->has_aside)
		close(set->aside);
	weir_readshelf_fini(&set->shelf);
}

static int ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len > end_len && !strcmp(text + len - end_len, end);
}

/* base with another ending; -1 when it does not fit. */
static int set_suffix(char *to, size_t room, const char *path,
		      const char *suffix)
{
	const char *dot = strrchr(path, '.');
	size_t len = dot ? (size_t)(dot - path) : strlen(path);

	if (len + strlen(suffix) >= room)
		return -ENAMETOOLONG;
	memcpy(to, path, len);
	strcpy(to + len, suffix);
	return 0;
}

static int open_node(struct weir_readset *set, struct weir_readnode *node,
		     int fd, uint64_t at)
{
	weir_readnode_close(node);
	node->number = set->count;
	node->shelf = &set->shelf;
	return weir_readnode_open(node, fd, at);
}

/* All that has to be packed goes into one file, aside. */
static int make_aside(struct weir_readset *set, uint64_t *ret_end)
{
	struct stat st;
	int err = 0;

	if (!set->has_aside)
		err = weir_packaside_open(&set->aside);
	if (err)
		return err;
	set->has_aside = 1;
	if (fstat(set->aside, &st) < 0)
		return -errno;
	*ret_end = ((uint64_t)st.st_size + 7) & ~UINT64_C(7);
	return 0;
}

/* Replaces what is there of a node by what packing it would give. */
static int rescue_node(struct weir_readset *set, struct weir_readnode *node,
		       int fd, const char *live_dir)
{
	struct weir_pack_totals totals = { 0 };
	int raw = node->has_chunks || node->has_info ? fd : -1;
	uint64_t at = 0;
	int err = make_aside(set, &at);

	if (!err)
		err = weir_packaside_fill(raw, live_dir, set->aside, &totals);
	if (!err)
		err = open_node(set, node, set->aside, at);
	node->file = (struct weir_readfile){ .fd = set->aside };
	node->damage.blocks += totals.damaged_blocks;
	node->damage.bytes += totals.damaged_bytes;
	node->damage.events += totals.damaged_events;
	return err;
}

/* The last word of every process is there: nothing more was to come. */
static int all_have_ended(const struct weir_readnode *node)
{
	for (uint32_t i = 0; i < node->process_count; i++)
		if (!node->processes[i] ||
		    !strcmp(node->processes[i]->state, "live"))
			return 0;
	return node->process_count ||
	       weir_unrecorded_sum(&node->unrecorded).processes;
}

static int keep_file(struct weir_readset *set, struct weir_readnode *node,
		     const char *path, int fd)
{
	int keep = set->files_kept < set->files_most;

	set->files_kept += (uint32_t)keep;
	return weir_readfile_init(&node->file, path, fd, keep);
}

/*
 * Opens what there is of a host: a file (fd; -1: there is none), live memory
 * (NULL: likewise), or both. Whether the file is read on is told.
 */
static int load_node(struct weir_readset *set, struct weir_readnode *node,
		     int fd, const char *live, int *ret_needed)
{
	int err = fd < 0 ? 0 : open_node(set, node, fd, 0);

	if (err && !(live && err == -EBADMSG))
		return err;
	*ret_needed = node->event_blocks || node->has_end || node->next;
	if (*ret_needed) {
		set->unended += !node->has_end;
		return 0;
	}
	if (live || node->has_chunks)
		return rescue_node(set, node, fd, live);
	/* Sums, or nothing: its writer was stopped at once, or lost all. */
	*ret_needed = !!node->profile_count;
	set->unended += !all_have_ended(node);
	return 0;
}

static int find_node(struct weir_readset *set, struct weir_readnode *node,
		     const char *path)
{
	char live[PATH_MAX];
	int fd = -1, has_live, needed = 0, err;

	err = set_suffix(live, sizeof(live), path, LIVE_SUFFIX);
	if (err)
		return err;
	has_live = !access(live, F_OK);
	err = weir_readfile_find(path, &fd);
	if (err && !(has_live && err == -ENOENT))
		return err;
	err = load_node(set, node, fd, has_live ? live : NULL, &needed);
	if (!err && needed)
		return keep_file(set, node, path, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Where the first part of the file stays open, others share it. */
static int share_file(const struct weir_readnode *before, const char *path,
		      struct weir_readnode *node)
{
	const struct weir_readfile *file = &before->file;
	int fd, err;

	if (file->is_kept || !file->path) {
		node->file = (struct weir_readfile){ .fd = file->fd };
		return 0;
	}
	err = weir_readfile_find(path, &fd);
	return err ? err : weir_readfile_init(&node->file, path, fd, 0);
}

/* The part of a file that follows `before`. */
static int load_part(struct weir_readset *set, struct weir_readnode *node,
		     const struct weir_readnode *before)
{
	int fd, err = weir_readfile_open(&node->file, &fd);

	if (err)
		return err;
	node->number = set->count;
	node->shelf = &set->shelf;
	err = weir_readnode_open(node, fd, before->next);
	if (!node->dictionary)
		node->dictionary = before->dictionary;
	weir_readfile_close(&node->file, fd);
	set->unended += !err && !node->has_end;
	return err;
}

/* A file, or (before is not NULL) its next part; *ret_node is the set's. */
static int add_node(struct weir_readset *set, const char *path,
		    const struct weir_readnode *before,
		    const struct weir_readnode **ret_node)
{
	struct weir_readnode *node = calloc(1, sizeof(*node));
	int err = WEIR_GROW(set->nodes, set->count, set->room);

	if (!node)
		return -ENOMEM;
	if (!err)
		err = before ? share_file(before, path, node)
			     : find_node(set, node, path);
	if (!err && before)
		err = load_part(set, node, before);
	if (err) {
		weir_readnode_close(node);
		free(node);
		return err;
	}
	set->nodes[set->count++] = node;
	*ret_node = node;
	return 0;
}

static int add_file(struct weir_readset *set, const char *path)
{
	const struct weir_readnode *node = NULL;
	int err = add_node(set, path, NULL, &node);

	while (!err && node->next)
		err = add_node(set, path, node, &node);
	return err;
}

static int is_of_trace(const struct dirent *entry)
{
	return ends_with(entry->d_name, FILE_SUFFIX) ||
	       ends_with(entry->d_name, LIVE_SUFFIX);
}

/* One host of a directory; a file that is no trace does not hide others. */
static int add_host(struct weir_readset *set, const char *dir,
		    const char *name)
{
	char path[PATH_MAX];
	size_t dir_len = strlen(dir);
	int err;

	if (dir_len + 1 + strlen(name) + 1 > sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, dir, dir_len);
	path[dir_len] = '/';
	strcpy(path + dir_len + 1, name);
	err = set_suffix(path, sizeof(path), path, FILE_SUFFIX);
	if (!err)
		err = add_file(set, path);
	if (err == -ENOENT)
		return 0;
	if (err != -EBADMSG)
		return err;
	set->refused++;
	return 0;
}

static int same_host(const char *left, const char *right)
{
	size_t len = strlen(left) - strlen(FILE_SUFFIX);

	return strlen(right) == strlen(left) && !memcmp(left, right, len);
}

static int read_marks(struct weir_readset *set, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = weir_controlfile_count_marks(fd, &set->marks);
	close(fd);
	return err;
}

static int open_directory(struct weir_readset *set, const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, is_of_trace, alphasort);
	int err = n < 0 ? -errno : 0;

	for (int i = 0; i < n; i++) {
		/* HOST.live comes before HOST.weir and stands for both. */
		if (!err && !(i && same_host(names[i - 1]->d_name,
					     names[i]->d_name)))
			err = add_host(set, path, names[i]->d_name);
	}
	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n >= 0)
		free(names);
	if (!err)
		err = read_marks(set, path);
	if (err || set->count)
		return err;
	if (weir_unrecorded_sum(&set->marks).processes)
		return 0;
	return set->refused ? -EBADMSG : -ENOENT;
}

int weir_readset_open(struct weir_readset *set, const char *path)
{
	struct stat st;
	int err;

	set->files_most = weir_readfile_most();
	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return open_directory(set, path);
	err = add_file(set, path);
	/* Empty, and no memory beside it: in a directory it would tell that its
	 * writer was stopped at once, alone it tells nothing. */
	if (!err && S_ISREG(st.st_mode) && !st.st_size && !set->has_aside)
		return -EBADMSG;
	return err;
}
