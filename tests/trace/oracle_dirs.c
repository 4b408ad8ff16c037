/* SPDX-License-Identifier: BSD-3-Clause */
/* Directories: as streams, by descriptor, and whole trees of them. */
#include "oracle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Old, but there. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

ssize_t getdirentries64(int fd, char *buf, size_t size, off64_t *base);

/* sub/ with a file and a directory in it. */
static void make_tree(void)
{
	oracle_make_dir("sub");
	oracle_make_dir("sub/dir");
	oracle_make_file("sub/file", 3);
}

static const char *told_entry(const struct dirent *entry)
{
	static char text[512];

	if (!entry)
		return "null";
	snprintf(text, sizeof(text), "{'ino':%lu,'type':%d,'name':'%s'}",
		 entry->d_ino, entry->d_type, entry->d_name);
	return text;
}

/* The descriptor inside is asked for by a call that is told as well. */
static DIR *do_opendir(const char *path, int *ret_fd)
{
	DIR *dir = opendir(path);
	int fd = dir ? dirfd(dir) : -1;

	if (!dir) {
		tell("opendir", -1, "'path':'%s'", book_absolute(path));
		return NULL;
	}
	book_open(fd, book_absolute(path), O_CLOEXEC);
	tell("opendir", (long)dir, "%s", book_name(fd));
	tell("dirfd", fd, "%s", book_name(fd));
	*ret_fd = fd;
	return dir;
}

static void do_closedir(DIR *dir, int fd)
{
	int ret = closedir(dir);

	tell("closedir", ret, "%s", book_name(fd));
	book_close(fd);
}

/* Reads to the end by one symbol: the end is no error, and sets none. */
static void read_all(DIR *dir, int fd, const char *symbol,
		     struct dirent *(*call)(DIR *))
{
	struct dirent *entry;

	do {
		errno = EXDEV;
		entry = call(dir);
		if (errno != EXDEV)
			tell_failure("errno was not kept");
		tell(symbol, (long)entry, "%s,'args':{'entry':%s}",
		     book_name(fd), told_entry(entry));
	} while (entry);
}

typedef int read_r_call(DIR *, struct dirent *, struct dirent **);

static void read_all_r(DIR *dir, int fd, const char *symbol,
		       read_r_call *call)
{
	struct dirent room, *entry;
	int err;

	do {
		err = call(dir, &room, &entry);
		tell_errnum(symbol, err, "%s,'args':{'entry':%s}",
			    book_name(fd), told_entry(entry));
	} while (entry);
}

static void told_place(DIR *dir, int fd)
{
	long place = telldir(dir);

	tell("telldir", place, "%s", book_name(fd));
	seekdir(dir, place);
	tell("seekdir", 0, "%s,'off':%ld", book_name(fd), place);
	rewinddir(dir);
	tell("rewinddir", 0, "%s", book_name(fd));
}

static void play_dir(long count)
{
	int fd;
	DIR *dir;

	make_tree();
	do_opendir("none", &fd);
	dir = do_opendir("sub", &fd);
	read_all(dir, fd, "readdir", readdir);
	told_place(dir, fd);
	read_all(dir, fd, "readdir64", (void *)readdir64);
	told_place(dir, fd);
	read_all_r(dir, fd, "readdir_r", readdir_r);
	told_place(dir, fd);
	read_all_r(dir, fd, "readdir64_r", (read_r_call *)readdir64_r);
	do_closedir(dir, fd);
	tell("closedir", closedir(NULL), "'fd':-1");
}

/* A descriptor that was ours becomes the stream's, and ends with it. */
static void play_fdopendir(long count)
{
	int fd, file;
	DIR *dir;

	make_tree();
	fd = book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
	file = book_do_open("sub/file", O_RDONLY, 0);
	dir = fdopendir(fd);
	tell("fdopendir", (long)dir, "%s", book_name(fd));
	tell("fdopendir", fdopendir(file) ? 0 : -1, "%s", book_name(file));
	tell("fdopendir", fdopendir(999) ? 0 : -1, "%s", book_name(999));
	read_all(dir, fd, "readdir", readdir);
	raw_call(SYS_dup2, file, fd); /* reading it as a directory fails */
	rewinddir(dir);
	tell("rewinddir", 0, "%s", book_name(fd));
	tell("readdir", readdir(dir) ? 0 : -1, "%s,'args':{'entry':null}",
	     book_name(fd));
	do_closedir(dir, fd);
	book_do_close(file);
	book_do_close(book_do_open("sub/file", O_RDONLY, 0));
}

