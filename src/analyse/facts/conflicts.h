/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds bytes that processes share without a sync between them. */
#ifndef WEIR_FACTS_CONFLICTS_H
#define WEIR_FACTS_CONFLICTS_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/bypair.h"
#include "analyse/facts/clues.h"
#include "analyse/sums/ledger.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

/* Zero it to begin. */
struct weir_conflicts {
	struct weir_conflicts_file *files;
	size_t file_count, file_room;
	struct weir_map file_index; /* number of the name to index + 1 */
	struct weir_conflicts_party *parties; /* a process on a file */
	size_t party_count, party_room;
	struct weir_bypair party_index;
	struct weir_conflicts_case *cases;
	size_t case_count, case_room;
	struct weir_conflicts_doubt *doubts;
	size_t doubt_count, doubt_room;
	size_t pieces;	    /* of all files */
	uint64_t unchecked; /* files given up so far */
	uint64_t error;	    /* of the clocks, ns */
};

void weir_conflicts_fini(struct weir_conflicts *conflicts);

/* A call on a file, in order; its pair must not be 0. 0 or -ENOMEM. */
int weir_conflicts_take(struct weir_conflicts *conflicts,
			const struct weir_callview *view);

/*
 * Files that were not looked at to the end, or that one process has mapped
 * while another used them: what is done in memory is not seen.
 */
uint64_t weir_conflicts_unchecked(struct weir_conflicts *conflicts,
				  struct weir_ledger *processes,
				  const struct weir_reader *reader);

/*
 * Tells what was found, now that it is known when processes made their last
 * call. 0 or -ENOMEM.
 */
int weir_conflicts_judge(const struct weir_conflicts *conflicts,
			 struct weir_ledger *processes,
			 const struct weir_reader *reader,
			 struct weir_clues *clues);

#endif
