/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening, closing, duplicating, controlling. */
#include "calls.h"

#include <errno.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static const int ways[] = {
	O_RDONLY,
	O_WRONLY | O_APPEND,
	O_RDWR | O_CREAT,
	O_RDWR | O_CREAT | O_EXCL,
	O_RDONLY | O_DIRECTORY,
	O_RDONLY | O_NOFOLLOW,
	O_PATH,
	O_RDONLY | O_SYNC,
	O_RDONLY | O_NOATIME,
	O_WRONLY | O_TRUNC,
};

#define WAYS (sizeof(ways) / sizeof(*ways))

static void try_open(const struct cell *c)
{
	for (size_t i = 0; i < WAYS; i++)
		SAY_FD(open(c->path, ways[i], 0600));
	SAY_FD(open("file/", O_RDONLY));
	SAY_FD(open("file/below", O_RDWR | O_CREAT, 0600));
	SAY_FD(open("./file", O_RDONLY));
	SAY_FD(open("new", O_RDWR | O_CREAT, 04750));
	SAY_FD(open(".", O_RDWR | O_TMPFILE, 0600));
	SAY_FD(open(NULL, O_RDONLY));
}

static void try_openat(const struct cell *c)
{
	for (size_t i = 0; i < WAYS; i++)
		SAY_FD(openat(c->dir, c->path, ways[i], 0600));
	SAY_FD(openat(c->fd, "below", O_RDONLY));
	SAY_FD(openat(c->fd, "", O_RDONLY));
	SAY_FD(openat(-1, c->path, O_RDONLY));
}

static void try_creat(const struct cell *c)
{
	SAY_FD(creat(c->path, 0600));
	SAY_FD(creat("new", 02711));
	SAY_FD(creat("file/", 0600));
	say_name("new");
}

static void try_close(const struct cell *c)
{
	int more = dup(c->fd);

	SAY(close(more));
	SAY(close(more));
	SAY(close(c->fd));
	SAY(write(c->fd, "x", 1));
	say_name(c->path);
}

static void try_close_range(const struct cell *c)
{
	int more = dup(c->fd);

	SAY(close_range((unsigned)more, (unsigned)more, 0));
	SAY(close_range((unsigned)c->fd, (unsigned)c->fd, 4));
	SAY(fcntl(c->fd, F_GETFD));
	SAY(close_range((unsigned)c->fd, (unsigned)c->fd, 0));
	SAY(write(c->fd, "x", 1));
	say_name(c->path);
}

static void try_closefrom(const struct cell *c)
{
	closefrom(c->fd);
	SAY(write(c->fd, "x", 1));
	say_name(c->path);
}

static void use_both(const struct cell *c, int more)
{
	SAY(write(more, "dup", 3));
	SAY(lseek(c->fd, 0, SEEK_CUR));
	SAY_FD(more);
}

static void try_dup(const struct cell *c)
{
	use_both(c, dup(c->fd));
	SAY(dup(-1));
}

static void try_dup2(const struct cell *c)
{
	int high = c->fd + 100;

	use_both(c, dup2(c->fd, high));
	SAY(dup2(c->fd, c->fd) == c->fd);
	SAY(dup2(c->fd, -1));
}

static void try_dup3(const struct cell *c)
{
	int high = c->fd + 100;

	use_both(c, dup3(c->fd, high, O_CLOEXEC));
	SAY(dup3(c->fd, c->fd, 0));
}

static void try_locks(const struct cell *c)
{
	static const int commands[] = {F_GETLK, F_SETLK, F_OFD_GETLK,
				       F_OFD_SETLK};
	struct flock lock;

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		lock = (struct flock){.l_type = F_WRLCK, .l_len = 5};
		SAY(fcntl(c->fd, commands[i], &lock));
		SAY(lock.l_type);
	}
}

/* From here on: another open file of it tells where that is. */
static void lock_from_here(const struct cell *c)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR};
	int other = open(c->path, O_RDWR);

	SAY(lseek(c->fd, 3, SEEK_SET));
	SAY(fcntl(c->fd, F_OFD_SETLK, &lock));
	lock = (struct flock){.l_type = F_WRLCK};
	if (other < 0)
		return;
	SAY(fcntl(other, F_OFD_GETLK, &lock));
	SAY(lock.l_start);
	close(other);
}

