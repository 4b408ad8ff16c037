/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept beside the bytes: times that are set, attributes, locks. */
#include "calls.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

/* Times that were set stay, whatever is stored later. */
static void say_times(const struct cell *c)
{
	struct stat about = {0};

	fstat(c->fd, &about);
	printf("times %ld.%09ld and %ld.%09ld\n", about.st_atim.tv_sec,
	       about.st_atim.tv_nsec, about.st_mtim.tv_sec,
	       about.st_mtim.tv_nsec);
	fflush(stdout);
}

static const struct timeval old[] = {{1000, 5}, {2000, 7}};
static const struct timespec older[] = {{100, 5}, {200, 7}};
static const struct timespec wrong[] = {{1, 1L << 40}, {1, 0}};

static void try_utime(const struct cell *c)
{
	struct utimbuf times = {1000, 2000};

	if (!SAY(utime(c->path, &times)))
		say_times(c);
	SAY(utime("file/", &times));
	SAY(utime(c->path, NULL));
}

static void try_utimes(const struct cell *c)
{
	if (!SAY(utimes(c->path, old)))
		say_times(c);
}

static void try_lutimes(const struct cell *c)
{
	if (!SAY(lutimes(c->path, old)))
		say_times(c);
}

static void try_futimes(const struct cell *c)
{
	if (!SAY(futimes(c->fd, old)))
		say_times(c);
}

static void try_futimesat(const struct cell *c)
{
	if (!SAY(futimesat(c->dir, c->path, old)))
		say_times(c);
}

/* Of a directory, too: what is made in it later counts, not what was. */
static void set_directory(void)
{
	struct stat about = {0};

	SAY(mkdir("inside", 0755));
	close(make_second("inside/file", "made before"));
	SAY(utimensat(AT_FDCWD, "inside", older, 0));
	SAY_FD(open("inside/file", O_RDONLY));
	SAY(access("inside/file", R_OK));
	stat("inside", &about);
	SAY(about.st_mtim.tv_sec);
}

static void try_utimensat(const struct cell *c)
{
	if (!SAY(utimensat(c->dir, c->path, older, 0)))
		say_times(c);
	SAY(utimensat(c->dir, c->path, wrong, 0));
	SAY(utimensat(c->fd, "below", older, 0));
	set_directory();
}

static void try_futimens(const struct cell *c)
{
	SAY(write(c->fd, "before", 6));
	SAY(futimens(c->fd, older));
	say_times(c);
	SAY(futimens(c->dir, older));
}

#define NAME "user.weir"

static void say_value(const struct cell *c)
{
	char value[16] = "";

	if (SAY(fgetxattr(c->fd, NAME, value, sizeof(value))) > 0)
		say_text("value", value, 5);
}

static void try_setxattr(const struct cell *c)
{
	SAY(setxattr(c->path, NAME, "value", 5, 0));
	SAY(setxattr(c->path, NAME, "value", 5, XATTR_CREATE));
	SAY(setxattr("file/", NAME, "value", 5, 0));
	SAY(setxattr(c->path, "security.capability", "", 0, 0));
	say_value(c);
}

static void try_lsetxattr(const struct cell *c)
{
	SAY(lsetxattr(c->path, NAME, "value", 5, XATTR_REPLACE));
	SAY(lsetxattr(c->path, NAME, "value", 5, 0));
	say_value(c);
}

static void try_fsetxattr(const struct cell *c)
{
	SAY(fsetxattr(c->fd, NAME, "value", 5, 0));
	SAY(write(c->fd, "more", 4));
	say_value(c);
}

static void try_getxattr(const struct cell *c)
{
	char value[16];

	SAY(getxattr(c->path, NAME, value, sizeof(value)));
	SAY(fsetxattr(c->fd, NAME, "value", 5, 0));
	SAY(getxattr(c->path, NAME, value, 2));
	SAY(getxattr("file/below", NAME, value, 2));
}

