/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors of this process are forwarded, and as which open file. */
#ifndef WEIR_GATE_FDTABLE_H
#define WEIR_GATE_FDTABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_FDTABLE_COUNT (1u << 16)

/*
 * Marks of one that is not handed over: see lazyopen.h. Its slot in the direct
 * table is beside them.
 */
#define WEIR_FDTABLE_LAZY    0x8000u
#define WEIR_FDTABLE_KERNELS 0x4000u

/* 0: not forwarded; else open + 1, or one that is not handed over. */
extern _Atomic uint16_t weir_fdtable[WEIR_FDTABLE_COUNT];

/* Those that may be of memory: see deferred.h. What is put there is not. */
extern _Atomic unsigned char weir_fdtable_deferred[WEIR_FDTABLE_COUNT];

/* Whether it is one that is not handed over. */
static inline bool weir_fdtable_is_lazy(int open)
{
	return open >= 0 && (open + 1) & WEIR_FDTABLE_LAZY;
}

/* What is there, or -1. */
static inline int weir_fdtable_peek(int fd)
{
	if ((unsigned)fd >= WEIR_FDTABLE_COUNT)
		return -1;
	return (int)atomic_load_explicit(&weir_fdtable[fd],
					 memory_order_acquire) -
	       1;
}

void weir_fdtable_set(int fd, int open); /* -1: no longer */

/* Put another one there (-1: none), and return what was there. */
int weir_fdtable_swap(int fd, int open);

/* The same if `old` is there still. */
bool weir_fdtable_change(int fd, int old, int open);

/* Each forwarded descriptor below `end`, from `first` on; -1: no more. */
int weir_fdtable_next(unsigned first, unsigned end);

/* Above all descriptors that have ever been forwarded. */
unsigned weir_fdtable_top(void);

#endif
