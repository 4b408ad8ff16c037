/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers all facts of a run: sums, and clues for findings. */
#ifndef WEIR_FINDINGS_RUNFACTS_H
#define WEIR_FINDINGS_RUNFACTS_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/clues.h"
#include "analyse/facts/shard.h"
#include "analyse/findings/filesum.h"
#include "analyse/findings/forecast.h"
#include "analyse/sums/totals.h"

/* What events at hand may take: the rest of the memory is for the facts. */
#define WEIR_RUNFACTS_READER (UINT64_C(160) << 20)

/* Zero it to begin. */
struct weir_runfacts {
	struct weir_totals totals;
	struct weir_layer_sum layers[WEIR_CALLVIEW_LAYERS];
	struct weir_spreads spreads;
	struct weir_clues clues;
	struct weir_spending spending;
	uint32_t *ranks; /* processes that are one, in their order */
	size_t rank_count, rank_room;
	uint64_t size;	 /* ranks of the largest parallel program; 0: none */
	const char *mpi; /* as it calls itself, or NULL; the reader's */
	struct weir_filesum_list files; /* who uses them; of sums: none */
	struct weir_hints hints; /* what the finding of them is about */
	struct weir_forecast forecast; /* of the run, were it forwarded */
	struct weir_effects effects; /* of a plan; none: there was none */
	uint64_t plan; /* which one it was; 0: not known, or none */
	uint64_t unchecked; /* files not searched for conflicts to the end */
	/* To be set before, where others need memory, too: */
	uint64_t most_rows; /* bytes of rows of files; 0: WEIR_STOCK_MOST */
	unsigned runs;	    /* that are looked at together; 0: one */
	int has_sites; /* it was recorded where calls are made */
	int overflowed; /* some files were summed up, but not looked into */
};

/*
 * Reads all that the filter lets pass; the reader must outlive the facts.
 * `workers`: threads to share the work; 0: as many as there are processors.
 * The facts do not depend on it. 0 or -errno.
 */
int weir_runfacts_gather(struct weir_runfacts *facts,
			 struct weir_reader *reader,
			 const struct weir_callviews_filter *filter,
			 unsigned workers);
void weir_runfacts_fini(struct weir_runfacts *facts);

#endif