static void play_getdents(long count)
{
	static char room[4096];
	off_t base;
	int fd, again;

	make_tree();
	fd = book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
	tell("getdents64", getdents64(fd, room, sizeof(room)),
	     "%s,'size':4096", book_name(fd));
	tell("getdents64", getdents64(fd, room, 1), "%s,'size':1",
	     book_name(fd));
	tell("getdents64", getdents64(999, room, 77), "%s,'size':77",
	     book_name(999));
	tell("getdirentries", getdirentries(fd, room, 4096, &base),
	     "%s,'size':4096", book_name(fd));
	again = book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
	tell("getdirentries64", getdirentries64(again, room, 4096, &base),
	     "%s,'size':4096", book_name(again));
	tell("read", read(again, room, 10), "%s,'size':10,'off':null",
	     book_name(again));
	book_do_close(again);
	book_do_close(fd);
}

static void look(int depth)
{
	tell("access", access("sub/file", R_OK), "'path':'%s','depth':%d",
	     book_absolute("sub/file"), depth);
}

/* Callbacks make calls of their own: they are told one level deeper. */
static void do_inside(void)
{
	look(1);
}

static int select_file(const struct dirent *entry)
{
	do_inside();
	return !strcmp(entry->d_name, "file");
}

static void told_names(const char *symbol, const char *path, int ret,
		       struct dirent **list)
{
	tell(symbol, ret, "'path':'%s','depth':0", book_absolute(path));
	for (int i = 0; i < ret; i++)
		free(list[i]);
	if (ret >= 0)
		free(list);
}

static void play_scandir(long count)
{
	int (*select64)(const struct dirent64 *) = (void *)select_file;
	struct dirent **list;
	int ret;

	make_tree();
	ret = scandir("sub", &list, select_file, alphasort);
	told_names("scandir", "sub", ret, list);
	ret = scandir("none", &list, NULL, NULL);
	told_names("scandir", "none", ret, list);
	ret = scandir64("sub", (void *)&list, select64, NULL);
	told_names("scandir64", "sub", ret, list);
	ret = scandirat(AT_FDCWD, "sub", &list, NULL, NULL);
	told_names("scandirat", "sub", ret, list);
	ret = scandirat64(AT_FDCWD, "sub", (void *)&list, select64, NULL);
	told_names("scandirat64", "sub", ret, list);
}

static int on_file(const char *path, const struct stat *st, int type)
{
	do_inside();
	return strcmp(path, "sub/file") ? 0 : 7;
}

/* nftw has moved there: the name alone tells no directory. */
static int on_moved(const char *path, const struct stat *st, int type,
		    struct FTW *where)
{
	tell("access", access("file", R_OK), "'path':'file','depth':1");
	return -1;
}

static int on_all(const char *path, const struct stat *st, int type,
		  struct FTW *where)
{
	do_inside();
	return 0;
}

static void told_walk(const char *symbol, int ret, const char *path,
		      const char *args)
{
	tell(symbol, ret, "'path':'%s','depth':0,'args':{%s}",
	     book_absolute(path), args);
}

static void play_ftw(long count)
{
	int (*file64)(const char *, const struct stat64 *, int) =
		(void *)on_file;
	int (*all64)(const char *, const struct stat64 *, int, struct FTW *) =
		(void *)on_all;

	make_tree();
	told_walk("ftw", ftw("sub", on_file, 5), "sub", "'room':5");
	told_walk("ftw", ftw("none", on_file, 5), "none", "'room':5");
	told_walk("ftw64", ftw64("sub", file64, 3), "sub", "'room':3");
	told_walk("nftw", nftw("sub", on_all, 5, FTW_PHYS | FTW_DEPTH), "sub",
		  "'room':5,'flags':9");
	told_walk("nftw", nftw("sub", on_moved, 5, FTW_CHDIR), "sub",
		  "'room':5,'flags':4");
	told_walk("nftw64", nftw64("sub", all64, 5, 0), "sub", "'flags':0");
}

