/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of a raw chunk. */
#ifndef WEIR_EVENT_RECORDS_H
#define WEIR_EVENT_RECORDS_H

#include "trace/layout/event.h"
#include "trace/layout/trace_layout.h"

#include <stddef.h>
#include <stdint.h>

struct weir_records_site {
	uint64_t size, next; /* next: the offset that needs no telling */
	uint32_t handle;
	uint16_t call;
	uint8_t flags, depth;
};

/* A walk over one chunk. */
struct weir_records {
	const uint64_t *words;
	size_t count, at; /* words */
	uint64_t clock;   /* end of the last record, ticks */
	struct weir_records_site sites[WEIR_RECORD_SITES];
};

/* The payload is borrowed and must be aligned to 8 bytes. */
void weir_records_start(struct weir_records *records, const void *payload,
			size_t bytes, uint64_t base_tick);

/*
 * Returns 1 and fills in start, dur, call, flags, depth, handle, off, size,
 * ret and detail; 0 at the end; -EBADMSG when a record is not as it should
 * be, and then the rest of the chunk cannot be read.
 */
int weir_records_next(struct weir_records *records,
		      struct weir_event *ret_event);

/*
 * How many words follow word 0 of a record, without the bytes of a detail:
 * the last of them is then the detail's length.
 */
size_t weir_records_words_after(uint64_t word);

/* How many words the bytes of a detail take; SIZE_MAX: more than there are. */
static inline size_t weir_records_words_of(uint64_t bytes)
{
	return bytes > UINT32_MAX ? SIZE_MAX : (size_t)(bytes + 7) / 8;
}

/*
 * Passes over the records that neither define a site nor have a detail, and so
 * say nothing new about calls and handles. After this the times, sizes and
 * offsets of this walk are not right any more.
 */
void weir_records_skip(struct weir_records *records);

#endif
