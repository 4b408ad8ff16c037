/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that move no data: sync, sizes, advice, stat and the directory. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define OLD_VERSION 1 /* what __xstat and its family are called with */

int __xstat(int ver, const char *path, struct stat *st);
int __xstat64(int ver, const char *path, struct stat64 *st);
int __lxstat(int ver, const char *path, struct stat *st);
int __lxstat64(int ver, const char *path, struct stat64 *st);
int __fxstat(int ver, int fd, struct stat *st);
int __fxstat64(int ver, int fd, struct stat64 *st);
int __fxstatat(int ver, int dir, const char *path, struct stat *st, int flags);
int __fxstatat64(int ver, int dir, const char *path, struct stat64 *st,
		 int flags);

static void play_sync(long count)
{
	static const struct {
		const char *symbol;
		int (*sync)(int);
	} calls[] = { { "fsync", fsync },
		      { "fdatasync", fdatasync },
		      { "syncfs", syncfs } };
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		tell(calls[i].symbol, calls[i].sync(fd), "%s", book_name(fd));
		tell(calls[i].symbol, calls[i].sync(999), "'fd':999");
	}
	sync();
	tell("sync", 0, NO_FIELDS);
	tell("sync_file_range", sync_file_range(fd, 10, 20, 2),
	     "%s,'off':10,'size':20,'args':{'flags':2}", book_name(fd));
	tell("sync_file_range", sync_file_range(fd, -10, 20, 2),
	     "%s,'off':-10,'size':20,'args':{'flags':2}", book_name(fd));
	book_do_close(fd);
}

static void told_size(const char *symbol, int fd, long size, int ret)
{
	tell(symbol, ret, "%s,'off':%ld", book_name(fd), size);
}

static void told_path_size(const char *symbol, const char *path, long size,
			   int ret)
{
	tell(symbol, ret, "'path':'%s','off':%ld", book_absolute(path), size);
}

static void play_truncate(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	told_size("ftruncate", fd, 100, ftruncate(fd, 100));
	told_size("ftruncate64", fd, 50, ftruncate64(fd, 50));
	told_size("ftruncate", fd, -1, ftruncate(fd, -1));
	told_size("ftruncate64", 999, 5, ftruncate64(999, 5));
	told_path_size("truncate", "file", 30, truncate("file", 30));
	told_path_size("truncate64", "file", 40, truncate64("file", 40));
	told_path_size("truncate", "none", 30, truncate("none", 30));
	told_path_size("truncate64", "file", -5, truncate64("file", -5));
	book_do_close(fd);
}

static void told_room(const char *symbol, int fd, long off, long len, int mode,
		      int ret)
{
	tell(symbol, ret, "%s,'off':%ld,'size':%ld,'args':{'mode':%d}",
	     book_name(fd), off, len, mode);
}

static void told_room_errnum(const char *symbol, int fd, long off, long len,
			     int err)
{
	tell_errnum(symbol, err, "%s,'off':%ld,'size':%ld", book_name(fd),
		    off, len);
}

static void play_allocate(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	told_room("fallocate", fd, 10, 90, 0, fallocate(fd, 0, 10, 90));
	told_room("fallocate64", fd, 0, 200, FALLOC_FL_KEEP_SIZE,
		  fallocate64(fd, FALLOC_FL_KEEP_SIZE, 0, 200));
	told_room("fallocate", 999, 0, 5, 0, fallocate(999, 0, 0, 5));
	told_room("fallocate64", fd, -5, 5, 0, fallocate64(fd, 0, -5, 5));
	told_room_errnum("posix_fallocate", fd, 50, 100,
			 posix_fallocate(fd, 50, 100));
	told_room_errnum("posix_fallocate64", fd, 50, 150,
			 posix_fallocate64(fd, 50, 150));
	told_room_errnum("posix_fallocate", 999, 0, 5,
			 posix_fallocate(999, 0, 5));
	told_room_errnum("posix_fallocate64", fd, 0, 0,
			 posix_fallocate64(fd, 0, 0));
	book_do_close(fd);
}

static void told_advice(const char *symbol, int fd, long off, long len,
			int advice, int err)
{
	tell_errnum(symbol, err, "%s,'off':%ld,'size':%ld,'args':{'advice':%d}",
		    book_name(fd), off, len, advice);
}

