/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a file, and who may do what with it. */
#include "calls.h"

#include <errno.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

static struct stat about;

static void say_if(const char *what, long ret)
{
	if (!ret)
		say_about(what, &about);
}

static void try_stat(const struct cell *c)
{
	say_if("stat", SAY(stat(c->path, &about)));
	SAY(stat("file/", &about));
	SAY(stat("file/.", &about));
	SAY(stat("file/below/more", &about));
	SAY(stat("none", &about));
	SAY(stat("", &about));
}

static void try_lstat(const struct cell *c)
{
	say_if("lstat", SAY(lstat(c->path, &about)));
	SAY(lstat("file/below", &about));
}

static void try_fstat(const struct cell *c)
{
	say_if("fstat", SAY(fstat(c->fd, &about)));
	SAY(about.st_blksize);
	SAY(write(c->fd, "0123456789", 10));
	say_if("fstat", SAY(fstat(c->fd, &about)));
	SAY(fstat(-1, &about));
}

static void try_fstatat(const struct cell *c)
{
	say_if("by name", SAY(fstatat(c->dir, c->path, &about, 0)));
	say_if("empty", SAY(fstatat(c->fd, "", &about, AT_EMPTY_PATH)));
	SAY(fstatat(c->fd, "below", &about, 0));
	SAY(fstatat(c->dir, c->path, &about, 1 << 20));
}

static void say_statx(const char *what, int dir, const char *path, int flags)
{
	struct statx told;

	if (say(what, statx(dir, path, flags, STATX_BASIC_STATS, &told)))
		return;
	printf("%o, %u names, of %u:%u, %llu bytes\n", told.stx_mode,
	       told.stx_nlink, told.stx_uid, told.stx_gid,
	       (unsigned long long)told.stx_size);
}

static void try_statx(const struct cell *c)
{
	say_statx("by name", c->dir, c->path, 0);
	say_statx("empty", c->fd, "", AT_EMPTY_PATH);
	say_statx("synced", AT_FDCWD, c->path, AT_STATX_FORCE_SYNC);
	say_statx("below", c->fd, "below", 0);
}

/* How much is free changes; what kind it is does not. */
static void try_statfs(const struct cell *c)
{
	struct statfs st = {0};

	SAY(statfs(c->path, &st));
	SAY(st.f_type);
	SAY(statfs("file/", &st));
}

static void try_fstatfs(const struct cell *c)
{
	struct statfs st = {0};

	SAY(fstatfs(c->fd, &st));
	SAY(st.f_type);
}

static void try_statvfs(const struct cell *c)
{
	struct statvfs st = {0};

	SAY(statvfs(c->path, &st));
	SAY(st.f_bsize);
}

static void try_fstatvfs(const struct cell *c)
{
	struct statvfs st = {0};

	SAY(fstatvfs(c->fd, &st));
	SAY(st.f_bsize);
}

static const int asked[] = {F_OK, R_OK, W_OK, X_OK, R_OK | W_OK, 8};

#define ASKED (sizeof(asked) / sizeof(*asked))

static void try_access(const struct cell *c)
{
	for (size_t i = 0; i < ASKED; i++)
		SAY(access(c->path, asked[i]));
	SAY(access("file/", F_OK));
}

static void try_faccessat(const struct cell *c)
{
	for (size_t i = 0; i < ASKED; i++) {
		SAY(faccessat(c->dir, c->path, asked[i], 0));
		SAY(faccessat(c->dir, c->path, asked[i], AT_EACCESS));
	}
	SAY(faccessat(c->fd, "below", F_OK, 0));
}

static void try_eaccess(const struct cell *c)
{
	for (size_t i = 0; i < ASKED; i++)
		SAY(eaccess(c->path, asked[i]));
}

const struct call look_calls[] = {
	{"stat", try_stat},
	{"lstat", try_lstat},
	{"fstat", try_fstat},
	{"fstatat", try_fstatat},
	{"statx", try_statx},
	{"statfs", try_statfs},
	{"fstatfs", try_fstatfs},
	{"statvfs", try_statvfs},
	{"fstatvfs", try_fstatvfs},
	{"access", try_access},
	{"faccessat", try_faccessat},
	{"eaccess", try_eaccess},
	{NULL, NULL},
};
