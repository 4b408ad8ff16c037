/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows which marked regions and phases a program is in. */
#ifndef WEIR_QUERY_SEGMENTS_H
#define WEIR_QUERY_SEGMENTS_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"
#include "trace/event/names.h"

#include <stdint.h>

#define WEIR_SEGMENTS_DEPTH 64 /* regions of a process that are open */

/* Wants weir_segments_fini. */
struct weir_segments {
	struct weir_names names;
	struct weir_segments_of *of; /* by number of the process */
	uint32_t processes;
	uint64_t marks;
};

/* 0 or -ENOMEM. */
int weir_segments_init(struct weir_segments *all, uint32_t processes);
void weir_segments_fini(struct weir_segments *all);

/* A call of the layer mark. 0 or -ENOMEM. */
int weir_segments_take(struct weir_segments *all,
		       const struct weir_event *event,
		       const struct weir_call *call);

/*
 * The nth of the names that hold for a thread, from 0: its regions, the
 * innermost first (those of its process's other threads if it has none), then
 * the phase of its process. 0: there are no more.
 */
uint32_t weir_segments_now(const struct weir_segments *all, uint32_t proc,
			   uint32_t thread, unsigned nth);

#endif