static void told_fts(const char *symbol, FTSENT *entry, const char *name,
		     const char *field)
{
	char text[512] = "null";

	if (entry)
		snprintf(text, sizeof(text), "{'info':%d,'level':%d,'%s':'%s'}",
			 entry->fts_info, entry->fts_level, field,
			 strcmp(field, "name") ? entry->fts_path :
						 entry->fts_name);
	tell(symbol, (long)entry, "'args':{'%s':%s}", name, text);
}

struct fts_calls {
	FTS *(*open)(char *const *, int,
		     int (*)(const FTSENT **, const FTSENT **));
	FTSENT *(*read)(FTS *);
	FTSENT *(*children)(FTS *, int);
	int (*set)(FTS *, FTSENT *, int);
	int (*close)(FTS *);
	const char *symbols[5];
};

static void read_tree(const struct fts_calls *calls, char *const *roots,
		      int flags)
{
	FTS *tree = calls->open(roots, flags, NULL);
	FTSENT *entry;

	tell(calls->symbols[0], (long)tree,
	     "'args':{'roots':'sub','flags':%d}", flags);
	entry = calls->children(tree, 0);
	told_fts(calls->symbols[2], entry, "first", "name");
	do {
		errno = EXDEV;
		entry = calls->read(tree);
		if (!entry && errno)
			tell_failure("the end was an error");
		told_fts(calls->symbols[1], entry, "entry", "path");
		if (entry && !strcmp(entry->fts_name, "dir"))
			tell(calls->symbols[3],
			     calls->set(tree, entry, FTS_SKIP),
			     "'args':{'order':4}");
	} while (entry);
	tell(calls->symbols[4], calls->close(tree), NO_FIELDS);
	look(0);
}

static void play_fts(long count)
{
	static const struct fts_calls calls[] = {
		{ fts_open, fts_read, fts_children, fts_set, fts_close,
		  { "fts_open", "fts_read", "fts_children", "fts_set",
		    "fts_close" } },
		{ (void *)fts64_open, (void *)fts64_read,
		  (void *)fts64_children, (void *)fts64_set,
		  (void *)fts64_close,
		  { "fts64_open", "fts64_read", "fts64_children", "fts64_set",
		    "fts64_close" } },
	};
	char *roots[] = { "sub", NULL };

	make_tree();
	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		read_tree(&calls[i], roots, FTS_PHYSICAL | FTS_NOCHDIR);
		read_tree(&calls[i], roots, FTS_PHYSICAL);
	}
	tell("fts_open", fts_open(roots, 0x1000, NULL) ? 0 : -1,
	     "'args':{'roots':'sub','flags':4096}");
}

static void told_glob(const char *symbol, int ret, const char *pattern,
		      const char *matches)
{
	tell(symbol, ret, "'errno':0,'args':{'pattern':'%s','matches':%s}",
	     pattern, matches);
}

static void play_glob(long count)
{
	glob_t names;

	make_tree();
	told_glob("glob", glob("sub/*", 0, NULL, &names), "sub/*", "2");
	globfree(&names);
	told_glob("glob", glob("x*", GLOB_MARK, NULL, &names), "x*", "null");
	told_glob("glob64", glob64("sub/f*", 0, NULL, (void *)&names),
		  "sub/f*", "1");
	globfree(&names);
}

const struct scenario oracle_dirs[] = {
	{ "dir", play_dir },           { "fdopendir", play_fdopendir },
	{ "getdents", play_getdents }, { "scandir", play_scandir },
	{ "ftw", play_ftw },           { "fts", play_fts },
	{ "glob", play_glob },         { NULL, NULL },
};
