/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of descriptors: one row for each, with what every station knows of
 * it. Capture has a handle and an offset there (fdmap.h), forwarding the open
 * file at its service.
 *
 * There are rows for 2^18 descriptors. A program without privileges has 2^10 by
 * default and is seldom given more than 2^18; one above is recorded without its
 * name, and its file goes to the kernel. The table is zeros, 4 MiB of
 * addresses: memory is taken a page for 256 descriptors, when they are first
 * used. So a row is never allocated, nor is there a lock, and a signal handler
 * may use it.
 */
#ifndef WEIR_GATE_FDTABLE_H
#define WEIR_GATE_FDTABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_FDTABLE_COUNT (1u << 18)

/*
 * In `open`, one that is not handed over (forward/files/lazyopen.h). Its slot
 * in the direct table is beside these.
 */
#define WEIR_FDTABLE_LAZY    0x8000u
#define WEIR_FDTABLE_KERNELS 0x4000u

struct weir_fdtable_row {
	_Atomic uint64_t handle; /* fdmap.h; 0: nothing is known of it */
	/* 0: not forwarded; else open + 1, or one that is not handed over */
	_Atomic uint16_t open;
	_Atomic uint16_t
		counted; /* the same, of a child that is being forked */
	/* Whether it may be memory that stands for a deferred file. */
	_Atomic bool is_deferred;
	_Atomic bool is_plain; /* libc has an ordinary stream on it */
	_Atomic uint8_t
		reads; /* by the kernel, of one that is not handed over */
	_Atomic uint8_t leaving; /* what exec does with it */
};
_Static_assert(sizeof(struct weir_fdtable_row) == 16, "256 in a page");

extern struct weir_fdtable_row weir_fdtable[WEIR_FDTABLE_COUNT];

static inline bool weir_fdtable_holds(int fd)
{
	return (unsigned)fd < WEIR_FDTABLE_COUNT;
}

/* Makes `top` at least one more than `fd`. */
void weir_fdtable_raise(_Atomic unsigned *top, int fd);

/* Whether it is one that is not handed over. */
static inline bool weir_fdtable_is_lazy(int open)
{
	return open >= 0 && (open + 1) & WEIR_FDTABLE_LAZY;
}

/* The open file at the service, or one that is not handed over; -1: none. */
static inline int weir_fdtable_peek(int fd)
{
	if (!weir_fdtable_holds(fd))
		return -1;
	return (int)atomic_load_explicit(&weir_fdtable[fd].open,
					 memory_order_acquire) -
	       1;
}

void weir_fdtable_set(int fd, int open); /* -1: no longer */

/*
 * Put another one there (-1: none), and return what was there. It is not
 * deferred, until that is said.
 */
int weir_fdtable_swap(int fd, int open);

/* The same if `old` is there still. */
bool weir_fdtable_change(int fd, int old, int open);

/* Each forwarded descriptor below `end`, from `first` on; -1: no more. */
int weir_fdtable_next(unsigned first, unsigned end);

/* Above all descriptors that have ever been forwarded. */
unsigned weir_fdtable_top(void);

#endif
