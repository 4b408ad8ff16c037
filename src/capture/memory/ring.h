/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the last calls of a process, in short records. */
#ifndef WEIR_MEMORY_RING_H
#define WEIR_MEMORY_RING_H

#include <stdint.h>

struct weir_thread;
struct weir_ring_head;
struct weir_ring_record;

/*
 * Make and map the memory for `bytes` of records beside the live file of this
 * name; 0 or -errno.
 */
int weir_ring_open(const char *live_file, uint64_t bytes);

/* Begin a ring in memory that is zeros; `now` in units of 2^shift ticks. */
void weir_ring_init(struct weir_ring_head *ring, uint32_t slots, uint32_t shift,
		    uint64_t now);

/*
 * Keep a call in place of the oldest one. `whose` is its handle << 32, depth
 * << 8, and what weir_ring_calls says of it; `off` counts when that has a
 * place.
 */
void weir_ring_keep(uint64_t start, uint64_t data, int64_t off, uint64_t whose);

/* The same at the end of the call: leaves its frame, and the thread READY. */
void weir_ring_put(struct weir_thread *t, uint64_t start, uint64_t data,
		   int64_t off, uint64_t whose);

/*
 * Keep one or two records, whose gaps are filled in here: they are of the
 * unit `now`, or, when that is earlier than the last record, of its time.
 */
void weir_ring_add(struct weir_ring_head *ring, uint64_t now,
		   const struct weir_ring_record *records, uint32_t count);

#endif
