/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up the calls of a thread on each file. */
#ifndef WEIR_RECORD_CALLSUMS_H
#define WEIR_RECORD_CALLSUMS_H

#include "capture/memory/thread.h"
#include "spec/calls.h"
#include "trace/layout/sum_layout.h"

struct weir_brief;

/* A thread begins: it gets memory for sums when sums are wanted. */
void weir_callsums_start(struct weir_thread *t);

/*
 * Add a call to the sums of its file; its thread is BUSY. `named`: the call
 * has names in its detail. True: it must be recorded instead, because the
 * record tells more than a sum can, or because there is no place for one.
 */
bool weir_callsums_add(const struct weir_brief *brief, bool named);

/* Bytes that a call moved; the compiler knows which call it is. */
static inline int64_t weir_callsums_moved(uint16_t call, uint64_t size,
					  int64_t ret)
{
	return weir_calls_tell_size(call) ? (int64_t)size : ret & ~(ret >> 63);
}

#define WEIR_CALLSUMS_NOWHERE INT64_MIN /* the offset is not known */

/*
 * The same in short, for a call that is not timed and has no detail; ret is
 * negative when it failed. Leaves the call's frame and the thread READY.
 * False: there is no place for it yet, and nothing was done.
 */
bool weir_callsums_count(struct weir_thread *t, uint64_t key, uint64_t size,
			 int64_t off, int64_t ret);

static inline uint64_t weir_callsums_key(uint16_t call, uint32_t handle,
					 uint32_t depth)
{
	return call | (depth ? 0 : WEIR_SUM_OUTERMOST) |
	       (uint64_t)handle << 32;
}

/* Where the sums of such calls are, or would be. */
static inline struct weir_sum *weir_callsums_place(const struct weir_thread *t,
						   uint64_t key)
{
	return &t->sums[((key >> 32) * 7 + key) % WEIR_SUM_PLACES];
}

/*
 * Whether a call that begins need not be timed. Reading the clock twice takes
 * longer than all the rest: of short calls only some are timed.
 */
static inline bool weir_callsums_skips(const struct weir_thread *t,
				       uint64_t key)
{
	struct weir_sum *sum = weir_callsums_place(t, key);

	if (!sum->skip || sum->key != key)
		return false;
	sum->skip--;
	return true;
}

#endif
