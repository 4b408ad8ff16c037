/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open files that descriptors of this process stand for: what is done to them
 * as a whole. The kernel has each open too, at the same number; as long as the
 * service has the file, the kernel's offset is of no account.
 */
#ifndef WEIR_FORWARD_HELD_H
#define WEIR_FORWARD_HELD_H

#include "forward/fdtable.h"
#include "forward/link.h"
#include "forward/opens.h"

/* In the flags of an open file, where open() has none. */
#define WEIR_HELD_KERNELS (1u << 31) /* its offset counts: pass all on */
#define WEIR_HELD_MAPPED  (1u << 30) /* one user more, for good */

/* How a commit is done: the words of the op. */
#define WEIR_HELD_STORE 0u
#define WEIR_HELD_SYNC	1u
#define WEIR_HELD_TELL	2u

static inline struct weir_session_open *weir_held_at(uint32_t open)
{
	return &weir_link.opens[open];
}

static inline uint32_t weir_held_flags(uint32_t open)
{
	return atomic_load_explicit(&weir_held_at(open)->flags,
				    memory_order_relaxed);
}

/* Whether this process is the one whose table it is, not a vforked child. */
bool weir_held_is_ours(void);

/* Around the life of a vforked child, which runs in our memory. */
void weir_held_vfork(int change);

/* Whether calls on it are passed on: it goes straight to the kernel. */
bool weir_held_is_kernels(uint32_t open, int fd);

/* What was written is stored; 0 or -errno. */
int weir_held_commit(uint32_t open, uint32_t how);

/* Stored, and from now on straight to the kernel, which knows the offset. */
int weir_held_release(uint32_t open, int fd);
int weir_held_release_fd(int fd); /* 0 if it is not forwarded */

/* The same of one that the kernel has had all the time. */
int weir_held_leave(uint32_t open);

/* The kernel knows where it is, until it is moved. */
void weir_held_leave_offset(int fd);

/*
 * A descriptor is closed, also one of late.h; 0, or the error of something
 * written before.
 */
int weir_held_drop(uint32_t open);

/* Each forwarded descriptor below `end`, from `first` on; -1: no more. */
int weir_held_next(unsigned first, unsigned end);

/* Also when a vforked child has closed it already. */
bool weir_held_closes_on_exec(int fd);

/* The process forks: its child has all descriptors too. */
void weir_held_fork(void);
void weir_held_fork_made(void); /* in the parent */
void weir_held_forked(void);

/* The process ends. */
void weir_held_end(void);

#endif
