/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads, writes and seeks, by all their names. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define MUCH (1UL << 40)

ssize_t __read_chk(int fd, void *buf, size_t len, size_t room);
ssize_t __pread_chk(int fd, void *buf, size_t len, off_t off, size_t room);
ssize_t __pread64_chk(int fd, void *buf, size_t len, off64_t off, size_t room);

static char data[65536];

static void do_read(int fd, void *to, size_t size)
{
	book_transfer("read", fd, size, read(fd, to, size));
}

static void do_write(int fd, const void *from, size_t size)
{
	book_transfer("write", fd, size, write(fd, from, size));
}

static void do_seek(int fd, long off, int whence)
{
	long ret = lseek(fd, off, whence);

	tell("lseek", ret, "%s,'off':%ld,'args':{'whence':%d}", book_name(fd),
	     off, whence);
	if (ret >= 0)
		book_seek(fd, ret);
}

static void play_read(long count)
{
	int fd, append;

	oracle_make_file("hundred", 100);
	fd = book_do_open("hundred", O_RDONLY, 0);
	do_read(fd, data, 30);
	do_read(fd, data, 0);
	book_transfer("__read_chk", fd, 30, __read_chk(fd, data, 30, 64));
	do_read(fd, data, 64);
	do_read(fd, data, 64);
	do_seek(fd, 10, SEEK_SET);
	do_read(fd, oracle_nowhere, 10);
	do_read(fd, NULL, 10);
	do_read(fd, data, 10);
	do_read(fd, data, MUCH); /* the file is short */
	do_write(fd, data, 10); /* not open for that */
	do_read(-1, data, 10);
	do_read(999, data, 10);
	do_read(500000000, data, 10);
	do_read(-5, data, 10);
	append = book_do_open("hundred", O_RDWR | O_APPEND, 0);
	do_read(append, data, 10);
	do_write(append, data, 10);
	do_read(append, data, 10);
	do_seek(append, 0, SEEK_SET);
	do_read(append, data, 10);
	do_write(append, oracle_nowhere, 10);
	do_read(append, data, 10);
	book_do_close(append);
	do_read(fd, data, 10);
	book_do_close(fd);
	do_read(fd, data, 10);
	fd = book_do_open(oracle_dir, O_RDONLY | O_DIRECTORY, 0);
	do_read(fd, data, 10);
}

static void play_write(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	int full;

	for (long i = 0; i < count; i++) {
		do_write(fd, data, 8);
		do_write(fd, data, (size_t)i % 4097);
	}
	do_write(fd, oracle_nowhere, 8);
	do_write(fd, data, 8);
	do_seek(fd, -100, SEEK_CUR);
	do_write(fd, data, 8);
	do_read(fd, data, 8);
	book_do_close(fd);
	full = open("/dev/full", O_WRONLY);
	tell("open", full, "'path':'/dev/full'");
	tell("write", write(full, data, 8),
	     "'fd':%d,'path':'/dev/full','off':null,'size':8", full);
}

static void play_seek(long count)
{
	int fd;

	oracle_make_file("hundred", 100);
	fd = book_do_open("hundred", O_RDWR, 0);
	do_seek(fd, 0, SEEK_END);
	do_write(fd, data, 10);
	do_seek(fd, -20, SEEK_END);
	do_read(fd, data, 10);
	do_seek(fd, 0, SEEK_CUR);
	do_seek(fd, 20, SEEK_DATA);
	do_read(fd, data, 10);
	do_seek(fd, 20, SEEK_HOLE);
	do_read(fd, data, 10);
	do_seek(fd, -1, SEEK_SET);
	do_seek(fd, 0, 77);
	do_seek(fd, 1L << 40, SEEK_SET);
	do_read(fd, data, 10);
	do_write(fd, data, 10);
	do_seek(fd, LONG_MAX, SEEK_SET); /* what a file system makes of it */
	do_seek(999, 5, SEEK_SET);
	tell("lseek64", lseek64(fd, 11, SEEK_SET),
	     "%s,'off':11,'args':{'whence':0}", book_name(fd));
	book_seek(fd, 11);
	do_read(fd, data, 10);
}

static void told_at(const char *symbol, int fd, long off, size_t size,
		    long ret)
{
	tell(symbol, ret, "%s,'off':%ld,'size':%zu", book_name(fd), off, size);
}