static void play_advice(long count)
{
	int fd;

	oracle_make_file("data", 100);
	fd = book_do_open("data", O_RDONLY, 0);
	told_advice("posix_fadvise", fd, 0, 10, POSIX_FADV_WILLNEED,
		    posix_fadvise(fd, 0, 10, POSIX_FADV_WILLNEED));
	told_advice("posix_fadvise64", fd, 5, 0, POSIX_FADV_DONTNEED,
		    posix_fadvise64(fd, 5, 0, POSIX_FADV_DONTNEED));
	told_advice("posix_fadvise", 999, 0, 10, 0,
		    posix_fadvise(999, 0, 10, 0));
	told_advice("posix_fadvise64", fd, 0, 10, 99,
		    posix_fadvise64(fd, 0, 10, 99));
	tell("readahead", readahead(fd, 3, 50), "%s,'off':3,'size':50",
	     book_name(fd));
	tell("readahead", readahead(999, 3, 50), "'fd':999,'off':3,'size':50");
	book_do_close(fd);
}

static void told_stat(const char *symbol, const char *path, const void *st,
		      int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'st':%s}", book_absolute(path),
	     ret ? "null" : tell_stat(st));
}

/*
 * Filled anew for each call. struct stat64 is the same here, so that one
 * table can hold the calls of both.
 */
static struct stat one;

typedef int stat_call(const char *path, struct stat *st);
typedef int old_stat_call(int version, const char *path, struct stat *st);

static const struct {
	const char *symbol;
	stat_call *stat;
} stats[] = {
	{ "stat", stat },
	{ "stat64", (stat_call *)stat64 },
	{ "lstat", lstat },
	{ "lstat64", (stat_call *)lstat64 },
};

static const struct {
	const char *symbol;
	old_stat_call *stat;
} old_stats[] = {
	{ "__xstat", __xstat },
	{ "__xstat64", (old_stat_call *)__xstat64 },
	{ "__lxstat", __lxstat },
	{ "__lxstat64", (old_stat_call *)__lxstat64 },
};

static void play_stat(long count)
{
	static const char *const paths[] = { "data", "link", "none",
					     "/dev/null" };
	int ret;

	oracle_make_file("data", 12345);
	oracle_make_link("data", "link");
	for (size_t p = 0; p < ELEMENTS(paths); p++) {
		for (size_t i = 0; i < ELEMENTS(stats); i++) {
			ret = stats[i].stat(paths[p], &one);
			told_stat(stats[i].symbol, paths[p], &one, ret);
		}
		for (size_t i = 0; i < ELEMENTS(old_stats); i++) {
			ret = old_stats[i].stat(OLD_VERSION, paths[p], &one);
			told_stat(old_stats[i].symbol, paths[p], &one, ret);
		}
	}
}

static void told_fstat(const char *symbol, int fd, const void *st, int ret)
{
	tell(symbol, ret, "%s,'args':{'st':%s}", book_name(fd),
	     ret ? "null" : tell_stat(st));
}

static void play_fstat(long count)
{
	int fds[2] = { -1, 999 };
	int ret;

	oracle_make_file("data", 12345);
	fds[0] = book_do_open("data", O_RDONLY, 0);
	for (int i = 0; i < 2; i++) {
		ret = fstat(fds[i], &one);
		told_fstat("fstat", fds[i], &one, ret);
		ret = fstat64(fds[i], (struct stat64 *)&one);
		told_fstat("fstat64", fds[i], &one, ret);
		ret = __fxstat(OLD_VERSION, fds[i], &one);
		told_fstat("__fxstat", fds[i], &one, ret);
		ret = __fxstat64(OLD_VERSION, fds[i], (struct stat64 *)&one);
		told_fstat("__fxstat64", fds[i], &one, ret);
	}
	book_do_close(fds[0]);
}

static void told_fstatat(const char *symbol, int dir, const char *path,
			 const void *st, int flags, int ret)
{
	char in_sub[700];

	snprintf(in_sub, sizeof(in_sub), "%s/sub/%s", oracle_dir, path);
	tell(symbol, ret, "'path':'%s','args':{'dir':%d,'flags':%d,'st':%s}",
	     dir == AT_FDCWD ? book_absolute(path) : in_sub, dir, flags,
	     ret ? "null" : tell_stat(st));
}

