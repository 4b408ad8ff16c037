/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on names: make, move, link, remove. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int __xmknod(int ver, const char *path, mode_t mode, dev_t *dev);
int __xmknodat(int ver, int dir, const char *path, mode_t mode, dev_t *dev);
ssize_t __readlink_chk(const char *path, char *to, size_t room, size_t have);
ssize_t __readlinkat_chk(int dir, const char *path, char *to, size_t room,
			 size_t have);
char *__realpath_chk(const char *path, char *to, size_t room);

/* A call with one path and nothing else to tell. */
static void told_path(const char *symbol, const char *path, int ret)
{
	tell(symbol, ret, "'path':'%s'", book_absolute(path));
}

static void told_mode(const char *symbol, const char *path, unsigned mode,
		      int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'mode':%u}",
	     book_absolute(path), mode);
}

static void told_mode_at(const char *symbol, int dir, const char *path,
			 unsigned mode, int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'mode':%u,'dir':%d}", path,
	     mode, dir);
}

/* A name below the directory that `dir` is. */
static const char *in_sub(const char *path)
{
	static char text[700];

	snprintf(text, sizeof(text), "%s/sub/%s", oracle_dir, path);
	return text;
}

static int open_sub(void)
{
	oracle_make_dir("sub");
	return book_do_open("sub", O_RDONLY | O_DIRECTORY, 0);
}

static void play_unlink(long count)
{
	int sub = open_sub();

	oracle_make_file("a", 1);
	oracle_make_file("b", 1);
	oracle_make_file("sub/c", 1);
	oracle_make_dir("sub/d");
	told_path("unlink", "a", unlink("a"));
	told_path("unlink", "a", unlink("a"));
	told_path("unlink", "sub", unlink("sub"));
	tell("unlink", unlink(oracle_nowhere), "'fd':-1");
	told_path("remove", "b", remove("b"));
	told_path("remove", "sub", remove("sub"));
	told_path("rmdir", "sub/d", rmdir("sub/d"));
	told_path("rmdir", "sub/c", rmdir("sub/c"));
	tell("unlinkat", unlinkat(sub, "c", 0),
	     "'path':'%s','args':{'dir':%d,'flags':0,'path':'c'}", in_sub("c"),
	     sub);
	tell("unlinkat", unlinkat(AT_FDCWD, "sub", AT_REMOVEDIR),
	     "'path':'%s','args':{'dir':%d,'flags':%d}", book_absolute("sub"),
	     AT_FDCWD, AT_REMOVEDIR);
	book_do_close(sub);
}

static void told_two(const char *symbol, const char *from, const char *to,
		     int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'from':'%s','to':'%s'}",
	     book_absolute(from), from, to);
}

static void told_two_at(const char *symbol, int fromdir, const char *from,
			int todir, const char *to, int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'fromdir':%d,'from':'%s',"
	     "'todir':%d,'to':'%s'}", in_sub(from), fromdir, from, todir, to);
}

static void play_rename(long count)
{
	int sub = open_sub();

	oracle_make_file("a", 1);
	told_two("rename", "a", "b", rename("a", "b"));
	told_two("rename", "a", "b", rename("a", "b"));
	told_two("rename", "b", "sub", rename("b", "sub"));
	tell("rename", rename("b", oracle_nowhere), "'path':'%s',"
	     "'args':{'from':'b','to':''}", book_absolute("b"));
	tell("rename", rename("", oracle_nowhere), "'args':{'from':''}");
	told_two("rename", "b", "sub/c", rename("b", "sub/c"));
	told_two_at("renameat", sub, "c", sub, "d",
		    renameat(sub, "c", sub, "d"));
	told_two_at("renameat", sub, "no", AT_FDCWD, "d",
		    renameat(sub, "no", AT_FDCWD, "d"));
	tell("renameat2", renameat2(sub, "d", AT_FDCWD, "e", 1),
	     "'path':'%s','args':{'fromdir':%d,'todir':%d,'from':'d',"
	     "'to':'e','flags':1}", in_sub("d"), sub, AT_FDCWD);
	tell("renameat2", renameat2(AT_FDCWD, "e", AT_FDCWD, "sub", 2),
	     "'path':'%s','args':{'to':'sub','flags':2}", book_absolute("e"));
	book_do_close(sub);
}

static void play_link(long count)
{
	int sub = open_sub();

	oracle_make_file("a", 1);
	oracle_make_file("sub/a", 1);
	told_two("link", "a", "b", link("a", "b"));
	told_two("link", "a", "b", link("a", "b"));
	told_two("link", "none", "c", link("none", "c"));
	tell("linkat", linkat(sub, "a", AT_FDCWD, "c", AT_SYMLINK_FOLLOW),
	     "'path':'%s','args':{'fromdir':%d,'todir':%d,'from':'a',"
	     "'to':'c','flags':%d}", in_sub("a"), sub, AT_FDCWD,
	     AT_SYMLINK_FOLLOW);
	tell("linkat", linkat(sub, "a", 999, "c", 0),
	     "'path':'%s','args':{'fromdir':%d,'todir':999}", in_sub("a"),
	     sub);
	book_do_close(sub);
}

