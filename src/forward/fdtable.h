/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors of this process are forwarded, and as which open file. */
#ifndef WEIR_FORWARD_FDTABLE_H
#define WEIR_FORWARD_FDTABLE_H

#include <stdatomic.h>
#include <stdint.h>

#define WEIR_FDTABLE_COUNT (1u << 16)

/* 0: not forwarded; else open + 1. */
extern _Atomic uint16_t weir_fdtable[WEIR_FDTABLE_COUNT];

/* Those that may be of memory: see unborn.h. What is put there is not. */
extern _Atomic unsigned char weir_fdtable_unborn[WEIR_FDTABLE_COUNT];

/* The open file of a descriptor, or -1. */
static inline int weir_fdtable_get(int fd)
{
	if ((unsigned)fd >= WEIR_FDTABLE_COUNT)
		return -1;
	return (int)atomic_load_explicit(&weir_fdtable[fd],
					 memory_order_acquire) - 1;
}

void weir_fdtable_set(int fd, int open); /* -1: no longer */

/* Put another one there (-1: none), and return what was there. */
int weir_fdtable_swap(int fd, int open);

/* Above all descriptors that have ever been forwarded. */
unsigned weir_fdtable_top(void);

#endif
