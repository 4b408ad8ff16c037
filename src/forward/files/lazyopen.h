/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps opened files from the service until they are used: most are opened
 * to be looked at, or for another program. Each is noted in the direct table.
 * Such a descriptor is one of two kinds:
 *
 * waiting: the kernel reads it as long as nobody writes the file through the
 * service; it is handed over when it is written, or read for long.
 *
 * the kernel's: for good, as others share it (dup, fork, exec), or no call
 * shows what is done to it. Everybody else goes straight to the kernel too.
 */
#ifndef WEIR_FILES_LAZYOPEN_H
#define WEIR_FILES_LAZYOPEN_H

#include "gate/fdtable.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Whether what weir_fdtable_peek() tells is one of them. */
static inline bool weir_lazyopen_is(int entry)
{
	return weir_fdtable_is_lazy(entry);
}

static inline bool weir_lazyopen_is_kernels(int entry)
{
	return weir_lazyopen_is(entry) && (entry + 1) & WEIR_FDTABLE_KERNELS;
}

/* One that waits is handed over. The open file, or -1: it is the kernel's. */
int weir_lazyopen_take(int fd);

/* The open file of a descriptor at the service, or -1. */
static inline int weir_lazyopen_get(int fd)
{
	int entry = weir_fdtable_peek(fd);

	if (__builtin_expect((entry + 1) & WEIR_FDTABLE_LAZY, 0))
		return weir_lazyopen_take(fd);
	return entry;
}

/*
 * A file that was just opened. False: it is to be handed over at once, as
 * there is no direct table, or no room in it. *ret_err: 0 or -errno of what
 * the service could not store before the kernel has it.
 */
bool weir_lazyopen_begin(int fd, const struct stat *about, bool for_kernel,
			 int *ret_err);

/* To read it, to ask where it is, or how long: -1: that is the kernel's. */
int weir_lazyopen_look(int fd);

/*
 * The kernel has it from now on, and *ret_err is 0 or -errno. False: it is not,
 * or no longer, one of them.
 */
bool weir_lazyopen_release(int fd, int *ret_err);

/*
 * Before a child has it too, or the kernel writes it: handed over in a process
 * that has a session, else the kernel's. What it is then.
 */
int weir_lazyopen_share(int fd);

/* Before there is one more descriptor of it here. What it is then. */
int weir_lazyopen_dup(int fd);

/* One descriptor more, or a mapping for good. */
void weir_lazyopen_count(int entry);

/* One less. */
void weir_lazyopen_uncount(int entry);

/*
 * A descriptor is closed that was one of them, or was handed over: 0, or the
 * error of something written before.
 */
int weir_lazyopen_drop(int entry);

#endif
