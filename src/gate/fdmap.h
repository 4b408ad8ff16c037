/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a descriptor to its handle and offset, by generation. */
#ifndef WEIR_GATE_FDMAP_H
#define WEIR_GATE_FDMAP_H

#include "gate/fdtable.h"

/*
 * An entry is one word of a row of the table: handle << 32 | description << 8 |
 * bits. 0: nothing is known of this descriptor. A handle names one life of one
 * descriptor.
 */
#define WEIR_FDMAP_CLOEXEC 1u
#define WEIR_FDMAP_WHY     1 /* shift of two bits: why it is not recorded */

static inline uint64_t weir_fdmap_get(int fd)
{
	if (!weir_fdtable_holds(fd))
		return 0;
	return atomic_load_explicit(&weir_fdtable[fd].handle,
				    memory_order_acquire);
}

static inline uint32_t weir_fdmap_handle(uint64_t entry)
{
	return (uint32_t)(entry >> 32);
}

static inline uint32_t weir_fdmap_ofd(uint64_t entry)
{
	return (uint32_t)entry >> 8;
}

static inline uint64_t weir_fdmap_entry(uint32_t handle, uint32_t ofd,
					bool cloexec)
{
	return (uint64_t)handle << 32 | (uint64_t)ofd << 8 |
	       (cloexec ? WEIR_FDMAP_CLOEXEC : 0);
}

/* Calls on this descriptor are not recorded, for one of three reasons. */
static inline uint64_t weir_fdmap_hide(uint64_t entry, uint32_t why)
{
	return entry | (uint64_t)why << WEIR_FDMAP_WHY;
}

static inline uint32_t weir_fdmap_why(uint64_t entry)
{
	return (uint32_t)entry >> WEIR_FDMAP_WHY & 3;
}

/* The number of the next handle of this process, from 1. */
uint32_t weir_fdmap_next_handle(void);

void weir_fdmap_set(int fd, uint64_t entry);
void weir_fdmap_set_cloexec(int fd, bool cloexec);

/*
 * Set an entry where there was `was`, unless another thread was faster: then
 * the new description is let go. Returns what stands there now.
 */
uint64_t weir_fdmap_offer(int fd, uint64_t was, uint64_t entry);

/* Remove an entry and return it; its description is still held. */
uint64_t weir_fdmap_take(int fd);

/* Remove an entry for good. */
void weir_fdmap_drop(int fd);

/* close_range: all from first to last. */
void weir_fdmap_drop_range(unsigned first, unsigned last);
void weir_fdmap_cloexec_range(unsigned first, unsigned last);

/*
 * A child was made: what it inherits it may move. When it will exec, the
 * descriptors marked close-on-exec stay ours alone.
 */
void weir_fdmap_share(bool will_exec);

/* Forget all: a forked child starts anew. */
void weir_fdmap_reset(void);

#endif
