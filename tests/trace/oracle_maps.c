/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in memory; memory without files must leave no trace. */
#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096L

/* remap_file_pages is old, but there. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct want {
	int prot, flags, fd;
	long off;
};

static char *told_map(const char *symbol, char *at, void *hint, size_t len,
		      struct want want)
{
	tell(symbol, at == MAP_FAILED ? -1 : (long)at,
	     "%s,'size':%zu,'off':%ld,'args':{'addr':%lu,'prot':%d,"
	     "'flags':%d}", book_name(want.fd), len, want.off,
	     (unsigned long)hint, want.prot, want.flags);
	return at;
}

static char *do_map(size_t pages, int fd, long off)
{
	size_t len = pages * PAGE;
	char *at = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, off);

	return told_map("mmap", at, NULL, len,
			(struct want){ PROT_READ, MAP_SHARED, fd, off });
}

/* A call on a range: `name` is what the file was called as it was mapped. */
static void told_range(const char *symbol, int ret, const char *name,
		       const char *at, size_t len, long off)
{
	tell(symbol, ret, "%s,'size':%zu,'off':%ld,'args':{'addr':%lu}", name,
	     len, off, (unsigned long)at);
}

static void do_unmap(const char *name, char *at, size_t len, long off)
{
	told_range("munmap", munmap(at, len), name, at, len, off);
}

static int open_data(char *name, size_t room)
{
	int fd;

	oracle_make_file("data", 16 * PAGE);
	fd = book_do_open("data", O_RDWR, 0);
	snprintf(name, room, "%s", book_name(fd));
	return fd;
}

static void play_mmap(long count)
{
	char name[700], *at;
	int fd = open_data(name, sizeof(name));
	const struct want private = { PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
				      PAGE };
	const struct want bad = { PROT_READ, MAP_SHARED, fd, 1 };
	const struct want closed = { PROT_READ, MAP_SHARED, 999, 0 };

	at = do_map(4, fd, 2 * PAGE);
	do_unmap(name, at, 4 * PAGE, 2 * PAGE);
	at = told_map("mmap64", mmap64((void *)4096, 100, private.prot,
				       private.flags, fd, PAGE),
		      (void *)4096, 100, private);
	told_map("mmap", mmap(NULL, 9, bad.prot, bad.flags, fd, 1), NULL, 9,
		 bad);
	told_map("mmap", mmap(NULL, 9, closed.prot, closed.flags, 999, 0),
		 NULL, 9, closed);
	book_do_close(fd); /* the memory keeps the file's name */
	do_unmap(name, at, 100, PAGE);
	tell_silent("munmap");
	munmap(at, 100); /* nothing is there any more */
}

static void play_map_use(long count)
{
	char name[700], *at;
	int fd = open_data(name, sizeof(name));

	at = do_map(4, fd, 0);
	told_range("msync", msync(at, 100, MS_SYNC), name, at, 100, 0);
	told_range("msync", msync(at + PAGE, 2 * PAGE, MS_ASYNC), name,
		   at + PAGE, 2 * PAGE, PAGE);
	told_range("msync", msync(at + 1, 100, MS_SYNC), name, at + 1, 100,
		   1);
	told_range("madvise", madvise(at, PAGE, MADV_WILLNEED), name, at,
		   PAGE, 0);
	told_range("madvise", madvise(at, PAGE, 9999), name, at, PAGE, 0);
	tell_errnum("posix_madvise",
		    posix_madvise(at + PAGE, PAGE, POSIX_MADV_RANDOM),
		    "%s,'off':4096,'args':{'advice':1}", name);
	tell_errnum("posix_madvise", posix_madvise(at, PAGE, 77),
		    "%s,'off':0,'args':{'advice':77}", name);
	told_range("mprotect", mprotect(at, PAGE, PROT_READ | PROT_WRITE),
		   name, at, PAGE, 0);
	told_range("mprotect", mprotect(at, PAGE, 0x7fff), name, at, PAGE, 0);
	told_range("remap_file_pages", remap_file_pages(at, PAGE, 0, 2, 0),
		   name, at, PAGE, 0);
	book_do_close(fd);
}