static void try_lgetxattr(const struct cell *c)
{
	char value[16];

	SAY(lgetxattr(c->path, NAME, value, sizeof(value)));
}

static void try_fgetxattr(const struct cell *c)
{
	char value[16];

	SAY(fgetxattr(c->fd, "system.posix_acl_access", value, 16));
	SAY(fgetxattr(c->fd, NAME, value, 16));
}

static void try_listxattr(const struct cell *c)
{
	char list[64];

	SAY(listxattr(c->path, list, sizeof(list)));
	SAY(fsetxattr(c->fd, NAME, "value", 5, 0));
	SAY(listxattr(c->path, list, sizeof(list)));
}

static void try_llistxattr(const struct cell *c)
{
	char list[64];

	SAY(llistxattr(c->path, list, sizeof(list)));
}

static void try_flistxattr(const struct cell *c)
{
	char list[64];

	SAY(flistxattr(c->fd, list, sizeof(list)));
}

static void try_removexattr(const struct cell *c)
{
	SAY(removexattr(c->path, NAME));
	SAY(fsetxattr(c->fd, NAME, "value", 5, 0));
	SAY(removexattr(c->path, NAME));
}

static void try_lremovexattr(const struct cell *c)
{
	SAY(lremovexattr(c->path, NAME));
}

static void try_fremovexattr(const struct cell *c)
{
	SAY(fremovexattr(c->fd, NAME));
}

static void try_name_to_handle_at(const struct cell *c)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} of = {.handle.handle_bytes = MAX_HANDLE_SZ};
	int mount;

	SAY(name_to_handle_at(c->dir, c->path, &of.handle, &mount, 0));
	SAY(of.handle.handle_bytes);
	SAY(name_to_handle_at(c->fd, "", &of.handle, &mount, AT_EMPTY_PATH));
	SAY(of.handle.handle_type);
}

/* Another process, which opens it for itself. */
static void lock_too(const struct cell *c)
{
	struct flock lock = {.l_type = F_WRLCK};
	pid_t pid;
	int fd;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		fd = open(c->path, O_RDWR);
		SAY(flock(fd, LOCK_EX | LOCK_NB));
		SAY(lockf(fd, F_TEST, 0));
		SAY(fcntl(fd, F_OFD_SETLK, &lock));
		_exit(0);
	}
	await(pid);
}

static void try_flock(const struct cell *c)
{
	SAY(flock(c->fd, LOCK_EX));
	lock_too(c);
	SAY(flock(c->fd, LOCK_UN));
	lock_too(c);
	SAY(flock(c->fd, 77));
}

static void try_lockf(const struct cell *c)
{
	SAY(lockf(c->fd, F_LOCK, 0));
	lock_too(c);
	SAY(write(c->fd, "locked", 6));
	lock_too(c);
	SAY(lockf(c->fd, F_ULOCK, 0));
	lock_too(c);
}

const struct call mark_calls[] = {
	{"utime", try_utime},
	{"utimes", try_utimes},
	{"lutimes", try_lutimes},
	{"futimes", try_futimes},
	{"futimesat", try_futimesat},
	{"utimensat", try_utimensat},
	{"futimens", try_futimens},
	{"setxattr", try_setxattr},
	{"lsetxattr", try_lsetxattr},
	{"fsetxattr", try_fsetxattr},
	{"getxattr", try_getxattr},
	{"lgetxattr", try_lgetxattr},
	{"fgetxattr", try_fgetxattr},
	{"listxattr", try_listxattr},
	{"llistxattr", try_llistxattr},
	{"flistxattr", try_flistxattr},
	{"removexattr", try_removexattr},
	{"lremovexattr", try_lremovexattr},
	{"fremovexattr", try_fremovexattr},
	{"name_to_handle_at", try_name_to_handle_at},
	{"flock", try_flock},
	{"lockf", try_lockf},
	{NULL, NULL},
};
