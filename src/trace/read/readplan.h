/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the blocks of a trace by need, and shares memory among them. */
#ifndef WEIR_READ_READPLAN_H
#define WEIR_READ_READPLAN_H

#include "trace/read/readset.h"

#include <stdint.h>

/* A block and when its first event starts and its last ends, REALTIME. */
struct weir_readplan_entry {
	uint64_t group; /* those of one are needed before those of the next */
	uint64_t begin, end;
	uint64_t bytes; /* of memory that its events take */
	const struct weir_readnode_block *block;
	const struct weir_readnode *node;
};

/* Zero it to begin. */
struct weir_readplan {
	struct weir_readplan_entry *entries; /* by group, then by begin */
	uint64_t count;
	uint64_t all; /* also those forgotten, which stand behind */
};

int weir_readplan_make(struct weir_readplan *plan,
		       const struct weir_readset *set);
void weir_readplan_fini(struct weir_readplan *plan);

/* A group for each process; else there is one. */
void weir_readplan_by_process(struct weir_readplan *plan);

/* Forgets what wants() says 0 for. */
void weir_readplan_filter(struct weir_readplan *plan,
			  int (*wants)(const struct weir_readplan_entry *entry,
				       const void *context),
			  const void *context);

/* All again, in one group. */
void weir_readplan_restore(struct weir_readplan *plan);

/* A thread as its file numbers it. */
struct weir_readplan_thread {
	const struct weir_readnode *node;
	uint32_t proc, thread;
};

/*
 * From when to when an event of a thread may be, by the blocks that may hold
 * it; forgotten ones count, too. 0 or -ENOENT.
 */
int weir_readplan_find(const struct weir_readplan *plan,
		       const struct weir_readplan_thread *of, uint64_t index,
		       uint64_t *ret_begin, uint64_t *ret_end);

/*
 * When its last block begins that begins before an instant; the instant if
 * there is none.
 */
uint64_t weir_readplan_before(const struct weir_readplan *plan,
			      const struct weir_readplan_thread *of,
			      uint64_t instant);

/*
 * Many threads are read side by side. When the blocks that cover one instant
 * do not fit into memory together, the large ones have to be read in parts:
 * the share is the most bytes a block may take so that all others can.
 */
int weir_readplan_share(const struct weir_readplan *plan, uint64_t memory,
			uint64_t *ret_share);

#endif