/* Holes, ends, and memory that takes a file's place. */
static void play_map_cut(long count)
{
	char name[700], *at;
	int fd = open_data(name, sizeof(name));

	at = do_map(8, fd, PAGE);
	do_unmap(name, at + 2 * PAGE, PAGE, 3 * PAGE);
	munmap(at + 2 * PAGE, PAGE);
	do_unmap(name, at + PAGE, 3 * PAGE, 2 * PAGE);
	mmap(at, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	     0);
	munmap(at, PAGE);
	told_range("munmap", munmap(at + 4 * PAGE + 1, PAGE), name,
		   at + 4 * PAGE + 1, PAGE, 5 * PAGE + 1);
	do_unmap(name, at, 8 * PAGE, 5 * PAGE);
	msync(at, PAGE, MS_SYNC);
	book_do_close(fd);
}

static void told_remap(const char *name, char *new, char *at, size_t len,
		       size_t newlen, int flags)
{
	tell("mremap", new == MAP_FAILED ? -1 : (long)new,
	     "%s,'size':%zu,'args':{'addr':%lu,'newlen':%zu,'flags':%d}", name,
	     len, (unsigned long)at, newlen, flags);
}

static void play_mremap(long count)
{
	char name[700], *at, *new, *place;
	int fd = open_data(name, sizeof(name));

	at = do_map(2, fd, 0);
	new = mremap(at, 2 * PAGE, 6 * PAGE, MREMAP_MAYMOVE);
	told_remap(name, new, at, 2 * PAGE, 6 * PAGE, MREMAP_MAYMOVE);
	told_range("msync", msync(new + 5 * PAGE, PAGE, MS_SYNC), name,
		   new + 5 * PAGE, PAGE, 5 * PAGE);
	place = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	at = mremap(new, 6 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		    place);
	if (at != place)
		tell_failure("mremap did not go where it was told to");
	told_remap(name, at, new, 6 * PAGE, 4 * PAGE, 3);
	munmap(new, 6 * PAGE); /* gone already */
	told_remap(name, mremap(at + 1, PAGE, PAGE, 0), at + 1, PAGE, PAGE,
		   0);
	do_unmap(name, at, 4 * PAGE, 0);
	book_do_close(fd);
}

/* Anonymous memory by every call: nothing of it may be recorded. */
static void play_anonymous(long count)
{
	char *at;

	for (long i = 0; i < count; i++) {
		at = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		at[0] = 1;
		madvise(at, PAGE, MADV_DONTNEED);
		mprotect(at, PAGE, PROT_READ);
		msync(at, PAGE, MS_ASYNC);
		at = mremap(at, 8 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
		munmap(at, 4 * PAGE);
	}
	book_do_close(book_do_open("file", O_RDWR | O_CREAT, 0600));
}

/* A child has the memory too, but descriptors of its own. */
static void play_map_fork(long count)
{
	char name[700], *at;
	int fd = open_data(name, sizeof(name));
	pid_t pid;

	at = do_map(2, fd, 0);
	pid = fork();
	if (!pid) {
		do_unmap("'fd':-1", at, 2 * PAGE, 0);
		at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		tell("mmap", (long)at, "%s,'size':4096,'off':0", name);
		do_unmap(name, at, PAGE, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	do_unmap(name, at, 2 * PAGE, 0);
	book_do_close(fd);
}

const struct scenario oracle_maps[] = {
	{ "mmap", play_mmap },         { "map-use", play_map_use },
	{ "map-cut", play_map_cut },   { "mremap", play_mremap },
	{ "anonymous", play_anonymous }, { "map-fork", play_map_fork },
	{ NULL, NULL },
};
