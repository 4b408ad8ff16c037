/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are open and not handed over to the service yet: most are opened
 * to be looked at, or for another program. Each is noted in the direct table.
 * Such a descriptor is one of two kinds:
 *
 * waiting: the kernel reads it as long as nobody writes the file through the
 * service; it is handed over when it is written, or read for long.
 *
 * the kernel's: for good, as others share it (dup, fork, exec), or no call
 * shows what is done to it. Everybody else goes straight to the kernel too.
 */
#ifndef WEIR_FORWARD_LAZYOPEN_H
#define WEIR_FORWARD_LAZYOPEN_H

#include "forward/fdtable.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Whether what weir_fdtable_peek() tells is one of them. */
static inline bool weir_lazyopen_is(int held)
{
	return held >= 0 && (held + 1) & WEIR_FDTABLE_LAZY;
}

static inline bool weir_lazyopen_is_kernels(int held)
{
	return weir_lazyopen_is(held) && (held + 1) & WEIR_FDTABLE_KERNELS;
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

/* The kernel has it from now on; 0 or -errno. */
int weir_lazyopen_release(int fd);

/*
 * Before a child has it too, or the kernel writes it: handed over in a process
 * that has a session, else the kernel's. What it is then.
 */
int weir_lazyopen_share(int fd);

/* Before there is one more descriptor of it here. What it is then. */
int weir_lazyopen_dup(int fd);

/* One descriptor more, or a mapping for good. */
void weir_lazyopen_count(int held);

/* A descriptor is closed. */
void weir_lazyopen_uncount(int held);

/* In a child that was forked, for each: it is this process's too. */
void weir_lazyopen_forked(int fd);

#endif
