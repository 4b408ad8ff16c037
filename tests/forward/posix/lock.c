/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks and mappings: what others do is seen in turn. */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>

#define TURNS 40
#define CROWD 3

static struct relay to_child, to_parent;

static int by_fcntl(int fd, int command, short kind)
{
	struct flock lock = { .l_type = kind, .l_whence = SEEK_SET };

	return fcntl(fd, command, &lock);
}

/* How a lock is taken and let go of. */
static int take(int fd, int way, bool on)
{
	switch (way) {
	case 0:
		return by_fcntl(fd, F_SETLKW, on ? F_WRLCK : F_UNLCK);
	case 1:
		return by_fcntl(fd, F_OFD_SETLKW, on ? F_WRLCK : F_UNLCK);
	case 2:
		return flock(fd, on ? LOCK_EX : LOCK_UN);
	default:
		if (lseek(fd, 0, SEEK_SET))
			return -1;
		return lockf(fd, on ? F_LOCK : F_ULOCK, 0);
	}
}

/* Read, add one, write: of all turns none is lost. */
static void count_on(int way)
{
	int fd = open_or_die("count", O_RDWR);
	char digits[16];

	for (int i = 0; i < TURNS; i++) {
		memset(digits, 0, sizeof(digits));
		if (take(fd, way, true) || pread(fd, digits, 8, 0) != 8)
			puts("failed");
		snprintf(digits, sizeof(digits), "%08d", atoi(digits) + 1);
		if (pwrite(fd, digits, 8, 0) != 8 || take(fd, way, false))
			puts("failed");
	}
	close(fd);
}

static void counted(void)
{
	char digits[16] = "";
	pid_t who[CROWD];
	int fd;

	for (int way = 0; way < 4; way++) {
		fd = open_or_die("count", O_RDWR | O_CREAT | O_TRUNC);
		SAY(write(fd, "00000000", 8));
		for (int i = 0; i < CROWD; i++)
			who[i] = start(count_on, way);
		for (int i = 0; i < CROWD; i++)
			await(who[i]);
		SAY(pread(fd, digits, 8, 0));
		say_text("counted", digits, 8);
		close(fd);
	}
}

/* Whose it is: of a process, of an open file, of what forks share. */
static void look_at_locks(int fd)
{
	int other = open_or_die("f", O_RDWR);

	SAY(by_fcntl(other, F_SETLK, F_WRLCK));
	SAY(by_fcntl(other, F_OFD_SETLK, F_WRLCK));
	SAY(flock(other, LOCK_EX | LOCK_NB));
	SAY(flock(fd, LOCK_EX | LOCK_NB));
	close(other);
}

static void locked_apart(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other, copy;

	SAY(write(fd, "f", 1));
	SAY(by_fcntl(fd, F_SETLK, F_WRLCK));
	await(start(look_at_locks, fd));
	other = open_or_die("f", O_RDONLY);
	SAY(close(other)); /* and with it all locks of the process */
	await(start(look_at_locks, fd));
	SAY(by_fcntl(fd, F_OFD_SETLK, F_RDLCK));
	await(start(look_at_locks, fd));
	copy = dup(fd);
	SAY(close(fd));
	await(start(look_at_locks, copy));
	SAY(by_fcntl(copy, F_OFD_SETLK, F_UNLCK));
	SAY(flock(copy, LOCK_SH));
	await(start(look_at_locks, copy));
	SAY(write(copy, "more", 4));
	say_file("f", copy);
	SAY(close(copy));
	copy = open_or_die("f", O_RDWR);
	SAY(flock(copy, LOCK_EX | LOCK_NB));
	SAY(by_fcntl(-1, F_SETLK, F_WRLCK));
	close(copy);
}

/* A lock of lockf alone is lost neither by opening nor by cutting. */
static void look_for_lockf(int word)
{
	int fd = open_or_die("f", O_RDWR);

	SAY(lockf(fd, F_TEST, 0));
	close(fd);
}

