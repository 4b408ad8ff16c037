/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, duplicates and closes, by all their names. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <unistd.h>

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

static void told_open(const char *symbol, int fd, const char *absolute,
		      int flags, int mode)
{
	tell(symbol, fd, "'path':'%s','args':{'flags':%d,'mode':%d}",
	     absolute, flags, mode);
	if (fd < 0)
		return;
	book_open(fd, absolute, flags);
	book_do_close(fd);
}

static void play_open(long count)
{
	static const struct {
		const char *symbol;
		int (*open)(const char *, int, ...);
	} calls[] = { { "open", open }, { "open64", open64 } };
	const int creates = O_RDWR | O_CREAT;

	oracle_make_file("data", 100);
	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		const char *symbol = calls[i].symbol;
		int (*call)(const char *, int, ...) = calls[i].open;

		told_open(symbol, call("made", creates, 0640),
			  book_absolute("made"), creates, 0640);
		told_open(symbol, call("made", creates | O_EXCL, 0),
			  book_absolute("made"), creates | O_EXCL, 0);
		told_open(symbol, call("data", O_RDONLY | O_CLOEXEC),
			  book_absolute("data"), O_RDONLY | O_CLOEXEC, -1);
		told_open(symbol, call(book_absolute("data"), O_WRONLY),
			  book_absolute("data"), O_WRONLY, -1);
		told_open(symbol, call("no/such", O_RDONLY),
			  book_absolute("no/such"), O_RDONLY, -1);
		told_open(symbol, call("data/below", O_RDONLY),
			  book_absolute("data/below"), O_RDONLY, -1);
		told_open(symbol, call(".//./data", O_RDONLY),
			  book_absolute("data"), O_RDONLY, -1);
		told_open(symbol, call(".", O_TMPFILE | O_RDWR, 0600),
			  oracle_dir, O_TMPFILE | O_RDWR, 0600);
		told_open(symbol, call(".", O_DIRECTORY), oracle_dir,
			  O_DIRECTORY, -1);
		tell(symbol, call("", O_RDONLY), "'args':{'flags':0}");
	}
	told_open("__open_2", __open_2("data", O_RDONLY),
		  book_absolute("data"), O_RDONLY, -1);
	told_open("__open64_2", __open64_2("data", O_WRONLY | O_APPEND),
		  book_absolute("data"), O_WRONLY | O_APPEND, -1);
	told_open("__open_2", __open_2("nothing", O_RDONLY),
		  book_absolute("nothing"), O_RDONLY, -1);
}

static void told_openat(const char *symbol, int fd, int dir, const char *path,
			int flags, int mode)
{
	tell(symbol, fd, "'path':'%s','args':{'dir':%d,'flags':%d,'mode':%d}",
	     path, dir, flags, mode);
	if (fd < 0)
		return;
	book_open(fd, path, flags);
	book_do_close(fd);
}

static void play_openat(long count)
{
	static const struct {
		const char *symbol;
		int (*open)(int, const char *, int, ...);
	} calls[] = { { "openat", openat }, { "openat64", openat64 } };
	char in_sub[600], data[600];
	int dir;

	oracle_make_dir("sub");
	oracle_make_file("data", 10);
	oracle_make_file("sub/data", 10);
	dir = book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
	snprintf(in_sub, sizeof(in_sub), "%s/sub/data", oracle_dir);
	snprintf(data, sizeof(data), "%s/data", oracle_dir);
	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		const char *symbol = calls[i].symbol;
		int (*call)(int, const char *, int, ...) = calls[i].open;

		told_openat(symbol, call(dir, "data", O_RDWR), dir, in_sub,
			    O_RDWR, -1);
		told_openat(symbol, call(dir, "../data", O_RDONLY), dir, data,
			    O_RDONLY, -1);
		told_openat(symbol, call(AT_FDCWD, "data", O_RDONLY), AT_FDCWD,
			    data, O_RDONLY, -1);
		told_openat(symbol, call(-1, in_sub, O_RDONLY), -1, in_sub,
			    O_RDONLY, -1);
		told_openat(symbol, call(dir, "data", O_RDWR | O_CREAT, 0600),
			    dir, in_sub, O_RDWR | O_CREAT, 0600);
		tell(symbol, call(999, "data", O_RDONLY),
		     "'args':{'dir':999,'flags':%d}", O_RDONLY);
	}
	told_openat("__openat_2", __openat_2(dir, "data", O_RDONLY), dir,
		    in_sub, O_RDONLY, -1);
	told_openat("__openat64_2", __openat64_2(dir, "data", O_RDONLY), dir,
		    in_sub, O_RDONLY, -1);
	book_do_close(dir);
}

