/* SPDX-License-Identifier: BSD-3-Clause */
/* Directories, and mappings of files. */
#include "calls.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* How many there are, and a sum of their names: no order is promised. */
static long add_names(DIR *dir)
{
	struct dirent *entry;
	long sum = 0;

	while ((entry = readdir(dir)))
		for (const char *at = entry->d_name; *at; at++)
			sum += *at;
	return sum;
}

static void list(DIR *dir)
{
	if (!dir) {
		say("directory", -1);
		return;
	}
	SAY(add_names(dir));
	close(make_second("late", "made while it is listed"));
	rewinddir(dir);
	SAY(add_names(dir));
	SAY(closedir(dir));
}

static void try_opendir(const struct cell *c)
{
	list(opendir("."));
	list(opendir(c->path));
	list(opendir("file/below"));
}

static void try_fdopendir(const struct cell *c)
{
	list(fdopendir(dup(c->dir)));
	list(fdopendir(c->fd));
}

static void try_readdir(const struct cell *c)
{
	list(opendir("./"));
}

static void try_readdir_r(const struct cell *c)
{
	struct dirent room, *entry;
	DIR *dir = opendir(".");
	long count = 0;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	while (!readdir_r(dir, &room, &entry) && entry)
		count++;
#pragma GCC diagnostic pop
	SAY(count);
	SAY(closedir(dir));
}

static void try_closedir(const struct cell *c)
{
	SAY(closedir(opendir(".")));
}

static void try_rewinddir(const struct cell *c)
{
	DIR *dir = opendir(".");

	SAY(add_names(dir));
	SAY(unlink(c->path));
	rewinddir(dir);
	SAY(add_names(dir));
	close(make_second("other", "of the other"));
	rewinddir(dir);
	SAY(add_names(dir));
	SAY(closedir(dir));
}

static void try_seekdir(const struct cell *c)
{
	DIR *dir = opendir(".");
	long from = telldir(dir);

	SAY(add_names(dir));
	seekdir(dir, from);
	SAY(add_names(dir));
	SAY(closedir(dir));
}

static void try_telldir(const struct cell *c)
{
	DIR *dir = opendir(".");

	SAY(telldir(dir));
	SAY(closedir(dir));
}

static void try_dirfd(const struct cell *c)
{
	DIR *dir = opendir(".");
	struct stat about;

	SAY(fstatat(dirfd(dir), c->path, &about, 0));
	SAY(closedir(dir));
}

