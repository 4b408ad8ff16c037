/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to descriptors and files. */
#include "actor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ROUNDS 500

/* Numbers that are closed behind everybody's back come back as others. */
static int reuse_descriptors(int argc, char **argv)
{
	char name[32], text[32];
	int kept = open("kept", O_RDWR | O_CREAT | O_TRUNC, 0640);
	int fd, copy;

	if (kept < 0)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		snprintf(name, sizeof(name), "reused-%d", i % 7);
		snprintf(text, sizeof(text), "round %d\n", i);
		fd = open(name, O_RDWR | O_CREAT | O_APPEND, 0600 + i % 7);
		copy = dup(fd);
		if (fd < 0 || copy < 0 || actor_put(copy, text))
			return 1;
		syscall(SYS_close, fd);
		if (dup2(kept, copy) != copy || actor_put(copy, text))
			return 1;
		if (i % 3)
			syscall(SYS_close, copy);
		else
			close_range((unsigned)copy, (unsigned)copy, 0);
	}
	printf("kept ends at %lld, next descriptor is %d\n",
	       (long long)lseek(kept, 0, SEEK_CUR), dup(0));
	return close(kept);
}

/* Everything is closed, then opened anew, as daemons do. */
static int close_everything(int argc, char **argv)
{
	int copy = fcntl(1, F_DUPFD, 100);

	for (int round = 0; round < 20; round++) {
		for (int fd = 3; fd < 100; fd++)
			close(fd);
		for (int i = 0; i < 10; i++) {
			if (open("/dev/null", O_RDWR) != 3 + i)
				return 1;
		}
	}
	close_range(3, ~0u, 0);
	if (copy >= 0 && fcntl(copy, F_GETFD) != -1)
		return 1;
	if (open("all-closed", O_WRONLY | O_CREAT, 0644) != 3)
		return 1;
	return actor_put(3, "first free number\n");
}

/* Up to the limit and beyond: the errors must be the kernel's own. */
static int fill_descriptors(int argc, char **argv)
{
	int most = argc > 1 ? atoi(argv[1]) : 4096, count = 0, fds[2];

	while (count < most && open("/dev/zero", O_RDONLY) >= 0)
		count++;
	printf("%d opened, then %s\n", count, strerror(errno));
	actor_tell("pipe", pipe(fds));
	actor_tell("file", actor_file("late", 1, "x"));
	return 0;
}

static int outgrow(int argc, char **argv)
{
	static char block[4096];
	int fd = open("grown", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	long long total = 0;
	ssize_t n = 0;

	memset(block, 'g', sizeof(block));
	for (int i = 0; i < 64; i++) {
		n = write(fd, block, sizeof(block));
		if (n < 0)
			break;
		total += n;
	}
	actor_tell("the last", n);
	actor_tell("written", total);
	actor_tell("pwrite", pwrite(fd, block, 10, 1 << 20));
	return 0;
}

static int say_pieces(int fd)
{
	struct iovec vec[3] = {{"a", 1}, {"bc", 2}, {"def\n", 4}};
	char back[32] = "";

	actor_tell("writev", writev(fd, vec, 3));
	actor_tell("pwritev", pwritev(fd, vec, 2, 100));
	actor_tell("lseek", lseek(fd, -3, SEEK_END));
	actor_tell("read", read(fd, back, sizeof(back) - 1));
	actor_tell(back, read(fd, back, 1));
	actor_tell("bad read", read(-1, back, 1));
	return 0;
}

static int tell_file(int fd)
{
	struct stat st;

	if (fallocate(fd, 0, 0, 8192) || ftruncate(fd, 5000) || fsync(fd) ||
	    fstat(fd, &st))
		return 1;
	printf("size %lld mode %o\n", (long long)st.st_size, st.st_mode);
	actor_tell("stat", stat("not-there", &st));
	printf("fcntl %d\n", fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	return 0;
}

static int use_calls(int argc, char **argv)
{
	int fd = open("calls", O_RDWR | O_CREAT | O_EXCL, 0604), other;
	off_t from = 0;

	if (fd < 0 || say_pieces(fd) || tell_file(fd))
		return 1;
	other = open("copied", O_RDWR | O_CREAT, 0600);
	actor_tell("copy", copy_file_range(fd, &from, other, NULL, 50, 0));
	actor_tell("again", open("calls", O_CREAT | O_EXCL, 0600));
	return close(other) || close(fd);
}

const struct actor actor_files[] = {
	{"reuse", reuse_descriptors},
	{"close-all", close_everything},
	{"fill", fill_descriptors},
	{"outgrow", outgrow},
	{"calls", use_calls},
	{NULL, NULL},
};
