/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings the ring of a recorded process into a store. */
#ifndef WEIR_LIVE_RINGTAKE_H
#define WEIR_LIVE_RINGTAKE_H

#include "trace/layout/ring_layout.h"

#include <stdint.h>

struct weir_store;

/* What was in a ring when it was looked at. */
struct weir_ringtake {
	struct weir_ring_record *records; /* the oldest first; owned */
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
int weir_ringtake_load(int dir_fd, const char *live_name,
		       struct weir_ringtake *ret_taken);
void weir_ringtake_fini(struct weir_ringtake *taken);

/*
 * Appends it as RING blocks that name handles; `mult` is ns of a tick, times
 * 2^32. 0 or -errno of the store.
 */
int weir_ringtake_put(const struct weir_ringtake *taken,
		      struct weir_store *store, uint32_t proc, uint64_t mult);

#endif
