/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through one block of events, in order of their start. */
#ifndef WEIR_READ_CURSOR_H
#define WEIR_READ_CURSOR_H

#include "trace/bytes/bytes.h"
#include "trace/file/rows.h"
#include "trace/layout/event.h"
#include "trace/read/readnode.h"

#include <stdint.h>

/*
 * A cursor keeps a slice of its block. When thousands of threads are read
 * side by side the slices are short, and a block is taken apart again for
 * the next one: that bounds the memory, whatever the trace.
 */
struct weir_cursor {
	const struct weir_readnode *node;
	const struct weir_readnode_block *block;
	uint64_t key;       /* CLOCK_REALTIME of the event it stands at */
	uint32_t proc_base; /* added to the numbers of processes */
	uint32_t done;      /* events of the block before the slice */
	uint32_t count, at; /* of the slice */
	struct weir_event *events; /* behind them their details */
	size_t room; /* bytes */
};

/* What taking a block apart needs, shared by the cursors of a reader. */
struct weir_cursor_bench {
	struct weir_rows rows;
	struct weir_bytes payload;
	struct weir_event *events;
	struct weir_cursor_rank *ranks;
	uint32_t room;
	uint64_t share;  /* bytes a cursor may keep */
	uint64_t memory; /* bytes that all may keep together */
	uint64_t held;   /* bytes that they do */
	void *spare; /* what a cursor gave back: the next will need as much */
};

void weir_cursor_bench_fini(struct weir_cursor_bench *bench);

/* No cursor is on it: gives back memory that the next one makes again. */
void weir_cursor_bench_rest(struct weir_cursor_bench *bench);

/* Gives back what it keeps; it may be started again. */
void weir_cursor_stop(struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench);

/* Stands at the first event of a block. 1; 0: it has none; or -errno. */
int weir_cursor_start(struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench);

/* Stands at the next. 1; 0: there is none; or -errno. */
int weir_cursor_step(struct weir_cursor *cursor,
		     struct weir_cursor_bench *bench);

static inline const struct weir_event *
weir_cursor_event(const struct weir_cursor *cursor)
{
	return &cursor->events[cursor->at];
}

/*
 * Finds the detail of the event it stands at when that was too long to be
 * kept (detail is NULL, its length not 0). Valid until the bench is used. 1
 * or -errno.
 */
int weir_cursor_fetch(const struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench,
		      const uint8_t **ret_detail);

#endif
