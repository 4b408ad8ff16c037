/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the HEAD block early, and again when the tick is known better. */
#ifndef WEIR_COLLECT_HEADING_H
#define WEIR_COLLECT_HEADING_H

#include "trace/facts/clockfix.h"
#include "trace/facts/mounts.h"
#include "trace/layout/live_layout.h"

#include <stdbool.h>

struct weir_store;
struct weir_timepoint;

struct weir_heading {
	bool written;
	struct weir_live about; /* the first process: its host and clock */
	struct weir_live_anchor early; /* its first moment, as it told it */
	struct weir_clockfix clock; /* ahead: of the monotonic clock */
	struct weir_mounts mounts;  /* owned */
};

/* Writes HEAD and DICT when nothing has been written yet. NULL: nobody. */
int weir_heading_start(struct weir_heading *heading, struct weir_store *store,
		       const struct weir_live *about);

/*
 * What HEAD tells from then on of our clock and that of the whole trace: the
 * first time this is called, and the last.
 */
void weir_heading_compare(struct weir_heading *heading, uint64_t of,
			  const struct weir_timepoint *point);

/* Writes HEAD once more, by the clocks of now. */
int weir_heading_update(struct weir_heading *heading, struct weir_store *store);

#endif
