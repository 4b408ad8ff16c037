/* SPDX-License-Identifier: BSD-3-Clause */
/* Offsets, lengths and holes; what is stored when. */
#include "script.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

static void seek(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);

	SAY(write(fd, "0123456789", 10));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(lseek(fd, -3, SEEK_END));
	SAY(lseek(fd, -2, SEEK_CUR));
	SAY(lseek(fd, -6, SEEK_CUR));
	SAY(lseek(fd, -11, SEEK_END));
	SAY(lseek(fd, -1, SEEK_SET));
	SAY(lseek(fd, 0, 17));
	SAY(lseek(fd, INT64_MAX, SEEK_END));
	SAY(lseek(fd, INT64_MAX, SEEK_SET));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(lseek(fd, 100, SEEK_END));
	SAY(write(fd, "end", 3));
	SAY(lseek(fd, 0, SEEK_CUR));
	say_file("f", fd);
	close(fd);
}

static void holes(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char a[3000], b[3000];
	struct iovec parts[2] = {{a, sizeof(a)}, {b, sizeof(b)}};

	memset(a, 'x', sizeof(a));
	memset(b, 'x', sizeof(b));
	SAY(pwrite(fd, "data", 4, 1 << 20));
	SAY(preadv(fd, parts, 2, (1 << 20) - 5000));
	SAY(a[0] + b[1999] + b[2000]);
	SAY(lseek(fd, 0, SEEK_DATA));
	SAY(lseek(fd, 1 << 20, SEEK_HOLE));
	SAY(lseek(fd, 0, SEEK_HOLE));
	SAY(lseek(fd, 2 << 20, SEEK_DATA));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pwrite(fd, "more", 4, 1 << 19));
	SAY(lseek(fd, 0, SEEK_DATA));
	say_file("f", fd);
	close(fd);
}

static void cut(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), second;
	struct stat about;
	char bytes[20] = "";

	SAY(write(fd, "0123456789abcdef", 16));
	SAY(ftruncate(fd, 10));
	SAY(fstat(fd, &about));
	SAY(about.st_size);
	SAY(write(fd, "tail", 4));
	SAY(pread(fd, bytes, 20, 0));
	SAY(bytes[9] + bytes[12] + bytes[17]);
	SAY(ftruncate(fd, 1000));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(truncate("f", 18));
	SAY(lseek(fd, 0, SEEK_END));
	say_file("f", fd);
	second = open_or_die("f", O_WRONLY | O_TRUNC);
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, "behind", 6));
	SAY(write(second, "first", 5));
	say_file("f", fd);
	SAY(close(second));
	SAY(ftruncate(fd, 0));
	SAY(read(fd, bytes, 5));
	SAY(pwrite(fd, "last", 4, 2));
	close(fd);
}

/* An unseen reader finds the same at the end: the runner compares files. */
static void again(void)
{
	for (int i = 0; i < 5; i++) {
		int fd = open_or_die("f", O_RDWR | O_CREAT | O_TRUNC);

		SAY(write(fd, "generation", 10 - i));
		SAY(close(fd));
		fd = open_or_die("f", O_RDONLY);
		say_file("f", fd);
		close(fd);
	}
	SAY(open("f", O_WRONLY | O_CREAT | O_EXCL, 0644));
	SAY(open("none/f", O_WRONLY | O_CREAT, 0644));
}

static void appended(void)
{
	int a = open_or_die("f", O_RDWR | O_CREAT | O_APPEND);
	int b = open_or_die("f", O_WRONLY | O_APPEND);
	int c = open_or_die("f", O_RDWR);
	char bytes[8] = "";

	SAY(write(a, "aaa", 3));
	SAY(write(b, "bb", 2));
	SAY(lseek(a, 0, SEEK_CUR));
	SAY(lseek(b, 0, SEEK_CUR));
	SAY(lseek(a, 0, SEEK_SET));
	SAY(read(a, bytes, 2));
	SAY(write(a, "A", 1));
	SAY(lseek(a, 0, SEEK_CUR));
	SAY(pwrite(a, "P", 1, 0));
	SAY(lseek(a, 0, SEEK_CUR));
	SAY(pwrite(c, "ccc", 3, 20));
	SAY(write(b, "end", 3));
	say_file("f", c);
	close(a);
	close(b);
	close(c);
}

static void append_set(void)
{
	int a = open_or_die("f", O_RDWR | O_CREAT | O_APPEND);
	int c = open_or_die("f", O_RDWR);

	SAY(write(a, "0123456789", 10));
	SAY(pwrite(a, "P", 1, 0));
	SAY(fcntl(a, F_SETFL, O_RDWR));
	SAY(lseek(a, 3, SEEK_SET));
	SAY(write(a, "plain", 5));
	SAY(fcntl(c, F_SETFL, O_APPEND));
	SAY(write(c, "C", 1));
	SAY(!!(fcntl(c, F_GETFL) & O_APPEND));
	SAY(lseek(c, 0, SEEK_CUR));
	say_file("f", c);
	close(a);
	close(c);
}

static void at_once(void)
{
	static const int flags[] = {O_SYNC, O_DSYNC, O_DIRECT};
	char *bytes = aligned_alloc(4096, 8192);

	fill(bytes, 8192, 0);
	for (int i = 0; i < 3; i++) {
		int fd = open_or_die("f", O_RDWR | O_CREAT | flags[i]);
		int other = open_or_die("f", O_RDWR);

		SAY(pwrite(other, "before", 6, 4096));
		SAY(write(fd, bytes, 4096));
		SAY(lseek(fd, 0, SEEK_CUR));
		SAY(pread(fd, bytes, 4096, 4096) >= 6);
		say_text("read", bytes, 6);
		SAY(pwrite(other, "after", 5, 0));
		say_file("f", other);
		close(fd);
		close(other);
	}
	free(bytes);
}

static void stored(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);

	SAY(write(fd, "some", 4));
	SAY(fsync(fd));
	SAY(write(fd, "more", 4));
	SAY(fdatasync(fd));
	SAY(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	SAY(syncfs(fd));
	SAY(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096));
	SAY(posix_fallocate(fd, 0, 100));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(pwrite(fd, "x", 1, 99));
	SAY(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 3));
	say_file("f", fd);
	close(fd);
}

static void on_limit(int signal)
{
	(void)signal;
	if (write(1, "signal\n", 7) != 7)
		exit(1);
}

static void limited(void)
{
	struct rlimit limit = {100, 100};
	char bytes[200];
	int fd;

	signal(SIGXFSZ, on_limit);
	fill(bytes, sizeof(bytes), 0);
	fd = open_or_die("g", O_RDWR | O_CREAT);
	SAY(write(fd, bytes, 60));
	SAY(setrlimit(RLIMIT_FSIZE, &limit));
	SAY(write(fd, bytes, 60));
	close(fd);
	fd = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(fd, bytes, 60));
	SAY(write(fd, bytes, 60));
	SAY(write(fd, bytes, 60));
	SAY(pwrite(fd, bytes, 1, 1000));
	SAY(ftruncate(fd, 1000));
	say_file("f", fd);
	close(fd);
}

const struct script place_scripts[] = {
	{"seek", seek},	    {"holes", holes},	    {"cut", cut},
	{"again", again},   {"appended", appended}, {"at-once", at_once},
	{"stored", stored}, {"limited", limited},   {"append-set", append_set},
	{NULL, NULL},
};
