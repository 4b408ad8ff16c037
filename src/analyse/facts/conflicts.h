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
	size_t pieces;	    /* of all files */
	uint64_t unchecked; /* files not looked at to the end */
	uint64_t error;	    /* of the clocks, ns */
};

void weir_conflicts_fini(struct weir_conflicts *conflicts);

/* A call on a file, in order; its pair must not be 0. 0 or -ENOMEM. */
int weir_conflicts_take(struct weir_conflicts *conflicts,
			const struct weir_callview *view);

/*
 * Tells what was found, now that it is known when processes made their last
 * call. 0 or -ENOMEM.
 */
int weir_conflicts_judge(const struct weir_conflicts *conflicts,
			 struct weir_ledger *processes,
			 const struct weir_reader *reader,
			 struct weir_clues *clues);

#endif