static void play_creat(long count)
{
	static const struct {
		const char *symbol;
		int (*creat)(const char *, mode_t);
	} calls[] = { { "creat", creat }, { "creat64", creat64 } };

	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		const char *path = book_absolute("made");
		int fd = calls[i].creat("made", 0644);

		tell(calls[i].symbol, fd, "'path':'%s','args':{'mode':%d}",
		     path, 0644);
		book_open(fd, path, O_WRONLY);
		book_transfer("write", fd, 7, write(fd, "written", 7));
		book_transfer("write", fd, 2, write(fd, "::", 2));
		book_do_close(fd);
		fd = calls[i].creat("no/such", 0600);
		tell(calls[i].symbol, fd, "'path':'%s','args':{'mode':%d}",
		     book_absolute("no/such"), 0600);
	}
}

static void told_dup(const char *symbol, int from, int to, int asked,
		     int flags)
{
	char args[64] = "";

	if (asked >= -1)
		snprintf(args, sizeof(args), ",'args':{'to':%d%s}", asked,
			 flags ? ",'flags':524288" : "");
	tell(symbol, to, "%s%s", book_name(from), args);
	if (to >= 0 && to != from)
		book_dup(from, to, flags & O_CLOEXEC);
}

static void write_some(int fd)
{
	book_transfer("write", fd, 10, write(fd, "0123456789", 10));
}

/* All copies share one position. */
static void play_dup(long count)
{
	int fd = book_do_open("shared", O_RDWR | O_CREAT, 0644);
	int other = book_do_open("other", O_RDWR | O_CREAT, 0644);
	int copy = dup(fd), far;

	told_dup("dup", fd, copy, -2, 0);
	write_some(fd);
	write_some(copy);
	write_some(other);
	told_dup("dup2", fd, dup2(fd, other), other, 0);
	write_some(other);
	told_dup("dup2", fd, dup2(fd, fd), fd, 0);
	told_dup("dup3", copy, dup3(copy, 200, O_CLOEXEC), 200, O_CLOEXEC);
	write_some(200);
	book_do_close(fd);
	write_some(copy);
	far = fcntl(copy, F_DUPFD, 300);
	tell("fcntl", far, "%s,'args':{'cmd':%d,'arg':300}", book_name(copy),
	     F_DUPFD);
	book_dup(copy, far, false);
	write_some(far);
	far = fcntl(200, F_DUPFD_CLOEXEC, 300);
	tell("fcntl", far, "%s,'args':{'cmd':%d,'arg':300}", book_name(200),
	     F_DUPFD_CLOEXEC);
	book_dup(200, far, true);
	write_some(far);
	tell("lseek", lseek(copy, 3, SEEK_SET),
	     "%s,'off':3,'args':{'whence':0}", book_name(copy));
	book_seek(copy, 3);
	write_some(far);
	write_some(other);
	told_dup("dup", 999, dup(999), -2, 0);
	told_dup("dup2", copy, dup2(copy, -1), -1, 0);
	told_dup("dup2", 998, dup2(998, copy), copy, 0);
	write_some(copy);
	tell("dup3", dup3(copy, copy, O_CLOEXEC),
	     "%s,'args':{'to':%d,'flags':%d}", book_name(copy), copy,
	     O_CLOEXEC);
	write_some(copy);
	tell("close", close(-1), "'fd':-1");
	tell("close", close(997), "'fd':997,'path':null");
}

static void told_fcntl(const char *symbol, int fd, int cmd, long arg, int ret)
{
	tell(symbol, ret, "%s,'args':{'cmd':%d,'arg':%ld}", book_name(fd),
	     cmd, arg);
}

/* No third argument is passed, so none may be recorded. */
static void told_fcntl_bare(const char *symbol, int fd, int cmd, int ret)
{
	tell(symbol, ret, "%s,'args':{'cmd':%d,'arg':null}", book_name(fd),
	     cmd);
}

static void play_fcntl(long count)
{
	static const struct {
		const char *symbol;
		int (*fcntl)(int, int, ...);
	} calls[] = { { "fcntl", fcntl }, { "fcntl64", fcntl64 } };

	for (size_t i = 0; i < ELEMENTS(calls); i++) {
		const char *symbol = calls[i].symbol;
		int (*call)(int, int, ...) = calls[i].fcntl;
		int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
		struct flock lock = { .l_type = F_WRLCK, .l_len = 10 };

		told_fcntl_bare(symbol, fd, F_GETFD, call(fd, F_GETFD));
		told_fcntl(symbol, fd, F_SETFD, 1, call(fd, F_SETFD, 1));
		told_fcntl_bare(symbol, fd, F_GETFL, call(fd, F_GETFL));
		write_some(fd);
		told_fcntl(symbol, fd, F_SETFL, O_APPEND,
			   call(fd, F_SETFL, O_APPEND));
		book_set_append(fd, true);
		write_some(fd);
		told_fcntl(symbol, fd, F_SETFL, 0, call(fd, F_SETFL, 0));
		book_set_append(fd, false);
		write_some(fd);
		told_fcntl(symbol, fd, F_SETLK, (long)&lock,
			   call(fd, F_SETLK, &lock));
		told_fcntl(symbol, fd, F_SETLK, 8, call(fd, F_SETLK, 8L));
		told_fcntl(symbol, fd, F_DUPFD, 1L << 30,
			   call(fd, F_DUPFD, 1L << 30));
		told_fcntl_bare(symbol, 999, F_GETFL, call(999, F_GETFL));
		told_fcntl(symbol, fd, 12345, 1, call(fd, 12345, 1L));
		book_do_close(fd);
	}
}

