/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes, and what is wrong with some. */
#include "script.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>

#define PAGE 4096

static void plain(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char bytes[64] = "";

	SAY(write(fd, "hello ", 6));
	SAY(write(fd, "world", 5));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(read(fd, bytes, sizeof(bytes)));
	SAY(lseek(fd, 3, SEEK_SET));
	SAY(read(fd, bytes, 4));
	say_text("read", bytes, 4);
	SAY(pwrite(fd, "HELLO", 5, 0));
	SAY(pread(fd, bytes, sizeof(bytes), 2));
	say_text("pread", bytes, 9);
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pread(fd, bytes, sizeof(bytes), 11));
	SAY(pread(fd, bytes, sizeof(bytes), 500));
	SAY(write(fd, "", 0));
	SAY(close(fd));
	SAY(close(fd));
	fd = open_or_die("f", O_RDONLY);
	say_file("f", fd);
	close(fd);
}

static void wrong(void)
{
	int in = open_or_die("f", O_RDONLY | O_CREAT);
	int out = open_or_die("f", O_WRONLY);
	char bytes[8];

	SAY(write(in, "x", 1));
	SAY(pwrite(in, "x", 1, 0));
	SAY(read(out, bytes, 1));
	SAY(pread(out, bytes, 1, 0));
	SAY(pwrite(out, "x", 1, -1));
	SAY(pread(in, bytes, 1, -1));
	SAY(write(out, "x", (size_t)-1));
	SAY(read(in, bytes, (size_t)-1));
	SAY(write(in, "", 0));
	SAY(read(out, bytes, 0));
	SAY(ftruncate(in, 5));
	SAY(ftruncate(out, -5));
	SAY(truncate("f", -5));
	SAY(truncate("none", 5));
	SAY(truncate("f/none", 5));
	SAY(pwrite(out, "xx", 2, INT64_MAX));
	SAY(pwrite(out, "xx", 2, INT64_MAX - 1));
	SAY(ftruncate(out, INT64_MAX));
	SAY(write(out, "abc", 3));
	say_file("f", in);
	close(in);
	close(out);
	SAY(write(out, "x", 1));
	SAY(lseek(out, 0, SEEK_SET));
	SAY(fsync(out));
}

static char *two_pages(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	fill(pages, PAGE, 0);
	if (mprotect(pages + PAGE, PAGE, PROT_NONE))
		exit(1);
	return pages;
}

static void faults(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char *pages = two_pages();
	struct iovec parts[2] = {{pages, 10}, {pages + PAGE, 10}};

	SAY(write(fd, NULL, 5));
	SAY(write(fd, pages + PAGE, 5));
	SAY(write(fd, (char *)8, 5));
	SAY(pwrite(fd, pages, 100, 0));
	SAY(pwrite(fd, pages + PAGE - 10, 20, 200) > 0);
	SAY(pread(fd, pages + PAGE, 5, 0));
	SAY(pread(fd, NULL, 5, 0));
	SAY(pread(fd, (char *)(uintptr_t) "constant", 5, 0));
	SAY(writev(fd, parts, 2) >= 0);
	SAY(writev(fd, (struct iovec *)8, 1));
	SAY(readv(fd, (struct iovec *)(pages + PAGE), 1));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(readv(fd, parts, 2) >= 0);
	SAY(pwrite(fd, pages, 0, 5));
	SAY(pread(fd, NULL, 0, 5));
	close(fd);
}

static void vectors(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char a[16] = "", b[16] = "";
	struct iovec out[3] = {{"one ", 4}, {"", 0}, {"two ", 4}};
	struct iovec in[2] = {{a, 5}, {b, 15}};
	struct iovec huge[2] = {{a, SSIZE_MAX}, {b, 5}};

	SAY(writev(fd, out, 3));
	SAY(pwritev(fd, out, 3, 20));
	SAY(pwritev2(fd, out, 3, -1, 0));
	SAY(pwritev2(fd, out, 3, 40, RWF_DSYNC));
	SAY(pwritev2(fd, out, 1, -1, RWF_DSYNC));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(readv(fd, in, 2));
	say_text("a", a, 5);
	say_text("b", b, 10);
	SAY(preadv(fd, in, 2, 39));
	SAY(preadv2(fd, in, 2, -1, 0));
	SAY(preadv2(fd, in, 1, 3, RWF_HIPRI));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(writev(fd, out, 0));
	SAY(writev(fd, out, -1));
	SAY(writev(fd, out, IOV_MAX + 1));
	SAY(writev(fd, huge, 2));
	SAY(pwritev(fd, out, 3, -2));
	SAY(pwritev2(fd, out, 3, 0, 1 << 30));
	say_file("f", fd);
	close(fd);
}

