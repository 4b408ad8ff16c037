/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that count themselves. */
#include "tally.h"

#include "../lib/raw.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;
struct tally *tally;

/* Two pages: no storm has more to tell. */
int tally_open(const char *path)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
	long page;

	if (fd < 0 || raw_call(SYS_ftruncate, fd, 8192))
		return -1;
	page = raw_call6(SYS_mmap, 0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED,
			 fd, 0);
	raw_call(SYS_close, fd);
	if (page < 0)
		return -1;
	tally = (struct tally *)page;
	return 0;
}

/* The same three steps for each call. */
#define COUNTED(kind, type, call)                                              \
	tally_make(TALLY_##kind);                                              \
	type result = call;                                                    \
	tally_return(TALLY_##kind)

int tally_openfile(const char *path, int flags)
{
	COUNTED(open, int, open(path, flags, 0600));
	return result;
}

int tally_close(int fd)
{
	COUNTED(close, int, close(fd));
	return result;
}

ssize_t tally_read(int fd, void *data, size_t bytes)
{
	COUNTED(read, ssize_t, read(fd, data, bytes));
	return result;
}

ssize_t tally_write(int fd, const void *data, size_t bytes)
{
	COUNTED(write, ssize_t, write(fd, data, bytes));
	return result;
}

ssize_t tally_pread(int fd, void *data, size_t bytes, off_t at)
{
	COUNTED(pread, ssize_t, pread(fd, data, bytes, at));
	return result;
}

ssize_t tally_pwrite(int fd, const void *data, size_t bytes, off_t at)
{
	COUNTED(pwrite, ssize_t, pwrite(fd, data, bytes, at));
	return result;
}

off_t tally_lseek(int fd, off_t to)
{
	COUNTED(lseek, off_t, lseek(fd, to, SEEK_SET));
	return result;
}

int tally_dup(int fd)
{
	COUNTED(dup, int, dup(fd));
	return result;
}

int tally_dup2(int fd, int to)
{
	COUNTED(dup2, int, dup2(fd, to));
	return result;
}

int tally_pipe(int *fds)
{
	COUNTED(pipe, int, pipe(fds));
	return result;
}

int tally_fstat(int fd)
{
	struct stat st;
	COUNTED(fstat, int, fstat(fd, &st));
	return result;
}

int tally_spawn(char *const *command)
{
	pid_t pid;
	COUNTED(posix_spawn, int,
		posix_spawn(&pid, command[0], NULL, NULL, command, environ));
	return result ? -1 : (int)pid;
}