static void try_fcntl(const struct cell *c)
{
	use_both(c, fcntl(c->fd, F_DUPFD, 50));
	use_both(c, fcntl(c->fd, F_DUPFD_CLOEXEC, 50));
	SAY(fcntl(c->fd, F_GETFD));
	SAY(fcntl(c->fd, F_SETFD, FD_CLOEXEC));
	SAY(fcntl(c->fd, F_GETFL));
	SAY(fcntl(c->fd, F_SETFL, O_APPEND));
	SAY(write(c->fd, "end", 3));
	SAY(fcntl(c->fd, F_SETFL, O_NONBLOCK | O_NOATIME));
	SAY(fcntl(c->fd, F_GETFL));
	SAY(fcntl(c->fd, F_SETFL, O_DIRECT));
	SAY(fcntl(c->fd, F_GETFL));
	SAY(fcntl(c->fd, F_SETFL, 0));
	try_locks(c);
	lock_from_here(c);
	SAY(fcntl(c->fd, F_GETLEASE));
	SAY(fcntl(c->fd, F_GET_SEALS));
	SAY(fcntl(c->fd, F_ADD_SEALS, F_SEAL_WRITE));
	SAY(fcntl(c->fd, F_GETOWN));
	SAY(fcntl(c->fd, F_GETPIPE_SZ));
	SAY(fcntl(c->fd, F_NOTIFY, 0));
	SAY(fcntl(c->fd, 12345));
}

/* Under a name that nobody knows before. */
static void use_made(int fd, const char *name)
{
	SAY_FD(fd);
	SAY(unlink(name));
}

static void try_mkstemp(const struct cell *c)
{
	char name[] = "fileXXXXXX", wrong[] = "file";

	use_made(mkstemp(name), name);
	SAY(mkstemp(wrong));
}

static void try_mkostemp(const struct cell *c)
{
	char name[] = "fileXXXXXX";

	use_made(mkostemp(name, O_APPEND), name);
}

static void try_mkstemps(const struct cell *c)
{
	char name[] = "fileXXXXXX.c", below[] = "file/XXXXXX";

	use_made(mkstemps(name, 2), name);
	SAY(mkstemps(below, 0));
}

static void try_mkostemps(const struct cell *c)
{
	char name[] = "fileXXXXXX.c";

	use_made(mkostemps(name, 2, O_CLOEXEC), name);
}

static void try_open_by_handle_at(const struct cell *c)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} of = {.handle.handle_bytes = MAX_HANDLE_SZ};
	int mount;

	if (SAY(name_to_handle_at(AT_FDCWD, c->path, &of.handle, &mount, 0)))
		return;
	SAY_FD(open_by_handle_at(c->dir, &of.handle, O_RDONLY));
	SAY_FD(open_by_handle_at(c->dir, &of.handle, O_WRONLY | O_TRUNC));
}

static int by_how(int dir, const char *path, struct open_how how)
{
	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

static void try_openat2(const struct cell *c)
{
	struct open_how how = {.flags = O_RDWR, .resolve = RESOLVE_BENEATH};
	struct open_how cut = {.flags = O_WRONLY | O_TRUNC};
	struct open_how make = {.flags = O_RDWR | O_CREAT | O_EXCL,
				.mode = 0611};

	SAY_FD(by_how(c->dir, c->path, how));
	SAY_FD(by_how(c->dir, "../file", how));
	SAY_FD(by_how(c->dir, c->path, make));
	SAY_FD(by_how(c->dir, "new", make));
	SAY_FD(by_how(c->dir, c->path, cut));
	SAY(syscall(SYS_openat2, c->dir, c->path, NULL, 24));
}

const struct call open_calls[] = {
	{"open", try_open},
	{"openat", try_openat},
	{"creat", try_creat},
	{"close", try_close},
	{"close_range", try_close_range},
	{"closefrom", try_closefrom},
	{"dup", try_dup},
	{"dup2", try_dup2},
	{"dup3", try_dup3},
	{"fcntl", try_fcntl},
	{"mkstemp", try_mkstemp},
	{"mkostemp", try_mkostemp},
	{"mkstemps", try_mkstemps},
	{"mkostemps", try_mkostemps},
	{"open_by_handle_at", try_open_by_handle_at},
	{"openat2", try_openat2},
	{NULL, NULL},
};
