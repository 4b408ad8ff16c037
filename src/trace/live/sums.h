/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the sums that a thread left in its live file into records. */
#ifndef WEIR_LIVE_SUMS_H
#define WEIR_LIVE_SUMS_H

#include "trace/layout/sum_layout.h"
#include "trace/live/live.h"

#include <stdbool.h>
#include <stdint.h>

#define WEIR_SUMS_HEAD  6 /* words of a note before its detail */
#define WEIR_SUMS_WORDS (WEIR_SUMS_HEAD + sizeof(struct weir_sum) / 8)

struct weir_sums {
	struct weir_live_chunk chunk; /* used 0: nothing */
	uint64_t words[WEIR_SUM_PLACES * WEIR_SUMS_WORDS];
};

/*
 * Copies the sums of a slot (itself a copy). False: it has none; else the
 * chunk names the unit to release. A thread that still runs may change them
 * meanwhile: then a few calls are counted in part.
 */
bool weir_sums_copy(struct weir_live_view *view, const struct weir_slot *slot,
		    struct weir_sums *ret_sums);

#endif
