/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events, as of one thread, into chunks of the live file. */
#ifndef WEIR_SELFTRACE_EVENTROW_H
#define WEIR_SELFTRACE_EVENTROW_H

#include "trace/layout/live_layout.h"
#include "trace/layout/trace_layout.h"

#include <stdbool.h>

struct weir_eventrow_site {
	uint64_t def, size, next;
};

struct weir_eventrow {
	struct weir_slot *slot;
	struct weir_chunk_head *chunk; /* NULL: none is open */
	uint64_t *data, *cursor;
	uint64_t previous_end; /* ticks */
	uint64_t commit;       /* what the slot's word was set to last */
	uint64_t written;      /* records, of all chunks */
	uint32_t slot_index, unit, sequence, records;
	struct weir_eventrow_site sites[WEIR_RECORD_SITES];
};

struct weir_eventrow_line {
	uint32_t call;
	uint32_t handle;
	uint32_t depth;
	uint64_t start, end; /* ticks */
	uint64_t size, off;
	bool has_off;
	int64_t ret; /* below 0: -errno */
	const uint8_t *detail;
	uint32_t detail_bytes;
};

/* False: there is no slot left; what it would write is not counted. */
bool weir_eventrow_begin(struct weir_eventrow *row);
void weir_eventrow_end(struct weir_eventrow *row);

static inline uint32_t weir_eventrow_depth(const struct weir_eventrow *row)
{
	return row->commit >> WEIR_COMMIT_DEPTH_SHIFT & 0xff;
}

/* A call begins, one level deeper; if we are killed, that is what is known. */
void weir_eventrow_enter(struct weir_eventrow *row, uint32_t call,
			 uint32_t handle, uint64_t start);

/*
 * The record of a call that has ended, or of a note: `depth` frames are open
 * afterwards. What finds no room is counted.
 */
void weir_eventrow_put(struct weir_eventrow *row,
		       const struct weir_eventrow_line *line);

/* The innermost call ends without a record. */
void weir_eventrow_forget(struct weir_eventrow *row);

#endif
