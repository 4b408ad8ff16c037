/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores, closes and gives back open files that the service has. The kernel has
 * each open too, at the same number; as long as the service has the file, the
 * kernel's offset is of no account.
 */
#ifndef WEIR_FILES_OPENFILES_H
#define WEIR_FILES_OPENFILES_H

#include "forward/link/link.h"

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

/* Whether calls on it are passed on: it goes straight to the kernel. */
bool weir_openfiles_is_kernels(uint32_t open, int fd);

/* What was written is stored; 0 or -errno. */
int weir_openfiles_commit(uint32_t open, uint32_t how);

/* The kernel knows where it is, until it is moved. */
void weir_openfiles_leave_offset(int fd);

/* From now on the kernel's offset counts, and it is the one of now. */
void weir_openfiles_to_kernel(uint32_t open, int fd);

/*
 * Stored, and from now on straight to the kernel, which has had it all the
 * time: its offset stays.
 */
int weir_openfiles_leave(uint32_t open);

/* A descriptor is closed; 0, or the error of something written before. */
int weir_openfiles_drop(uint32_t open);

#endif
