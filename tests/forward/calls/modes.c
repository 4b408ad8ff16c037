/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes and owners, with the bits that writing and giving away clear. */
#include "calls.h"

#include <errno.h>

static const mode_t modes[] = {0600, 04755, 02755, 02644, 01666, 0, 06777};

#define MODES (sizeof(modes) / sizeof(*modes))

static void say_mode(const struct cell *c)
{
	struct stat about;

	if (!fstat(c->fd, &about))
		printf("mode %o of %u:%u\n", about.st_mode, about.st_uid,
		       about.st_gid);
	fflush(stdout);
}

/* What is written then takes some away, unless root does. */
static void write_on(const struct cell *c)
{
	say_mode(c);
	SAY(write(c->fd, "w", 1));
	say_mode(c);
}

static void try_chmod(const struct cell *c)
{
	for (size_t i = 0; i < MODES; i++) {
		SAY(write(c->fd, "before", 6));
		SAY(chmod(c->path, modes[i]));
		write_on(c);
		SAY_FD(open(c->path, O_RDONLY));
	}
	SAY(chmod("file/", 0600));
	SAY(chmod(c->path, 04755));
	SAY(fsync(c->fd));
	say_mode(c);
}

static void try_fchmod(const struct cell *c)
{
	for (size_t i = 0; i < MODES; i++) {
		SAY(write(c->fd, "before", 6));
		SAY(fchmod(c->fd, modes[i]));
		write_on(c);
		SAY_FD(open(c->path, O_RDWR));
	}
	SAY(write(c->fd, "last", 4));
	SAY(fchmod(c->fd, 06711));
}

static void try_fchmodat(const struct cell *c)
{
	for (size_t i = 0; i < MODES; i++) {
		SAY(fchmodat(c->dir, c->path, modes[i], 0));
		write_on(c);
	}
	SAY(fchmodat(c->fd, "below", 0600, 0));
	SAY(fchmodat(c->dir, c->path, 0600, AT_SYMLINK_NOFOLLOW));
}

static void try_lchmod(const struct cell *c)
{
	SAY(lchmod(c->path, 02711));
	write_on(c);
}

/* The directory: whoever made something there could then. */
static void close_directory(const struct cell *c)
{
	SAY(mkdir("inside", 0755));
	close(make_second("inside/file", "made before"));
	SAY(chmod("inside", 0555));
	SAY_FD(open("inside/file", O_RDONLY));
	SAY_FD(open("inside/new", O_RDWR | O_CREAT, 0600));
	say_entries("inside");
	SAY(chmod("inside", 02777));
	close(make_second("inside/more", "made before"));
	say_name("inside/more");
}

static const struct {
	uid_t user;
	gid_t group;
} owners[] = {{-1, -1}, {-1, 65533}, {65534, -1}, {65534, 65534}, {0, 0}};

#define OWNERS (sizeof(owners) / sizeof(*owners))

static void try_chown(const struct cell *c)
{
	for (size_t i = 0; i < OWNERS; i++) {
		fchmod(c->fd, 06755);
		SAY(chown(c->path, owners[i].user, owners[i].group));
		write_on(c);
	}
	close_directory(c);
	SAY(chown("file/", -1, -1));
}

static void try_fchown(const struct cell *c)
{
	for (size_t i = 0; i < OWNERS; i++) {
		SAY(write(c->fd, "before", 6));
		SAY(fchown(c->fd, owners[i].user, owners[i].group));
		write_on(c);
	}
}

static void try_lchown(const struct cell *c)
{
	for (size_t i = 0; i < OWNERS; i++)
		SAY(lchown(c->path, owners[i].user, owners[i].group));
	write_on(c);
}

static void try_fchownat(const struct cell *c)
{
	for (size_t i = 0; i < OWNERS; i++) {
		SAY(fchownat(c->dir, c->path, owners[i].user, owners[i].group,
			     0));
		write_on(c);
	}
	SAY(fchownat(c->fd, "", -1, -1, AT_EMPTY_PATH));
	SAY(fchownat(c->fd, "below", -1, -1, 0));
}

const struct call mode_calls[] = {
	{"chmod", try_chmod},
	{"fchmod", try_fchmod},
	{"fchmodat", try_fchmodat},
	{"lchmod", try_lchmod},
	{"chown", try_chown},
	{"fchown", try_fchown},
	{"lchown", try_lchown},
	{"fchownat", try_fchownat},
	{NULL, NULL},
};