/* More than a lane and a chunk, at odd places. */
static void large(void)
{
	size_t size = (3 << 20) + 12345;
	char *bytes = malloc(size), *again = malloc(size);
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	struct iovec parts[2] = {{again, 777}, {again + 777, size}};

	fill(bytes, size, 0);
	SAY(write(fd, bytes, size));
	SAY(pwrite(fd, bytes, 100000, 17));
	SAY(pread(fd, again, size, 1) == (ssize_t)size - 1);
	SAY(memcmp(again + 500000, bytes + 500001, size - 500001));
	parts[1].iov_len = size - 777;
	SAY(preadv(fd, parts, 2, 200000) == (ssize_t)size - 200000);
	SAY(memcmp(again, bytes + 200000, size - 200000));
	say_file("f", fd);
	close(fd);
	free(bytes);
	free(again);
}

static void by_number(void)
{
	int fd =
		(int)syscall(SYS_openat, AT_FDCWD, "f", O_RDWR | O_CREAT, 0644);
	char bytes[16] = "";
	int copy;

	SAY(syscall(SYS_write, fd, "abcdef", 6L));
	SAY(syscall(SYS_pwrite64, fd, "XY", 2L, 2L));
	SAY(syscall(SYS_lseek, fd, 1L, SEEK_SET));
	SAY(syscall(SYS_read, fd, bytes, 4L));
	say_text("read", bytes, 4);
	copy = (int)syscall(SYS_dup, fd);
	SAY(syscall(SYS_write, copy, "tail", 4L));
	SAY(syscall(SYS_ftruncate, fd, 7L));
	SAY(syscall(SYS_fsync, fd));
	SAY(syscall(SYS_close, fd));
	say_file("f", copy);
	SAY(syscall(SYS_close, copy));
}

static int shared;

static void *write_records(void *which)
{
	char record[64];

	memset(record, 'a' + (int)(intptr_t)which, sizeof(record));
	for (int i = 0; i < 200; i++)
		if (write(shared, record, sizeof(record)) != sizeof(record))
			return "short";
	return NULL;
}

/* Each record is there once and whole, wherever. */
static void threads(void)
{
	pthread_t who[4];
	char record[64], whole[64];
	int counts[4] = {0}, torn = 0;

	shared = open_or_die("f", O_RDWR | O_CREAT);
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&who[i], NULL, write_records, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(who[i], NULL);
	SAY(lseek(shared, 0, SEEK_CUR));
	for (int i = 0; pread(shared, record, 64, i * 64L) == 64; i++) {
		memset(whole, record[0], sizeof(whole));
		torn += memcmp(whole, record, 64) != 0;
		if (record[0] >= 'a' && record[0] < 'e')
			counts[record[0] - 'a']++;
	}
	printf("%d %d %d %d, %d torn\n", counts[0], counts[1], counts[2],
	       counts[3], torn);
	close(shared);
	unlink("f"); /* their order is nobody's business */
}

static volatile int handled;

static void write_from_handler(int signal)
{
	char record[64];
	int err = errno;

	memset(record, 'h', sizeof(record));
	if (write(shared, record, sizeof(record)) == sizeof(record))
		handled++;
	errno = err;
}

/* Whatever it interrupts, each record gets a place of its own. */
static void signals(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { 0 };
	char record[64], whole[64];
	int torn = 0, own = 0, count = 0;

	shared = open_or_die("f", O_RDWR | O_CREAT);
	memset(record, 'm', sizeof(record));
	signal(SIGALRM, write_from_handler);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 20000 || !handled; i++, own++)
		if (write(shared, record, 64) != 64)
			puts("short");
	setitimer(ITIMER_REAL, &never, NULL);
	SAY(lseek(shared, 0, SEEK_CUR) == (own + handled) * 64L);
	for (; pread(shared, record, 64, count * 64L) == 64; count++) {
		memset(whole, record[0], sizeof(whole));
		torn += memcmp(whole, record, 64) != 0 ||
			(record[0] != 'm' && record[0] != 'h');
	}
	SAY(count == own + handled);
	SAY(torn);
	close(shared);
	unlink("f");
}

const struct script data_scripts[] = {
	{"plain", plain},     {"wrong", wrong}, {"faults", faults},
	{"vectors", vectors}, {"large", large}, {"by-number", by_number},
	{"threads", threads},
	{"signals", signals}, {NULL, NULL},
};
