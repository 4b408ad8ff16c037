/* SPDX-License-Identifier: BSD-3-Clause */
/* Names: removed, changed, made, and what they lead to. */
#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

static void try_unlink(const struct cell *c)
{
	SAY(unlink("file/"));
	SAY(unlink("file/below"));
	SAY(unlink(c->path));
	SAY(unlink(c->path));
	SAY(unlink("."));
	SAY(write(c->fd, "on", 2));
}

static void try_unlinkat(const struct cell *c)
{
	SAY(unlinkat(c->dir, c->path, AT_REMOVEDIR));
	SAY(unlinkat(c->dir, c->path, 0));
	SAY(unlinkat(c->fd, "below", 0));
	SAY(unlinkat(AT_FDCWD, "../unlinkat.none", AT_REMOVEDIR));
	SAY(unlinkat(c->dir, c->path, 1 << 20));
}

static void try_remove(const struct cell *c)
{
	SAY(remove(c->path));
	SAY(remove(c->path));
}

static void try_rename(const struct cell *c)
{
	close(make_second("other", "of the other"));
	SAY(rename(c->path, "moved"));
	SAY(rename("other", "moved"));
	SAY(rename("moved", "moved/below"));
	SAY(rename("moved", "."));
	say_name("moved");
}

/* What is in a directory stays there, and it is not empty. */
static void try_renameat(const struct cell *c)
{
	SAY(mkdir("one", 0755));
	SAY(mkdir("two", 0755));
	close(make_second("two/file", "in two"));
	SAY(renameat(c->dir, "one", c->dir, "two"));
	SAY(renameat(c->dir, "two", c->dir, "one"));
	say_entries("one");
	close(make_second("one/more", "in one"));
	SAY(renameat(c->dir, c->path, AT_FDCWD, "one/more"));
	SAY(renameat(c->fd, c->path, AT_FDCWD, "one/more"));
	say_name("one/more");
}

static void try_renameat2(const struct cell *c)
{
	close(make_second("other", "of the other"));
	SAY(renameat2(c->dir, "other", c->dir, c->path, RENAME_NOREPLACE));
	SAY(renameat2(c->dir, c->path, c->dir, "other", RENAME_EXCHANGE));
	say_name(c->path);
	SAY(renameat2(c->dir, "other", c->dir, "third", RENAME_NOREPLACE));
	SAY(renameat2(c->dir, c->path, c->dir, "none", RENAME_EXCHANGE));
	SAY(renameat2(c->dir, c->path, c->dir, "x", 1 << 20));
	say_name("third");
}

static void try_link(const struct cell *c)
{
	close(make_second("other", "of the other"));
	SAY(link(c->path, "linked"));
	SAY(link(c->path, "other"));
	SAY(link("other", c->path));
	SAY(link(c->path, "file/below"));
	say_name("linked");
}

static void try_linkat(const struct cell *c)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", c->fd);
	SAY(linkat(c->dir, c->path, c->dir, "linked", 0));
	SAY(linkat(AT_FDCWD, name, c->dir, "again", AT_SYMLINK_FOLLOW));
	if (!geteuid()) /* of others new kernels ask who has opened it */
		SAY(linkat(c->fd, "", c->dir, "empty", AT_EMPTY_PATH) < 0 &&
		    errno != ENOENT);
	say_name("linked");
	unlink("empty");
}

static void try_symlink(const struct cell *c)
{
	struct stat about;

	SAY(symlink(c->path, c->path));
	SAY(symlink(c->path, "symbol"));
	SAY(symlink("symbol", "second"));
	if (!SAY(stat("second", &about)))
		say_about("second", &about);
	SAY_FD(open("second", O_RDONLY));
	SAY_FD(open("second/", O_RDONLY));
	SAY(chmod("second", 0640));
	SAY(unlink("second"));
	say_name("symbol");
}

static void try_symlinkat(const struct cell *c)
{
	SAY(symlinkat("anything", c->dir, c->path));
	SAY(symlinkat(c->path, c->dir, "symbol"));
	SAY_FD(open("symbol", O_WRONLY | O_CREAT | O_EXCL, 0600));
	SAY_FD(open("symbol", O_WRONLY | O_CREAT, 0600));
	SAY(truncate("symbol", 4));
}