/* A process that has just been made, where locks were used before. */
static void empty_in_child(int word)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_TRUNC);

	SAY(by_fcntl(fd, F_SETLK, F_WRLCK));
	SAY(write(fd, "child", 5));
	SAY(ftruncate(fd, 3));
	close(fd);
}

static void locked_forked(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);

	SAY(write(fd, "long enough", 11));
	SAY(by_fcntl(fd, F_SETLK, F_WRLCK));
	await(start(empty_in_child, 0));
	say_file("emptied", fd);
	SAY(by_fcntl(fd, F_SETLK, F_UNLCK));
	await(start(empty_in_child, 0));
	say_file("unlocked", fd);
	close(fd);
}

static void locked_by_lockf(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;

	SAY(lockf(fd, F_LOCK, 0));
	await(start(look_for_lockf, 0));
	other = open_or_die("f", O_RDWR);
	await(start(look_for_lockf, 0));
	SAY(write(other, "other", 5));
	SAY(truncate("f", 3));
	await(start(look_for_lockf, 0));
	say_file("f", fd);
	SAY(close(other));
	await(start(look_for_lockf, 0));
	close(fd);
}

/* Has it open and forwarded before another maps it. */
static void use_mapped(int word)
{
	int fd = open_or_die("f", O_RDWR);
	char bytes[16] = "";

	SAY(pwrite(fd, "child", 5, 0));
	relay_pass(&to_parent);
	relay_take(&to_child);
	SAY(pread(fd, bytes, 10, 0));
	say_text("child reads", bytes, 10);
	SAY(pwrite(fd, "CHILD", 5, 5));
	relay_pass(&to_parent);
	relay_take(&to_child);
	SAY(pread(fd, bytes, 10, 0));
	say_text("child reads", bytes, 10);
	close(fd);
}

static void mapped_between(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char *bytes, *own;
	pid_t pid;

	relay_make(&to_child);
	relay_make(&to_parent);
	SAY(write(fd, "0123456789", 10));
	pid = start(use_mapped, 0);
	relay_take(&to_parent);
	bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	say_text("mapped", bytes, 10);
	memcpy(bytes + 6, "map", 3);
	relay_pass(&to_child);
	relay_take(&to_parent);
	say_text("mapped", bytes, 10);
	own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	memcpy(own, "own", 3);
	memcpy(bytes, "all", 3);
	SAY(munmap(own, 4096));
	SAY(munmap(bytes, 4096));
	relay_pass(&to_child);
	await(pid);
	SAY(write(fd, "end", 3));
	say_file("f", fd);
	close(fd);
}

/* Written, mapped, let go of, and written again; wrong ones too. */
static void mapped_again(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	int out = open_or_die("f", O_WRONLY);
	char *bytes;

	for (int i = 0; i < 4; i++) {
		SAY(pwrite(fd, "0123456789", 10, 5000L * i));
		bytes = mmap(NULL, 20000, PROT_READ, MAP_SHARED, fd, 0);
		say_text("mapped", bytes + 5000L * i, 10);
		bytes = mremap(bytes, 20000, 40000, MREMAP_MAYMOVE);
		say_text("moved", bytes + 5000L * i, 10);
		SAY(munmap(bytes, 40000));
		SAY(lseek(fd, 0, SEEK_END));
	}
	SAY(mmap(NULL, 4096, PROT_READ, MAP_SHARED, out, 0) == MAP_FAILED);
	SAY(mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
	SAY(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 5) == MAP_FAILED);
	SAY(mmap(NULL, 4096, PROT_READ, MAP_SHARED, -1, 0) == MAP_FAILED);
	SAY(write(fd, "end", 3));
	say_file("f", fd);
	close(out);
	close(fd);
}

const struct script lock_scripts[] = {
	{ "counted", counted },
	{ "locked-apart", locked_apart },
	{ "locked-forked", locked_forked },
	{ "locked-by-lockf", locked_by_lockf },
	{ "mapped-between", mapped_between },
	{ "mapped-again", mapped_again },
	{ NULL, NULL },
};
