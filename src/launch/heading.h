/* SPDX-License-Identifier: BSD-3-Clause */
/* The HEAD block: written early, and again when the tick is known better. */
#ifndef WEIR_LAUNCH_HEADING_H
#define WEIR_LAUNCH_HEADING_H

#include "trace/live_layout.h"

#include <stdbool.h>

struct weir_store;

struct weir_heading {
	bool written;
	struct weir_live about; /* the first process: its host and clock */
};

/* Writes HEAD and DICT when nothing has been written yet. NULL: nobody. */
int weir_heading_start(struct weir_heading *heading, struct weir_store *store,
		       const struct weir_live *about);

/* Writes HEAD once more, by the clocks of now. */
int weir_heading_update(struct weir_heading *heading, struct weir_store *store);

#endif
