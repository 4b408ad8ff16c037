/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps memory to files: ranges that were mapped by recorded calls. */
#ifndef WEIR_GATE_MAPS_H
#define WEIR_GATE_MAPS_H

#include "gate/gate.h"

#include <stdatomic.h>
#include <stddef.h>

/* As many as the kernel usually lets a process have. */
#ifndef WEIR_MAPS_COUNT
#define WEIR_MAPS_COUNT 65536
#endif

struct weir_maps_part {
	uintptr_t start, end;
	int64_t off;     /* in the file, of start */
	uint32_t handle; /* of the descriptor it was mapped from; 0: unknown */
};

/* Slots that were ever in use; 0: nothing is mapped. */
extern _Atomic uint32_t weir_maps_top;

/* False: the table is full. */
bool weir_maps_add(const struct weir_maps_part *part);

/* The lowest part of [start, end) that is known; false: none is. */
bool weir_maps_find(uintptr_t start, uintptr_t end,
		    struct weir_maps_part *ret_part);

/* Forget what is known of [start, end). */
void weir_maps_cut(uintptr_t start, uintptr_t end);

/* A forked child has the memory, but handles of its own. */
void weir_maps_disown(void);

/* The words of the tables: is this a call about a file in memory? */
static inline bool mapped(const void *at, unsigned long len)
{
	struct weir_maps_part part;

	if (!atomic_load_explicit(&weir_maps_top, memory_order_relaxed))
		return false;
	return weir_maps_find((uintptr_t)at, (uintptr_t)at + (len ? len : 1),
			      &part);
}

#define WEIR_MAPS_FIXED     0x10 /* MAP_FIXED */
#define WEIR_MAPS_ANONYMOUS 0x20 /* MAP_ANONYMOUS */

/* Memory without a file is none of ours, but it may take a file's place. */
static inline bool backed(const void *at, unsigned long len, int flags)
{
	if (!(flags & WEIR_MAPS_ANONYMOUS))
		return true;
	if (flags & WEIR_MAPS_FIXED && mapped(at, len))
		weir_maps_cut((uintptr_t)at, (uintptr_t)at + len);
	return false;
}

#endif
