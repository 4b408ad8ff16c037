/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open files that descriptors of this process stand for: what is done to them
 * as a whole. The kernel has each open too, at the same number; as long as the
 * service has the file, the kernel's offset is of no account.
 */
#ifndef WEIR_FORWARD_OPENFILES_H
#define WEIR_FORWARD_OPENFILES_H

#include "forward/fdtable.h"
#include "forward/link.h"
#include "forward/opens.h"

/* In the flags of an open file, where open() has none. */
#define WEIR_OPENFILES_KERNELS (1u << 31) /* its offset counts: pass all on */
#define WEIR_OPENFILES_MAPPED  (1u << 30) /* one user more, for good */

/* How a commit is done: the words of the op. */
#define WEIR_OPENFILES_STORE 0u
#define WEIR_OPENFILES_SYNC  1u
#define WEIR_OPENFILES_TELL  2u

static inline struct weir_session_open *weir_openfiles_at(uint32_t open)
{
	return &weir_link.opens[open];
}

static inline uint32_t weir_openfiles_flags(uint32_t open)
{
	return atomic_load_explicit(&weir_openfiles_at(open)->flags,
				    memory_order_relaxed);
}

/* Whether this process is the one whose table it is, not a vforked child. */
bool weir_openfiles_is_ours(void);

/* Around the life of a vforked child, which runs in our memory. */
void weir_openfiles_vfork(int change);

/* Whether calls on it are passed on: it goes straight to the kernel. */
bool weir_openfiles_is_kernels(uint32_t open, int fd);

/* What was written is stored; 0 or -errno. */
int weir_openfiles_commit(uint32_t open, uint32_t how);

/* Stored, and from now on straight to the kernel, which knows the offset. */
int weir_openfiles_release(uint32_t open, int fd);
int weir_openfiles_release_fd(int fd); /* 0 if it is not forwarded */

/* The same of one that the kernel has had all the time. */
int weir_openfiles_leave(uint32_t open);

/* The kernel knows where it is, until it is moved. */
void weir_openfiles_leave_offset(int fd);

/*
 * A descriptor is closed, also one of lazyopen.h; 0, or the error of something
 * written before.
 */
int weir_openfiles_drop(uint32_t open);

/* Each forwarded descriptor below `end`, from `first` on; -1: no more. */
int weir_openfiles_next(unsigned first, unsigned end);

/* Also when a vforked child has closed it already. */
bool weir_openfiles_closes_on_exec(int fd);

/* The process forks: its child has all descriptors too. */
void weir_openfiles_fork(void);
void weir_openfiles_fork_made(void); /* in the parent */
void weir_openfiles_forked(void);

/* The process ends. */
void weir_openfiles_end(void);

#endif
