/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that move data between two descriptors. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/statfs.h>
#include <unistd.h>

static char data[256];

static const char *number_or_null(const long *at)
{
	static __thread char texts[2][32];
	static __thread int turn;
	char *text = texts[turn++ % 2];

	if (!at)
		return "null";
	snprintf(text, sizeof(texts[0]), "%ld", *at);
	return text;
}

static void do_read(int fd, size_t size)
{
	book_transfer("read", fd, size, read(fd, data, size));
}

static void do_write(int fd, size_t size)
{
	book_transfer("write", fd, size, write(fd, data, size));
}

static void do_sendfile(bool is64, int out, int in, long *off, size_t size)
{
	const char *symbol = is64 ? "sendfile64" : "sendfile";
	const char *before = number_or_null(off);
	ssize_t ret = is64 ? sendfile64(out, in, off, size)
			   : sendfile(out, in, off, size);

	tell(symbol, ret, "%s,'size':%zu,'args':{'in':%d,'off':%s}",
	     book_name(out), size, in, before);
	book_doubt(out, ret);
	book_doubt(in, off ? 0 : ret);
}

static void play_sendfile(long count)
{
	long off = 20;
	int in, out;

	oracle_make_file("data", 200);
	in = book_do_open("data", O_RDONLY, 0);
	out = book_do_open("copy", O_RDWR | O_CREAT, 0644);
	do_sendfile(false, out, in, NULL, 50);
	do_sendfile(false, out, in, &off, 50);
	do_sendfile(true, out, in, NULL, 500);
	do_sendfile(true, out, in, &off, 30);
	do_sendfile(false, 999, in, &off, 30);
	do_sendfile(true, out, 999, NULL, 30);
	do_write(out, 10);
	tell("lseek", lseek(in, 5, SEEK_SET), "%s,'off':5,'args':{'whence':0}",
	     book_name(in));
	book_seek(in, 5);
	do_read(in, 10);
	book_do_close(in);
	book_do_close(out);
}

static void do_copy(int in, long *inoff, int out, long *outoff, size_t size)
{
	const char *from = number_or_null(inoff);
	const char *to = number_or_null(outoff);
	ssize_t ret = copy_file_range(in, inoff, out, outoff, size, 0);

	tell("copy_file_range", ret, "%s,'size':%zu,'args':{'inoff':%s,"
	     "'out':%d,'outoff':%s,'flags':0}", book_name(in), size, from, out,
	     to);
	book_doubt(in, inoff ? 0 : ret);
	book_doubt(out, outoff ? 0 : ret);
}

static void play_copy_file_range(long count)
{
	long a = 10, b = 70;
	int in, out;

	oracle_make_file("data", 200);
	in = book_do_open("data", O_RDONLY, 0);
	out = book_do_open("copy", O_RDWR | O_CREAT, 0644);
	do_copy(in, NULL, out, NULL, 50);
	do_copy(in, &a, out, &b, 50);
	do_copy(in, &a, out, NULL, 500);
	do_copy(in, &a, 999, NULL, 50);
	do_read(in, 10);
	do_write(out, 10);
	book_do_close(in);
	book_do_close(out);
}

static void do_splice(int in, long *inoff, int out, long *outoff, size_t size)
{
	const char *from = number_or_null(inoff);
	const char *to = number_or_null(outoff);
	ssize_t ret = splice(in, inoff, out, outoff, size, 0);

	tell("splice", ret, "%s,'size':%zu,'args':{'inoff':%s,'out':%d,"
	     "'outoff':%s,'flags':0}", book_name(in), size, from, out, to);
	book_doubt(in, inoff ? 0 : ret);
	book_doubt(out, outoff ? 0 : ret);
}

static void make_pipe(int p[2])
{
	int ret = pipe(p);

	tell("pipe", ret, "'args':{'fds':[%d,%d]}", p[0], p[1]);
	book_stream(p[0]);
	book_stream(p[1]);
}