static void told_target(const char *symbol, const char *path,
			const char *target, long ret)
{
	tell(symbol, ret, "'path':'%s','args':{'target':'%s'}",
	     path[0] == '/' ? path : book_absolute(path), target);
}

static void play_symlink(long count)
{
	char to[100];
	int sub = open_sub();

	told_target("symlink", "a", "some/where", symlink("some/where", "a"));
	told_target("symlink", "a", "again", symlink("again", "a"));
	tell("symlink", symlink("", oracle_nowhere), "'args':{'target':''}");
	tell("symlink", symlink(oracle_nowhere, "x"), "'path':'%s',"
	     "'args':{'target':'','path':'x'}", book_absolute("x"));
	told_target("symlinkat", in_sub("b"), "x", symlinkat("x", sub, "b"));
	told_target("symlinkat", "c", "y", symlinkat("y", AT_FDCWD, "c"));
	told_target("readlink", "a", "some/where",
		    readlink("a", to, sizeof(to)));
	told_target("readlink", "a", "some", readlink("a", to, 4));
	told_target("readlink", "sub", "", readlink("sub", to, sizeof(to)));
	told_target("__readlink_chk", "a", "some/where",
		    __readlink_chk("a", to, sizeof(to), sizeof(to)));
	told_target("readlinkat", in_sub("b"), "x",
		    readlinkat(sub, "b", to, sizeof(to)));
	told_target("readlinkat", in_sub("no"), "",
		    readlinkat(sub, "no", to, sizeof(to)));
	told_target("__readlinkat_chk", in_sub("b"), "x",
		    __readlinkat_chk(sub, "b", to, sizeof(to), sizeof(to)));
	book_do_close(sub);
}

static void play_mkdir(long count)
{
	int sub = open_sub();
	char name[] = "temp-XXXXXX", bad[] = "temp";

	told_mode("mkdir", "d", 0755, mkdir("d", 0755));
	told_mode("mkdir", "d", 0700, mkdir("d", 0700));
	told_mode_at("mkdirat", sub, in_sub("e"), 0711,
		     mkdirat(sub, "e", 0711));
	told_mode_at("mkdirat", 999, "e", 0711, mkdirat(999, "e", 0711));
	if (!mkdtemp(name))
		tell_failure("mkdtemp");
	tell("mkdtemp", (long)name, "'path':'%s'", book_absolute(name));
	tell("mkdtemp", mkdtemp(bad) ? 0 : -1, "'path':'%s'",
	     book_absolute(bad));
	book_do_close(sub);
}

static void told_node(const char *symbol, const char *path, unsigned mode,
		      unsigned long dev, int ret)
{
	tell(symbol, ret, "'path':'%s','args':{'mode':%u,'dev':%lu}", path,
	     mode, dev);
}

static void play_mknod(long count)
{
	const unsigned fifo = S_IFIFO | 0600, file = S_IFREG | 0644;
	dev_t none = 0;
	char path[600];
	int sub = open_sub();

	snprintf(path, sizeof(path), "%s/n", oracle_dir);
	told_node("mknod", path, file, 0, mknod("n", file, 0));
	told_node("mknod", path, file, 0x103, mknod("n", file, 0x103));
	told_node("__xmknod", path, fifo, 0, __xmknod(0, "n", fifo, &none));
	told_node("mknodat", in_sub("n"), fifo, 0,
		  mknodat(sub, "n", fifo, 0));
	told_node("__xmknodat", in_sub("m"), file, 0,
		  __xmknodat(0, sub, "m", file, &none));
	told_mode("mkfifo", "f", 0640, mkfifo("f", 0640));
	told_mode("mkfifo", "f", 0640, mkfifo("f", 0640));
	told_mode_at("mkfifoat", sub, in_sub("f"), 0640,
		     mkfifoat(sub, "f", 0640));
	book_do_close(sub);
}

static void told_real(const char *symbol, const char *path, const char *real)
{
	tell(symbol, real ? (long)real : -1,
	     "'path':'%s','args':{'resolved':'%s'}", book_absolute(path),
	     real ? real : "");
}

static void play_realpath(long count)
{
	char to[4096], *made;

	oracle_make_dir("sub");
	oracle_make_link("sub", "link");
	told_real("realpath", "link", realpath("link", to));
	told_real("realpath", "none", realpath("none", to));
	told_real("__realpath_chk", "link",
		  __realpath_chk("link", to, sizeof(to)));
	made = realpath("sub", NULL);
	told_real("realpath", "sub", made);
	free(made);
	made = canonicalize_file_name("link");
	told_real("canonicalize_file_name", "link", made);
	free(made);
	told_real("canonicalize_file_name", "no/ne",
		  canonicalize_file_name("no/ne"));
}

const struct scenario oracle_names[] = {
	{ "unlink", play_unlink },   { "rename", play_rename },
	{ "link", play_link },       { "symlink", play_symlink },
	{ "mkdir", play_mkdir },     { "mknod", play_mknod },
	{ "realpath", play_realpath }, { NULL, NULL },
};
