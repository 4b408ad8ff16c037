/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of a recorded process, brought into a store. */
#ifndef WEIR_TRACE_RECALL_H
#define WEIR_TRACE_RECALL_H

#include "trace/recent_layout.h"

#include <stdint.h>

struct weir_store;

/* What was in a ring when it was looked at. */
struct weir_recall {
	struct weir_recent_record *records; /* the oldest first; owned */
	uint64_t count;
	uint64_t sequence; /* of the first: so many were overwritten */
	uint64_t base;	   /* unit from which its time counts */
	uint32_t shift;
};

/*
 * Reads the ring beside a live file. The process may be running: what it
 * overwrites meanwhile is left out. -ENOENT when there is none, -EBADMSG when
 * it is no ring.
 */
int weir_recall_load(int dir_fd, const char *live_name,
		     struct weir_recall *ret_recall);
void weir_recall_fini(struct weir_recall *recall);

/*
 * Appends it as RING blocks that name handles; `mult` is ns of a tick, times
 * 2^32. 0 or -errno of the store.
 */
int weir_recall_put(const struct weir_recall *recall, struct weir_store *store,
		    uint32_t proc, uint64_t mult);

#endif