static void play_splice(long count)
{
	struct iovec vec[2] = { { data, 10 }, { data + 30, 20 } };
	int one[2], two[2], in, out;
	long off = 100;

	oracle_make_file("data", 200);
	in = book_do_open("data", O_RDONLY, 0);
	out = book_do_open("copy", O_RDWR | O_CREAT, 0644);
	make_pipe(one);
	make_pipe(two);
	do_splice(in, NULL, one[1], NULL, 40);
	do_splice(in, &off, one[1], NULL, 40);
	tell("tee", tee(one[0], two[1], 60, 0),
	     "%s,'size':60,'args':{'out':%d,'flags':0}", book_name(one[0]),
	     two[1]);
	tell("tee", tee(in, two[1], 60, 0),
	     "%s,'size':60,'args':{'out':%d,'flags':0}", book_name(in),
	     two[1]);
	do_splice(one[0], NULL, out, NULL, 25);
	off = 300;
	do_splice(one[0], NULL, out, &off, 25);
	do_splice(999, NULL, out, &off, 25);
	do_splice(one[0], NULL, 999, &off, 25);
	tell("vmsplice", vmsplice(one[1], vec, 2, 0),
	     "%s,'args':{'vec':%s,'flags':0}", book_name(one[1]),
	     tell_vector(vec, 2));
	tell("vmsplice", vmsplice(999, vec, 2, 0), "'fd':999");
	do_read(one[0], 256);
	do_read(in, 10);
	do_write(out, 10);
	book_do_close(in);
	book_do_close(out);
}

/* Only for programs from before it was dropped. */
#if defined(__x86_64__)
__asm__(".symver old_llseek, llseek@GLIBC_2.2.5");
#else
__asm__(".set old_llseek, lseek64");
#endif

int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
int __close(int fd);
int __dup2(int fd, int to);
int __fcntl(int fd, int cmd, ...);
int __pipe(int fds[2]);
ssize_t __read(int fd, void *to, size_t len);
ssize_t __write(int fd, const void *from, size_t len);
ssize_t __pread64(int fd, void *to, size_t len, off_t off);
ssize_t __pwrite64(int fd, const void *from, size_t len, off_t off);
off_t __lseek(int fd, off_t off, int whence);
off_t old_llseek(int fd, off_t off, int whence);
int __statfs(const char *path, struct statfs *st);

static void told_second_seek(const char *symbol, int fd, long ret)
{
	tell(symbol, ret, "%s", book_name(fd));
	book_seek(fd, ret);
}

/* Names that libc has twice and no header tells of. */
static void play_second_names(long count)
{
	char room[10];
	int fd, fds[2];
	struct statfs st;

	fd = __open("file", O_RDWR | O_CREAT, 0600);
	tell("__open", fd, "'path':'%s'", book_absolute("file"));
	book_open(fd, book_absolute("file"), 0);
	book_transfer("__write", fd, 5, __write(fd, "12345", 5));
	told_second_seek("__lseek", fd, __lseek(fd, 2, SEEK_SET));
	book_transfer("__read", fd, 2, __read(fd, room, 2));
	told_second_seek("llseek", fd, old_llseek(fd, 1, SEEK_CUR));
	tell("__pwrite64", __pwrite64(fd, "x", 1, 9), "%s,'off':9,'size':1",
	     book_name(fd));
	tell("__pread64", __pread64(fd, room, 1, 9), "%s,'off':9,'size':1",
	     book_name(fd));
	tell("__fcntl", __fcntl(fd, F_GETFL), "%s", book_name(fd));
	tell("__dup2", __dup2(fd, 20), "%s", book_name(fd));
	book_dup(fd, 20, false);
	tell("__close", __close(20), "%s", book_name(20));
	book_close(20);
	book_do_close(fd);
	fd = __open64("file", O_RDONLY);
	tell("__open64", fd, "'path':'%s'", book_absolute("file"));
	book_open(fd, book_absolute("file"), 0);
	book_do_close(fd);
	if (__pipe(fds))
		tell_failure("pipe");
	tell("__pipe", 0, "'args':{'fds':[%d,%d]}", fds[0], fds[1]);
	tell("__statfs", __statfs("none", &st), "'path':'%s'",
	     book_absolute("none"));
}

const struct scenario oracle_copies[] = {
	{ "sendfile", play_sendfile },
	{ "copy_file_range", play_copy_file_range },
	{ "splice", play_splice },
	{ "second-names", play_second_names },
	{ NULL, NULL },
};
