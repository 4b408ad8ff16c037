/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that count themselves, over all threads, processes and programs of
 * a storm, in a page that all of them share. `made` is counted before the
 * call and `back` after it: what a jump, a cancellation or an end cut off
 * lies between the two.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Named as in the table of calls; the runner reads this list. */
#define TALLY_KINDS(X)                                                         \
	X(open) X(close) X(read) X(write) X(pread) X(pwrite) X(lseek)          \
	X(dup) X(dup2) X(pipe) X(fstat) X(writev) X(posix_spawn) X(vfork)

#define TALLY_NUMBER(name) TALLY_##name,
enum tally_kind { TALLY_KINDS(TALLY_NUMBER) TALLY_COUNT };

struct tally {
	_Atomic uint64_t made[64];
	_Atomic uint64_t back[64];
	_Atomic uint64_t wrong; /* results that were not the right ones */
	_Atomic uint64_t done[8]; /* what a storm is about, by its choice */
};

extern struct tally *tally;

/* Without a call that anybody counts; 0 or -1. */
int tally_open(const char *path);

static inline void tally_make(enum tally_kind kind)
{
	atomic_fetch_add_explicit(&tally->made[kind], 1, memory_order_relaxed);
}

static inline void tally_return(enum tally_kind kind)
{
	atomic_fetch_add_explicit(&tally->back[kind], 1, memory_order_relaxed);
}

static inline void tally_do(int which)
{
	atomic_fetch_add_explicit(&tally->done[which], 1,
				  memory_order_relaxed);
}

/* A result that is not what it must be. */
static inline void tally_check(int is_right)
{
	if (!is_right)
		atomic_fetch_add(&tally->wrong, 1);
}

int tally_openfile(const char *path, int flags);
int tally_close(int fd);
ssize_t tally_read(int fd, void *data, size_t bytes);
ssize_t tally_write(int fd, const void *data, size_t bytes);
ssize_t tally_pread(int fd, void *data, size_t bytes, off_t at);
ssize_t tally_pwrite(int fd, const void *data, size_t bytes, off_t at);
off_t tally_lseek(int fd, off_t to);
int tally_dup(int fd);
int tally_dup2(int fd, int to);
int tally_pipe(int *fds);
int tally_fstat(int fd);
int tally_spawn(char *const *command);

#endif
