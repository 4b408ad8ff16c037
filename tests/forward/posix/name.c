/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, what stat tells, and times. */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void say_sizes(const char *when, const char *path, int fd)
{
	struct stat a, b, c, d;
	struct statx x = {0};
	int failed = stat(path, &a) | lstat(path, &b) | fstat(fd, &c) |
		     fstatat(AT_FDCWD, path, &d, 0) |
		     statx(AT_FDCWD, path, 0, STATX_SIZE, &x);

	printf("%s: %d, %ld %ld %ld %ld %ld, %s\n", when, failed,
	       (long)a.st_size, (long)b.st_size, (long)c.st_size,
	       (long)d.st_size, (long)x.stx_size,
	       a.st_size && !a.st_blocks ? "no blocks" : "blocks");
	fflush(stdout);
}

static void told(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	struct stat before, after;

	say_sizes("empty", "f", fd);
	SAY(write(fd, "0123456789", 10));
	say_sizes("written", "f", fd);
	SAY(symlink("f", "link"));
	say_sizes("by a link", "link", fd);
	SAY(fstat(fd, &before));
	usleep(20000);
	SAY(pwrite(fd, "x", 1, 5000));
	SAY(fstat(fd, &after));
	SAY(after.st_mtim.tv_sec > before.st_mtim.tv_sec ||
	    after.st_mtim.tv_nsec > before.st_mtim.tv_nsec);
	say_sizes("more", "f", fd);
	SAY(fflush(stdout));
	SAY(system("stat -c %s f; wc -c < f; ls -l f | awk '{print $5}'"));
	SAY(ftruncate(fd, 3));
	say_sizes("less", "f", fd);
	close(fd);
}

static void renamed(void)
{
	int fd = open_or_die("a", O_RDWR | O_CREAT), old;

	SAY(write(fd, "new contents", 12));
	old = open_or_die("b", O_RDWR | O_CREAT);
	SAY(write(old, "old", 3));
	SAY(rename("a", "b"));
	SAY(access("a", F_OK));
	say_file("what was b", old);
	SAY(write(old, " and gone", 9));
	say_file("what was b", old);
	SAY(write(fd, " and more", 9));
	say_file("b", fd);
	SAY(close(old));
	SAY(link("b", "c"));
	SAY(pwrite(fd, "N", 1, 0));
	SAY(close(fd));
	fd = open_or_die("c", O_RDONLY);
	say_file("c", fd);
	close(fd);
	SAY(rename("none", "b"));
	SAY(link("none", "d"));
}

static void removed(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;
	struct stat about;

	SAY(write(fd, "still here", 10));
	SAY(unlink("f"));
	SAY(unlink("f"));
	SAY(fstat(fd, &about));
	SAY(about.st_nlink);
	SAY(about.st_size);
	other = open_or_die("f", O_RDWR | O_CREAT);
	SAY(write(other, "another", 7));
	SAY(write(fd, " and more", 9));
	say_file("removed", fd);
	say_file("another", other);
	SAY(close(fd));
	say_file("another", other);
	SAY(close(other));
	SAY(remove("f"));
	for (int i = 0; i < 10; i++) {
		fd = open_or_die("g", O_RDWR | O_CREAT);
		if (write(fd, "0123456789", (size_t)i) != i || close(fd))
			puts("failed");
		if (i < 9)
			unlink("g");
	}
}

static void dated(void)
{
	struct timespec times[2] = {{1000, 5}, {2000, 7}};
	struct stat about;
	int fd = open_or_die("f", O_RDWR | O_CREAT);

	SAY(write(fd, "abc", 3));
	SAY(futimens(fd, times));
	SAY(close(fd));
	SAY(stat("f", &about));
	SAY(about.st_mtim.tv_sec);
	SAY(about.st_mtim.tv_nsec);
	fd = open_or_die("g", O_RDWR | O_CREAT);
	SAY(write(fd, "abc", 3));
	SAY(utimensat(AT_FDCWD, "g", times, 0));
	SAY(fstat(fd, &about));
	SAY(about.st_mtim.tv_sec);
	SAY(close(fd));
	SAY(stat("g", &about));
	SAY(about.st_mtim.tv_sec);
	SAY(chmod("g", 0400));
	SAY(stat("g", &about));
	SAY(about.st_mode & 07777);
}

/* Opened in other ways than open(). */
static void made(void)
{
	char one[] = "oneXXXXXX", two[] = "two.XXXXXX.end";
	int fd = mkstemp(one), dir = open_or_die(".", O_RDONLY | O_DIRECTORY);

	SAY(write(fd, "temporary", 9));
	say_file("one", fd);
	SAY(rename(one, "one"));
	close(fd);
	fd = mkostemps(two, 4, O_APPEND);
	SAY(write(fd, "a", 1));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(write(fd, "b", 1));
	SAY(rename(two, "two"));
	close(fd);
	fd = creat("three", 0600);
	SAY(write(fd, "creat", 5));
	SAY(read(fd, one, 1));
	close(fd);
	fd = openat(dir, "four", O_RDWR | O_CREAT, 0640);
	SAY(write(fd, "openat", 6));
	say_file("four", fd);
	close(fd);
	fd = open(".", O_RDWR | O_TMPFILE, 0600);
	SAY(write(fd, "nameless", 8) == 8 || fd < 0);
	close(fd);
	fd = open_or_die("four", O_PATH);
	SAY(read(fd, one, 1));
	close(fd);
	SAY(write(dir, "x", 1));
	close(dir);
}

/* Names that are none. */
static void nameless(void)
{
	char *nowhere = (char *)8;
	struct stat about;
	int fd = open_or_die("f", O_RDWR | O_CREAT);

	SAY(write(fd, "abc", 3));
	SAY(unlink(nowhere));
	SAY(unlink(""));
	SAY(rename(nowhere, "g"));
	SAY(rename("f", nowhere));
	SAY(rename("f", ""));
	SAY(link("f", nowhere));
	SAY(open(nowhere, O_WRONLY | O_TRUNC));
	SAY(open("", O_WRONLY | O_TRUNC));
	SAY(stat(nowhere, &about));
	SAY(truncate(nowhere, 1));
	SAY(truncate("", 1));
	SAY(utimensat(AT_FDCWD, nowhere, NULL, 0));
	SAY(unlinkat(fd, "", 0));
	SAY(unlinkat(-5, "f", 0));
	say_file("f", fd);
	close(fd);
}

const struct script name_scripts[] = {
	{"told", told},	  {"renamed", renamed}, {"removed", removed},
	{"dated", dated}, {"made", made},	{"nameless", nameless},
	{NULL, NULL},
};
