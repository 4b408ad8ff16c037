/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where writes of processes meet in a file, and who waits for whom. */
#ifndef WEIR_FACTS_SHARING_H
#define WEIR_FACTS_SHARING_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/bypair.h"
#include "analyse/facts/witness.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

/* What is counted of a process on a file. */
enum weir_sharing_kind {
	WEIR_SHARING_SMALL, /* small writes in blocks where others make such */
	WEIR_SHARING_LARGE, /* large ones that begin where one of others ends */
	WEIR_SHARING_TURN,  /* much written when another had just ended */
	WEIR_SHARING_KINDS,
};

struct weir_sharing_sum {
	uint64_t calls, bytes, time; /* turns: each is one call */
	struct weir_witness slowest;
};

/* A process on a file that it writes. */
struct weir_sharing_party {
	uint32_t file, proc;
	uint32_t at;	 /* index of its file */
	uint32_t shared; /* index of its sums + 1; 0: it meets nobody */
	uint32_t recent[WEIR_SHARING_TURN];  /* index of its last block + 1 */
	uint64_t looked[WEIR_SHARING_KINDS]; /* out of so many */
};

struct weir_sharing_sums {
	struct weir_sharing_sum of[WEIR_SHARING_KINDS];
};

/* Zero it to begin. */
struct weir_sharing {
	struct weir_sharing_party *parties;
	size_t party_count, party_room;
	struct weir_bypair party_index;
	struct weir_sharing_sums *sums;
	size_t sum_count, sum_room;
	struct weir_sharing_file *files;
	size_t file_count, file_room;
	struct weir_map file_index; /* file + 1 to index + 1 */
	struct weir_sharing_block *blocks;
	size_t block_count, block_room;
	struct weir_map block_index; /* file, kind and place to index + 1 */
};

void weir_sharing_fini(struct weir_sharing *sharing);

/*
 * A call on a file that several have used so far, in order; its pair must not
 * be 0. 0 or -ENOMEM.
 */
int weir_sharing_take(struct weir_sharing *sharing,
		      const struct weir_callview *view);

/* After the last call: turns that went on are over. 0 or -ENOMEM. */
int weir_sharing_end(struct weir_sharing *sharing);

/* What a party shares; zeros: nothing. */
struct weir_sharing_sum
weir_sharing_sum_of(const struct weir_sharing *sharing,
		    const struct weir_sharing_party *party,
		    enum weir_sharing_kind kind);

#endif