static void try_fstatat(int dir, const char *path, int flags)
{
	struct stat64 *one64 = (struct stat64 *)&one;
	int ret;

	ret = fstatat(dir, path, &one, flags);
	told_fstatat("fstatat", dir, path, &one, flags, ret);
	ret = fstatat64(dir, path, one64, flags);
	told_fstatat("fstatat64", dir, path, one64, flags, ret);
	ret = __fxstatat(OLD_VERSION, dir, path, &one, flags);
	told_fstatat("__fxstatat", dir, path, &one, flags, ret);
	ret = __fxstatat64(OLD_VERSION, dir, path, one64, flags);
	told_fstatat("__fxstatat64", dir, path, one64, flags, ret);
}

static void play_fstatat(long count)
{
	int sub;

	oracle_make_dir("sub");
	oracle_make_file("data", 1);
	oracle_make_file("sub/data", 2);
	sub = book_do_open("sub", O_PATH, 0);
	try_fstatat(AT_FDCWD, "data", 0);
	try_fstatat(AT_FDCWD, "none", AT_SYMLINK_NOFOLLOW);
	try_fstatat(sub, "data", 0);
	try_fstatat(sub, "none", AT_SYMLINK_NOFOLLOW);
	book_do_close(sub);
}

static void as_stat(const struct statx *x, struct stat *st)
{
	*st = (struct stat){
		.st_dev = makedev(x->stx_dev_major, x->stx_dev_minor),
		.st_ino = x->stx_ino,
		.st_mode = x->stx_mode,
		.st_nlink = x->stx_nlink,
		.st_uid = x->stx_uid,
		.st_gid = x->stx_gid,
		.st_rdev = makedev(x->stx_rdev_major, x->stx_rdev_minor),
		.st_size = (off_t)x->stx_size,
		.st_atim = { x->stx_atime.tv_sec, x->stx_atime.tv_nsec },
		.st_mtim = { x->stx_mtime.tv_sec, x->stx_mtime.tv_nsec },
		.st_ctim = { x->stx_ctime.tv_sec, x->stx_ctime.tv_nsec },
		.st_blksize = x->stx_blksize,
		.st_blocks = (blkcnt_t)x->stx_blocks,
	};
}

static void play_statx(long count)
{
	static const char *const paths[] = { "data", "none", "/dev/full" };
	struct statx st = { 0 };
	int ret;

	oracle_make_file("data", 12345);
	for (size_t i = 0; i < ELEMENTS(paths); i++) {
		ret = statx(AT_FDCWD, paths[i], AT_SYMLINK_NOFOLLOW,
			    STATX_BASIC_STATS, &st);
		as_stat(&st, &one);
		tell("statx", ret, "'path':'%s','args':{'dir':%d,'flags':%d,"
		     "'mask':%u,'st':%s}", book_absolute(paths[i]), AT_FDCWD,
		     AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS,
		     ret ? "null" : tell_stat(&one));
	}
}

static void told_chdir(const char *path, int ret)
{
	tell("chdir", ret, "'path':'%s'", path);
	if (!ret)
		book_chdir(path);
}

static void play_chdir(long count)
{
	char sub[600], below[600];
	int fd;

	snprintf(sub, sizeof(sub), "%s/sub", oracle_dir);
	snprintf(below, sizeof(below), "%s/sub/below", oracle_dir);
	oracle_make_dir(sub);
	oracle_make_dir(below);
	told_chdir(sub, chdir("sub"));
	book_do_close(book_do_open("file", O_RDWR | O_CREAT, 0644));
	told_chdir(below, chdir("./below"));
	fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	book_do_close(fd);
	tell("chdir", chdir("nowhere"), "'path':'%s/nowhere'", below);
	told_chdir(oracle_dir, chdir("../.."));
	fd = book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
	tell("fchdir", fchdir(fd), "%s", book_name(fd));
	book_chdir(sub);
	book_do_close(fd);
	book_do_close(book_do_open("file", O_RDONLY, 0));
	tell("fchdir", fchdir(999), "'fd':999");
	told_chdir("/", chdir("/"));
	book_do_close(book_do_open("/dev/null", O_RDONLY, 0));
	told_chdir(oracle_dir, chdir(oracle_dir));
	book_do_close(book_do_open("sub/file", O_RDONLY, 0));
}

const struct scenario oracle_marks[] = {
	{ "sync", play_sync },         { "truncate", play_truncate },
	{ "allocate", play_allocate }, { "advice", play_advice },
	{ "stat", play_stat },         { "fstat", play_fstat },
	{ "fstatat", play_fstatat },   { "statx", play_statx },
	{ "chdir", play_chdir },       { NULL, NULL },
};