static void play_positioned(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	do_write(fd, data, 50);
	told_at("pwrite", fd, 100, 20, pwrite(fd, data, 20, 100));
	told_at("pwrite64", fd, 120, 20, pwrite64(fd, data, 20, 120));
	told_at("pwrite64", fd, 7, 20, pwrite64(fd, data, 20, 7));
	told_at("pread", fd, 130, 20, pread(fd, data, 20, 130));
	told_at("pread64", fd, 0, 20, pread64(fd, data, 20, 0));
	told_at("pread64", fd, 1L << 40, 20,
		pread64(fd, data, 20, 1L << 40));
	told_at("__pread_chk", fd, 5, 20, __pread_chk(fd, data, 20, 5, 99));
	told_at("__pread64_chk", fd, 6, 20,
		__pread64_chk(fd, data, 20, 6, 99));
	told_at("pread", fd, -1, 20, pread(fd, data, 20, -1));
	told_at("pread", fd, -7, 20, pread(fd, data, 20, -7));
	told_at("pwrite", fd, LONG_MAX, 20, pwrite(fd, data, 20, LONG_MAX));
	told_at("pread", fd, 5, 20, pread(fd, oracle_nowhere, 20, 5));
	told_at("pread", 999, 5, 20, pread(999, data, 20, 5));
	told_at("pwrite", -1, 5, 20, pwrite(-1, data, 20, 5));
	do_write(fd, data, 50);
	for (long i = 0; i < count; i++)
		told_at("pread", fd, i * 37 % 90, (size_t)i % 100,
			pread(fd, data, (size_t)i % 100, i * 37 % 90));
	book_do_close(fd);
}

static size_t length_of(const struct iovec *vec, int n)
{
	size_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += vec[i].iov_len;
	return sum;
}

static void told_vector(const char *symbol, int fd, const struct iovec *vec,
			int n, long ret)
{
	book_transfer_args(symbol, fd, length_of(vec, n), ret,
		      "'vec':%s", tell_vector(vec, n));
}

static void told_vector_at(const char *symbol, int fd, const struct iovec *vec,
			   int n, long off, long ret)
{
	tell(symbol, ret, "%s,'off':%ld,'size':%zu,'args':{'vec':%s}",
	     book_name(fd), off, length_of(vec, n), tell_vector(vec, n));
}

static const struct iovec three[] = {
	{ data, 10 }, { data + 100, 0 }, { data + 200, 33 }
};

static void play_vector(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	told_vector("writev", fd, three, 3, writev(fd, three, 3));
	told_vector("writev", fd, three, 1, writev(fd, three, 1));
	told_vector("writev", fd, three, 0, writev(fd, three, 0));
	do_seek(fd, 20, SEEK_SET);
	told_vector("readv", fd, three, 3, readv(fd, three, 3));
	told_vector_at("preadv", fd, three, 3, 5, preadv(fd, three, 3, 5));
	told_vector_at("preadv64", fd, three, 2, 9, preadv64(fd, three, 2, 9));
	told_vector_at("pwritev", fd, three, 3, 99, pwritev(fd, three, 3, 99));
	told_vector_at("pwritev64", fd, three, 3, 142,
		       pwritev64(fd, three, 3, 142));
	told_vector_at("preadv", fd, three, 3, -9, preadv(fd, three, 3, -9));
	told_vector("readv", 999, three, 3, readv(999, three, 3));
	told_vector("readv", fd, three, 3, readv(fd, three, 3));
	book_do_close(fd);
}

static void told_vector2(const char *symbol, int fd, int n, long off,
			 int flags, long ret)
{
	tell(symbol, ret, "%s,'off':%ld,'size':%zu,'args':{'vec':%s,"
	     "'flags':%d}", book_name(fd), off, length_of(three, n),
	     tell_vector(three, n), flags);
}

/* Offset -1 means the position. */
static void told_vector2_here(const char *symbol, int fd, int n, int flags,
			      long ret)
{
	book_transfer_args(symbol, fd, length_of(three, n), ret,
		      "'vec':%s,'flags':%d", tell_vector(three, n), flags);
}