static void say_list(const char *what, int count, struct dirent **names)
{
	say(what, count);
	for (int i = 0; i < count; i++) {
		puts(names[i]->d_name);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

static void try_scandir(const struct cell *c)
{
	struct dirent **names;

	say_entries(".");
	SAY(scandir(c->path, &names, NULL, NULL));
}

static void try_scandirat(const struct cell *c)
{
	struct dirent **names;
	int count = scandirat(c->dir, ".", &names, NULL, alphasort);

	say_list("here", count, names);
	SAY(scandirat(c->dir, c->path, &names, NULL, NULL));
}

static void try_getdents64(const struct cell *c)
{
	char room[4096];

	SAY(getdents64(c->dir, room, sizeof(room)));
	SAY(getdents64(c->fd, room, sizeof(room)));
}

static void try_getdirentries(const struct cell *c)
{
	char room[4096];
	off_t base = 0;

	SAY(getdirentries(c->dir, room, sizeof(room), &base));
}

static long walked;

static int count_one(const char *path, const struct stat *about, int what)
{
	walked += what == FTW_F ? 1000 + about->st_size : 1;
	return 0;
}

static int count_more(const char *path, const struct stat *about, int what,
		      struct FTW *level)
{
	return count_one(path, about, what);
}

static void try_ftw(const struct cell *c)
{
	SAY(ftw(".", count_one, 5));
	SAY(ftw(c->path, count_one, 5));
	SAY(walked);
}

static void try_nftw(const struct cell *c)
{
	SAY(nftw(".", count_more, 5, FTW_PHYS));
	SAY(nftw(c->path, count_more, 5, 0));
	SAY(walked);
}

/* With what is made between opening and reading. */
static long walk_tree(FTS *tree, bool by_children)
{
	FTSENT *entry;
	long sum = 0;

	close(make_second("late", "made before it is read"));
	while ((entry = fts_read(tree))) {
		sum += entry->fts_info == FTS_F
			       ? 1000 + entry->fts_statp->st_size
			       : 1;
		if (!by_children || entry->fts_info != FTS_D)
			continue;
		for (entry = fts_children(tree, 0); entry;
		     entry = entry->fts_link)
			sum += 100000;
	}
	return sum;
}

static void walk_from(bool by_children)
{
	char *roots[] = {".", NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	SAY(walk_tree(tree, by_children));
	SAY(fts_close(tree));
}

static void try_fts_open(const struct cell *c)
{
	char *roots[] = {(char *)(uintptr_t)c->path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL, NULL);
	FTSENT *entry = fts_read(tree);

	SAY(entry ? entry->fts_info : -1);
	SAY(fts_close(tree));
}

static void try_fts_read(const struct cell *c)
{
	walk_from(false);
}

static void try_fts_children(const struct cell *c)
{
	walk_from(true);
}

static void try_glob(const struct cell *c)
{
	static const char *const patterns[] = {"*", "f*", "file", "r?named",
					       "../*/file/*"};
	glob_t found;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		if (SAY(glob(patterns[i], 0, NULL, &found)))
			continue;
		for (size_t j = 0; j < found.gl_pathc; j++)
			puts(found.gl_pathv[j]);
		globfree(&found);
	}
}

const struct call list_calls[] = {
	{"opendir", try_opendir},
	{"fdopendir", try_fdopendir},
	{"readdir", try_readdir},
	{"readdir_r", try_readdir_r},
	{"closedir", try_closedir},
	{"rewinddir", try_rewinddir},
	{"seekdir", try_seekdir},
	{"telldir", try_telldir},
	{"dirfd", try_dirfd},
	{"scandir", try_scandir},
	{"scandirat", try_scandirat},
	{"getdents64", try_getdents64},
	{"getdirentries", try_getdirentries},
	{"ftw", try_ftw},
	{"nftw", try_nftw},
	{"fts_open", try_fts_open},
	{"fts_read", try_fts_read},
	{"fts_children", try_fts_children},
	{"glob", try_glob},
	{NULL, NULL},
};

#define LENGTH 4096

static void try_mmap(const struct cell *c)
{
	char *at = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
			0);

	if (SAY(at == MAP_FAILED))
		return;
	say_text("mapped", at, 10);
	at[1] = 'm';
	SAY(write(c->fd, "written", 7));
	say_text("mapped", at, 11);
	SAY(munmap(at, LENGTH));
	SAY(mmap(NULL, LENGTH, PROT_READ, MAP_PRIVATE, c->dir, 0) !=
	    MAP_FAILED);
}

/* One mapping, on which each call is made. */
static char *map(const struct cell *c)
{
	char *at = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
			0);

	if (at == MAP_FAILED)
		exit(1);
	at[2] = 'M';
	return at;
}

static void try_munmap(const struct cell *c)
{
	SAY(munmap(map(c), LENGTH));
}

static void try_msync(const struct cell *c)
{
	SAY(msync(map(c), LENGTH, MS_SYNC));
}

static void try_mprotect(const struct cell *c)
{
	SAY(mprotect(map(c), LENGTH, PROT_READ));
}

static void try_madvise(const struct cell *c)
{
	SAY(madvise(map(c), LENGTH, MADV_DONTNEED));
	SAY(madvise(map(c), LENGTH, MADV_REMOVE));
}

static void try_posix_madvise(const struct cell *c)
{
	SAY(posix_madvise(map(c), LENGTH, POSIX_MADV_WILLNEED));
}

static void try_mremap(const struct cell *c)
{
	char *at = mremap(map(c), LENGTH, 2 * LENGTH, MREMAP_MAYMOVE);

	SAY(at != MAP_FAILED);
	say_text("moved", at, 10);
}

static void try_remap_file_pages(const struct cell *c)
{
	SAY(remap_file_pages(map(c), LENGTH, 0, 0, 0));
}

const struct call map_calls[] = {
	{"mmap", try_mmap},
	{"munmap", try_munmap},
	{"msync", try_msync},
	{"mprotect", try_mprotect},
	{"madvise", try_madvise},
	{"posix_madvise", try_posix_madvise},
	{"mremap", try_mremap},
	{"remap_file_pages", try_remap_file_pages},
	{NULL, NULL},
};