static void told_range(unsigned first, unsigned last, int flags, int ret)
{
	tell("close_range", ret, "'args':{'first':%u,'last':%u,'flags':%d}",
	     first, last, flags);
}

static void play_sweep(long count)
{
	int a = book_do_open("a", O_RDWR | O_CREAT, 0644);
	int b = book_do_open("b", O_RDWR | O_CREAT, 0644);

	write_some(a);
	told_range((unsigned)b, (unsigned)b, 0,
		   close_range((unsigned)b, (unsigned)b, 0));
	book_close(b);
	write_some(b); /* EBADF */
	write_some(a);
	b = book_do_open("b", O_RDWR, 0);
	write_some(b);
	told_range((unsigned)b, 900, CLOSE_RANGE_CLOEXEC,
		   close_range((unsigned)b, 900, CLOSE_RANGE_CLOEXEC));
	write_some(b);
	told_range(9, 3, 0, close_range(9, 3, 0));
	told_range(3, 3, 1234, close_range(3, 3, 1234));
	write_some(a);
	told_range(3, 900, 0, close_range(3, 900, 0));
	book_sweep(3, 900);
	write_some(a);
	a = book_do_open("a", O_RDWR, 0);
	write_some(a);
	closefrom(3);
	tell_open(tell_log());
	tell("closefrom", 0, "'args':{'first':3}");
	book_sweep(3, 4000);
	write_some(a);
}

static void play_pipe(long count)
{
	char data[64];
	int p[2], ret;

	ret = pipe(p);
	tell("pipe", ret, "'args':{'fds':[%d,%d]}", p[0], p[1]);
	book_stream(p[0]);
	book_stream(p[1]);
	write_some(p[1]);
	book_transfer("read", p[0], 4, read(p[0], data, 4));
	book_transfer("read", p[0], 64, read(p[0], data, 64));
	book_transfer("read", p[1], 64, read(p[1], data, 64));
	tell("pread", pread(p[0], data, 4, 5), "%s,'off':5,'size':4",
	     book_name(p[0]));
	book_do_close(p[1]);
	book_transfer("read", p[0], 64, read(p[0], data, 64));
	book_do_close(p[0]);
	ret = pipe2(p, O_CLOEXEC | O_NONBLOCK);
	tell("pipe2", ret, "'args':{'fds':[%d,%d],'flags':%d}", p[0],
	     p[1], O_CLOEXEC | O_NONBLOCK);
	book_stream(p[0]);
	book_stream(p[1]);
	book_transfer("read", p[0], 64, read(p[0], data, 64));
	tell("pipe2", pipe2(p, 12345), "'args':{'flags':12345}");
	tell("pipe", pipe(oracle_nowhere), "'args':{'fds':null}");
}

/* A name in the file system does not make a position. */
static void play_fifo(long count)
{
	char data[64];
	int fd;

	raw_call(SYS_mknodat, AT_FDCWD, "fifo", S_IFIFO | 0600, 0);
	fd = book_do_open("fifo", O_RDWR, 0);
	for (int i = 0; i < 3; i++) {
		tell("write", write(fd, "12345678", 8),
		     "%s,'off':null,'size':8", book_name(fd));
		tell("read", read(fd, data, 5), "%s,'off':null,'size':5",
		     book_name(fd));
	}
	book_do_close(fd);
}

/* What was open before the recorder came. */
static void play_inherited(long count)
{
	char data[64];
	struct stat st;

	tell("read", read(0, data, 64),
	     "'fd':0,'path':'/dev/null','off':null,'size':64");
	tell("fstat", fstat(0, &st), "'fd':0,'path':'/dev/null'");
	tell("close", close(0), "'fd':0,'path':'/dev/null'");
}

const struct scenario oracle_opens[] = {
	{ "open", play_open },   { "openat", play_openat },
	{ "creat", play_creat }, { "dup", play_dup },
	{ "fcntl", play_fcntl }, { "sweep", play_sweep },
	{ "pipe", play_pipe },   { "fifo", play_fifo },
	{ "inherited", play_inherited }, { NULL, NULL },
};