static void play_vector2(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	told_vector2_here("pwritev2", fd, 3, 0, pwritev2(fd, three, 3, -1, 0));
	told_vector2_here("pwritev64v2", fd, 2, 0,
			  pwritev64v2(fd, three, 2, -1, 0));
	told_vector2("pwritev2", fd, 3, 70, RWF_DSYNC,
		     pwritev2(fd, three, 3, 70, RWF_DSYNC));
	told_vector2("preadv2", fd, 3, 3, 0, preadv2(fd, three, 3, 3, 0));
	told_vector2("preadv64v2", fd, 1, 4, RWF_NOWAIT,
		     preadv64v2(fd, three, 1, 4, RWF_NOWAIT));
	do_seek(fd, 10, SEEK_SET);
	told_vector2_here("preadv2", fd, 1, 0, preadv2(fd, three, 1, -1, 0));
	told_vector2_here("preadv64v2", fd, 1, 0,
			  preadv64v2(fd, three, 1, -1, 0));
	told_vector2_here("preadv2", fd, 1, 0x4000,
			  preadv2(fd, three, 1, -1, 0x4000));
	told_vector2("pwritev64v2", fd, 1, 8, 0,
		     pwritev64v2(fd, three, 1, 8, 0));
	/* Appends, though the descriptor does not. */
	tell("pwritev2", pwritev2(fd, three, 1, -1, RWF_APPEND),
	     "%s,'off':null,'size':10,'args':{'flags':%d}", book_name(fd),
	     RWF_APPEND);
	tell("read", read(fd, data, 5), "%s,'off':null,'size':5",
	     book_name(fd));
	do_seek(fd, 1, SEEK_SET);
	do_read(fd, data, 5);
	told_vector2_here("preadv2", 999, 1, 0,
			  preadv2(999, three, 1, -1, 0));
	book_do_close(fd);
}

/* More elements than are worth keeping, and more than the kernel takes. */
static void play_long_vector(long count)
{
	static struct iovec many[1100];
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	for (int i = 0; i < 1100; i++)
		many[i] = (struct iovec){ data + i, (size_t)i % 7 };
	book_transfer("writev", fd, length_of(many, 1000),
		      writev(fd, many, 1000));
	tell("writev", writev(fd, many, 1100), "%s", book_name(fd));
	do_write(fd, data, 5);
	book_do_close(fd);
}

/* Pointers that the kernel refuses, or refuses to look at. */
static void play_fault(long count)
{
	struct iovec bad = { oracle_nowhere, 10 };
	const void *nowhere = oracle_nowhere;
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);

	tell("writev", writev(fd, nowhere, 2), "%s", book_name(fd));
	tell("readv", readv(fd, nowhere, 2), "%s", book_name(fd));
	tell("writev", writev(fd, &bad, 1), "%s", book_name(fd));
	tell("readv", readv(999, nowhere, 2), "'fd':999");
	tell("readv", readv(fd, nowhere, -1), "%s", book_name(fd));
	tell("preadv", preadv(fd, nowhere, 2, -5), "%s,'off':-5",
	     book_name(fd));
	tell("preadv2", preadv2(fd, nowhere, 2, 0, 0), "%s", book_name(fd));
	tell("vmsplice", vmsplice(999, nowhere, 2, 0), "'fd':999");
	tell("open", open(nowhere, O_RDONLY), "'path':null");
	tell("open", open(NULL, O_RDONLY), "'path':null");
	tell("open", open(nowhere, O_TMPFILE | O_RDONLY, 0), "'path':null");
	tell("openat", openat(999, nowhere, O_RDONLY), "'path':null");
	tell("truncate", truncate(nowhere, -1), "'path':null");
	tell("stat", stat(nowhere, oracle_nowhere), "'path':null");
	tell("stat", stat("file", oracle_nowhere), NO_FIELDS);
	tell("fstat", fstat(fd, oracle_nowhere), "%s", book_name(fd));
	tell("fstatat", fstatat(fd, nowhere, oracle_nowhere, 1 << 30),
	     NO_FIELDS);
	tell("statx", statx(fd, nowhere, 1 << 30, 0, oracle_nowhere),
	     NO_FIELDS);
	tell("statx", statx(AT_FDCWD, nowhere, 0, 0, oracle_nowhere),
	     NO_FIELDS);
	tell("chdir", chdir(nowhere), "'path':null");
	tell("sendfile", sendfile(fd, fd, oracle_nowhere, 1), "%s",
	     book_name(fd));
	tell("splice", splice(999, oracle_nowhere, fd, NULL, 1, 0), "'fd':999");
	tell("copy_file_range",
	     copy_file_range(999, oracle_nowhere, fd, oracle_nowhere, 1, 0),
	     "'fd':999");
	do_seek(fd, 0, SEEK_SET);
	do_write(fd, data, 5);
	book_do_close(fd);
}

const struct scenario oracle_transfers[] = {
	{ "read", play_read },
	{ "write", play_write },
	{ "seek", play_seek },
	{ "positioned", play_positioned },
	{ "vector", play_vector },
	{ "vector2", play_vector2 },
	{ "long-vector", play_long_vector },
	{ "fault", play_fault },
	{ NULL, NULL },
};
