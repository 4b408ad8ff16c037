/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites a packed file block by block. */
#ifndef WEIR_SHARE_REWRITE_H
#define WEIR_SHARE_REWRITE_H

#include "share/mask/masktext.h"

#include <stdint.h>

struct weir_store;

/* What was met on the way, over all files. */
struct weir_rewrite_account {
	uint64_t events;   /* written, LOSS notes not counted */
	uint64_t profiles; /* hidden: sums of a process */
	uint64_t damaged_blocks, damaged_bytes, damaged_events;
	uint64_t unknown_blocks;  /* left out: nobody knows what they tell */
	uint64_t unknown_details; /* likewise, parts of details */
	struct weir_masktext_unknown unknown;
	uint32_t unended; /* files without an end */
};

struct weir_rewrite {
	const struct weir_mask *mask; /* NULL: everything stays as it is */
	int level;		      /* of zstd; 0: as usual */
	int as_part; /* what is written begins a part; it must begin with a HEAD
		      */
	struct weir_rewrite_account account;
};

/*
 * Appends to the store what stands for a packed file. Memory is bounded by a
 * block. Numbers of names, processes and handles stay. Damaged blocks are
 * left out and counted. -ENOTSUP for a later format; -ENODATA when it shall
 * be a part and does not begin like one.
 */
int weir_rewrite_file(struct weir_rewrite *job, int fd,
		      struct weir_store *store);

#endif
