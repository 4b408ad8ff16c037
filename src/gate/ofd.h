/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the offset that duplicated descriptors share. */
#ifndef WEIR_GATE_OFD_H
#define WEIR_GATE_OFD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Calls without an explicit offset move a position that only the kernel
 * knows. We follow it, and admit ignorance whenever two such calls overlap:
 * then nobody can tell their order from outside. One word holds it all:
 *   bits 0-45 position, 46-54 calls inside, 55 position not known,
 *   56-63 epoch: one step per entry, and its overflow falls off the word.
 */
#define WEIR_OFD_POSITION ((UINT64_C(1) << 46) - 1)
#define WEIR_OFD_INSIDE   (UINT64_C(1) << 46)
#define WEIR_OFD_INSIDES  (UINT64_C(0x1ff) << 46)
#define WEIR_OFD_UNKNOWN  (UINT64_C(1) << 55)
#define WEIR_OFD_EPOCH    (UINT64_C(1) << 56)

/* Traits of a description. */
#define WEIR_OFD_SHARED 1u /* another process may move the position */
#define WEIR_OFD_APPEND 2u /* writes go to the end, wherever that is */
#define WEIR_OFD_NOSEEK 4u /* a pipe, a terminal: there is no position */
#define WEIR_OFD_UNSEEN 8u /* opened by name: may still turn out as such */
/* Where what is written is proven: */
#define WEIR_OFD_COVERED  16u /* a library that opened it does that */
#define WEIR_OFD_UNPROVEN 32u /* it is no file whose bytes stay */

#define WEIR_OFD_COUNT 16384

struct weir_ofd {
	_Atomic uint64_t word;
	_Atomic uint32_t users; /* descriptors; 0: not in use */
	_Atomic uint32_t traits;
};

extern struct weir_ofd weir_ofd_table[WEIR_OFD_COUNT];

/* A description for a new descriptor; 0 when none is free. */
uint32_t weir_ofd_new(int fd, uint32_t traits, bool position_known);
void weir_ofd_get(uint32_t ofd);
void weir_ofd_put(uint32_t ofd);

/* Everything open now may be moved by another process from now on. */
void weir_ofd_share(uint32_t ofd);

/* Forget all: a forked child starts anew. */
void weir_ofd_reset(void);

/* Before a call that uses the position; give the result to leave. */
static inline uint64_t weir_ofd_enter(uint32_t ofd)
{
	return atomic_fetch_add_explicit(&weir_ofd_table[ofd].word,
					 WEIR_OFD_INSIDE + WEIR_OFD_EPOCH,
					 memory_order_acq_rel);
}

/* Whether no other call came inside since, until now. */
static inline bool weir_ofd_is_alone(uint32_t ofd, uint64_t entered)
{
	return !(entered & WEIR_OFD_INSIDES) &&
	       atomic_load_explicit(&weir_ofd_table[ofd].word,
				    memory_order_acquire) ==
		       entered + WEIR_OFD_INSIDE + WEIR_OFD_EPOCH;
}

/* After a call that did not move the position, whoever else is inside. */
static inline void weir_ofd_leave_unmoved(uint32_t ofd)
{
	atomic_fetch_sub_explicit(&weir_ofd_table[ofd].word, WEIR_OFD_INSIDE,
				  memory_order_release);
}

/*
 * After the call. `to` is the new position when it is known to be absolute
 * or (relative) the step from the old one. Returns whether the old position
 * (in *ret_position) is certain.
 */
struct weir_ofd_move {
	bool absolute;
	bool certain; /* false: the position is not known afterwards */
	int64_t by;
};

bool weir_ofd_leave(uint32_t ofd, uint64_t entered, struct weir_ofd_move move,
		    uint64_t *ret_position);

/*
 * The two halves of it: leave when no other call was inside meanwhile, and
 * whether that was so; or leave in doubt.
 */
bool weir_ofd_leave_alone(uint32_t ofd, uint64_t entered,
			  struct weir_ofd_move move);
void weir_ofd_leave_crowd(uint32_t ofd);

#endif
