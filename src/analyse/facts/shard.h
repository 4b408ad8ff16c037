/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers all facts of the files that one thread is given. */
#ifndef WEIR_FACTS_SHARD_H
#define WEIR_FACTS_SHARD_H

#include "analyse/calls/callviews.h"
#include "analyse/calls/lately.h"
#include "analyse/facts/clues.h"
#include "analyse/facts/conflicts.h"
#include "analyse/facts/effects.h"
#include "analyse/facts/flows.h"
#include "analyse/facts/hints.h"
#include "analyse/facts/layersum.h"
#include "analyse/facts/sharing.h"
#include "analyse/facts/spending.h"
#include "analyse/facts/uses.h"
#include "analyse/sums/ledger.h"
#include "analyse/sums/spread.h"
#include "analyse/sums/stock.h"

#include <stdint.h>

/* How long calls took, and how many bytes they moved, by layer and class. */
struct weir_spreads {
	struct weir_spread times[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
	struct weir_spread sizes[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
};

/* Large transfers by layer and class: what moving a byte costs. */
struct weir_rates {
	uint64_t bytes[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
	uint64_t time[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
	/* of small ones that could be joined; known when there are no more: */
	struct weir_flow_pace pace[WEIR_CALLVIEW_LAYERS][WEIR_CLASS_COUNT];
};

/* Zero it to begin. */
struct weir_shard {
	struct weir_reader *reader; /* borrowed */
	struct weir_stock files;      /* by number of the name; 0: no file */
	struct weir_ledger processes; /* by number in the trace */
	struct weir_layer_sum layers[WEIR_CALLVIEW_LAYERS];
	struct weir_rates rates;
	struct weir_spreads spreads;
	struct weir_flows flows;
	struct weir_uses uses;
	struct weir_clues clues;
	struct weir_hints hints;
	struct weir_effects effects;
	struct weir_conflicts conflicts;
	struct weir_sharing sharing; /* of files of several processes */
	struct weir_spending spending;
	struct weir_lately ends; /* where the last such call ended, + 1 */
	struct weir_row entered; /* calls that never returned, by themselves */
	uint64_t behind;  /* events that are no calls, in sums of layers only */
	int has_sums; /* not every call was recorded by itself */
	int is_untimed; /* of some calls it is not known how long they took */
};

void weir_shard_fini(struct weir_shard *shard);
void weir_shard_forget_spreads(struct weir_spreads *spreads);

/* One call, or note of sums. 0 or -errno. */
int weir_shard_take(struct weir_shard *shard, const struct weir_callview *view);

#endif