static void try_readlink(const struct cell *c)
{
	char room[PATH_MAX] = "", name[64];

	SAY(readlink(c->path, room, sizeof(room)));
	SAY(readlink("file/below", room, sizeof(room)));
	snprintf(name, sizeof(name), "/proc/self/fd/%d", c->fd);
	if (SAY(readlink(name, room, sizeof(room) - 1) > 0) > 0 &&
	    !strstr(room, " (deleted)"))
		say_text("leads to", strrchr(room, '/'), 20);
}

static void try_readlinkat(const struct cell *c)
{
	char room[16];

	SAY(readlinkat(c->dir, c->path, room, sizeof(room)));
	SAY(readlinkat(c->fd, "", room, sizeof(room)));
}

static void try_mkdir(const struct cell *c)
{
	SAY(mkdir(c->path, 0755));
	SAY(mkdir("file/below", 0755));
	SAY(mkdir("new", 0700));
}

static void try_mkdirat(const struct cell *c)
{
	SAY(mkdirat(c->dir, c->path, 0755));
	SAY(mkdirat(c->fd, "below", 0755));
}

static void try_rmdir(const struct cell *c)
{
	SAY(rmdir(c->path));
	SAY(mkdir("new", 0755));
	close(make_second("new/one", "one"));
	SAY(rmdir("new"));
	SAY(remove("new"));
	SAY(unlinkat(c->dir, "new", AT_REMOVEDIR));
	SAY(unlink("new/one"));
	SAY(rmdir("new"));
}

static void try_mknod(const struct cell *c)
{
	SAY(mknod(c->path, S_IFREG | 0644, 0));
	SAY(mknod("new", S_IFREG | 04711, 0));
	SAY(mknod("null", S_IFCHR | 0666, makedev(1, 3)));
	say_name("new");
	unlink("null");
}

static void try_mknodat(const struct cell *c)
{
	SAY(mknodat(c->dir, c->path, S_IFIFO | 0644, 0));
	SAY(mknodat(c->fd, "below", S_IFIFO | 0644, 0));
}

static void try_mkfifo(const struct cell *c)
{
	SAY(mkfifo(c->path, 0644));
	SAY(mkfifo("fifo", 0600));
}

static void try_mkfifoat(const struct cell *c)
{
	SAY(mkfifoat(c->dir, c->path, 0644));
}

static void try_mkdtemp(const struct cell *c)
{
	char name[] = "newXXXXXX", wrong[] = "file/XXXXXX";

	SAY(mkdtemp(name) != NULL);
	SAY(rmdir(name));
	SAY(mkdtemp(wrong) ? 0 : -1);
}

static void say_resolved(char *name)
{
	SAY(name ? 0 : -1);
	if (name)
		say_text("resolved", strrchr(name, '/'), 20);
	free(name);
}

static void try_realpath(const struct cell *c)
{
	say_resolved(realpath(c->path, NULL));
	say_resolved(realpath("file/", NULL));
	say_resolved(realpath("file/below", NULL));
}

static void try_canonicalize_file_name(const struct cell *c)
{
	say_resolved(canonicalize_file_name(c->path));
}

static void try_chdir(const struct cell *c)
{
	SAY(chdir(c->path));
	SAY(chdir("file/below"));
	SAY(chdir("."));
}

static void try_fchdir(const struct cell *c)
{
	SAY(fchdir(c->fd));
	SAY(fchdir(c->dir));
}

static void try_chroot(const struct cell *c)
{
	SAY(chroot(c->path));
	SAY(chroot("."));
	SAY_FD(open("/file", O_RDONLY));
	close(make_second("/new", "in a new world"));
	say_name("/new");
}

const struct call name_calls[] = {
	{"unlink", try_unlink},
	{"unlinkat", try_unlinkat},
	{"remove", try_remove},
	{"rename", try_rename},
	{"renameat", try_renameat},
	{"renameat2", try_renameat2},
	{"link", try_link},
	{"linkat", try_linkat},
	{"symlink", try_symlink},
	{"symlinkat", try_symlinkat},
	{"readlink", try_readlink},
	{"readlinkat", try_readlinkat},
	{"mkdir", try_mkdir},
	{"mkdirat", try_mkdirat},
	{"rmdir", try_rmdir},
	{"mknod", try_mknod},
	{"mknodat", try_mknodat},
	{"mkfifo", try_mkfifo},
	{"mkfifoat", try_mkfifoat},
	{"mkdtemp", try_mkdtemp},
	{"realpath", try_realpath},
	{"canonicalize_file_name", try_canonicalize_file_name},
	{"chdir", try_chdir},
	{"fchdir", try_fchdir},
	{"chroot", try_chroot},
	{NULL, NULL},
};
