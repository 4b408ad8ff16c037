/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with names that the kernel or libc makes up. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Write and close it: its name and position are known from the start. */
static void use(int fd, const char *path, int flags)
{
	if (fd < 0)
		return;
	book_open(fd, path, flags);
	book_transfer("write", fd, 5, write(fd, "12345", 5));
	book_transfer("write", fd, 3, write(fd, "678", 3));
	book_do_close(fd);
}

static void told_temp(const char *symbol, const char *name, int suffix,
		      int flags, int fd)
{
	char args[64] = "";
	size_t used = 0;

	if (suffix >= 0)
		used = (size_t)sprintf(args, ",'suffix':%d", suffix);
	if (flags >= 0)
		sprintf(args + used, ",'flags':%d", flags);
	tell(symbol, fd, "'path':'%s','args':{'path':'%s'%s}",
	     book_absolute(name), name, args);
	use(fd, book_absolute(name), flags > 0 ? flags : 0);
}

static void play_mkstemp(long count)
{
	char name[32];
	int fd;

	fd = mkstemp(strcpy(name, "a-XXXXXX"));
	told_temp("mkstemp", name, -1, -1, fd);
	fd = mkstemp64(strcpy(name, "b-XXXXXX"));
	told_temp("mkstemp64", name, -1, -1, fd);
	fd = mkstemp(strcpy(name, "without"));
	told_temp("mkstemp", name, -1, -1, fd);
	fd = mkostemp(strcpy(name, "c-XXXXXX"), O_APPEND);
	told_temp("mkostemp", name, -1, O_APPEND, fd);
	fd = mkostemp64(strcpy(name, "no/XXXXXX"), O_CLOEXEC);
	told_temp("mkostemp64", name, -1, O_CLOEXEC, fd);
	fd = mkstemps(strcpy(name, "d-XXXXXX.txt"), 4);
	told_temp("mkstemps", name, 4, -1, fd);
	fd = mkstemps64(strcpy(name, "e-XXXXXX.txt"), 2);
	told_temp("mkstemps64", name, 2, -1, fd);
	fd = mkostemps(strcpy(name, "f-XXXXXX.c"), 2, O_SYNC);
	told_temp("mkostemps", name, 2, O_SYNC, fd);
	fd = mkostemps64(strcpy(name, "g-XXXXXX.c"), 2, 0);
	told_temp("mkostemps64", name, 2, 0, fd);
}

static void play_memfd(long count)
{
	int fd = memfd_create("some", MFD_CLOEXEC);

	tell("memfd_create", fd, "'fd':%d,'path':'/memfd:some (deleted)',"
	     "'args':{'name':'some','flags':1}", fd);
	use(fd, "/memfd:some (deleted)", 0);
	tell("memfd_create", memfd_create("bad", 0x40000000),
	     "'args':{'name':'bad','flags':%d}", 0x40000000);
	tell("memfd_create", memfd_create(oracle_nowhere, 0),
	     "'args':{'name':'','flags':0}");
}

static void play_shm(long count)
{
	char name[64], path[96];
	int fd;

	snprintf(name, sizeof(name), "/weir-oracle-%d", getpid());
	snprintf(path, sizeof(path), "/dev/shm%s", name);
	fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	tell("shm_open", fd, "'fd':%d,'path':'%s','args':{'name':'%s',"
	     "'flags':%d,'mode':384}", fd, path, name,
	     O_RDWR | O_CREAT | O_EXCL);
	use(fd, path, 0);
	tell("shm_open", shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600),
	     "'args':{'name':'%s','mode':384}", name);
	tell("shm_unlink", shm_unlink(name), "'args':{'name':'%s'}", name);
	tell("shm_unlink", shm_unlink(name), "'args':{'name':'%s'}", name);
}

struct named {
	struct file_handle handle;
	unsigned char bytes[MAX_HANDLE_SZ];
};

/* Needs a privilege and a file system that can: often it only fails. */
static void play_handle(long count)
{
	struct named named = { .handle.handle_bytes = MAX_HANDLE_SZ };
	int dir = book_do_open(oracle_dir, O_RDONLY, 0);
	int fd, mount;

	oracle_make_file("data", 10);
	tell("name_to_handle_at",
	     name_to_handle_at(AT_FDCWD, "data", &named.handle, &mount, 0),
	     "'path':'%s','args':{'dir':-100,'flags':0}",
	     book_absolute("data"));
	tell("name_to_handle_at",
	     name_to_handle_at(AT_FDCWD, "none", &named.handle, &mount, 0),
	     "'path':'%s'", book_absolute("none"));
	fd = open_by_handle_at(dir, &named.handle, O_RDWR);
	if (fd >= 0)
		tell("open_by_handle_at", fd, "'fd':%d,'path':'%s',"
		     "'args':{'mount':%d,'flags':2}", fd,
		     book_absolute("data"), dir);
	else
		tell("open_by_handle_at", fd, "'args':{'mount':%d}", dir);
	use(fd, book_absolute("data"), 0);
	book_do_close(dir);
}

const struct scenario oracle_found[] = {
	{ "mkstemp", play_mkstemp }, { "memfd", play_memfd },
	{ "shm", play_shm },         { "handle", play_handle },
	{ NULL, NULL },
};
