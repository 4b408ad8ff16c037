/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the RING block: the last calls of a process. */
#ifndef WEIR_FILE_RINGBLOCK_H
#define WEIR_FILE_RINGBLOCK_H

#include "base/varint.h"
#include "trace/bytes/bytes.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"
#include "trace/layout/event.h"
#include "trace/layout/ring_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_RINGBLOCK_RECORDS (1u << 16) /* in a block at most */

/* The payload begins with this; records and names follow. */
struct weir_ringblock_head {
	uint64_t sequence; /* of the first record in its process, from 0 */
	uint64_t base;	   /* tick from which the first gap counts */
	uint64_t mult;	   /* ns of a tick, times 2^32 */
	uint64_t records;
};

/* A checked payload; the pointers lead into it. */
struct weir_ringblock {
	struct weir_ringblock_head head;
	const struct weir_ring_record *records;
	const uint8_t *names;
	size_t names_bytes;
};

/* -EBADMSG when it cannot be one. */
int weir_ringblock_parse(const void *payload, size_t size,
			 struct weir_ringblock *ret_block);

static inline uint32_t weir_ringblock_kind(const struct weir_ring_record *r)
{
	return r->what & 0xf;
}

/* Tells of a gap too long for a record, and of nothing else. */
bool weir_ringblock_is_gap(const struct weir_ring_record *record);

/* Tells where the transfer behind it is; they are never in two blocks. */
bool weir_ringblock_is_place(const struct weir_ring_record *record);

/* us since the record before, of a filler too. */
uint64_t weir_ringblock_gap(const struct weir_ring_record *record);

/* The tick so many us after the base. */
uint64_t weir_ringblock_tick(const struct weir_ringblock_head *head,
			     uint64_t us);

/* Bytes that the details of its events take at most. */
static inline size_t weir_ringblock_detail(const struct weir_ringblock *block)
{
	return block->head.records * WEIR_VARINT_MAX;
}

/* Events in it, and their times in ticks. */
struct weir_ringblock_extent {
	uint32_t events; /* records that are no fillers */
	uint64_t first, last;
};

struct weir_ringblock_extent
weir_ringblock_measure(const struct weir_ringblock *block);

/*
 * A name that a descriptor has from a record on. `at` begins as the first
 * byte of the names, `position` as head.sequence; 1, 0 at the end, -EBADMSG.
 */
struct weir_ringblock_name {
	uint64_t position;
	int32_t fd;
	uint32_t handle;
	const uint8_t *text; /* NULL: none any more */
	size_t length;
};

struct weir_ringblock_names {
	const uint8_t *at;
	size_t left;
	uint64_t position;
};

void weir_ringblock_start_names(const struct weir_ringblock *block,
				struct weir_ringblock_names *walk);
int weir_ringblock_next_name(struct weir_ringblock_names *walk,
			     struct weir_ringblock_name *ret_name);

/* Appends one behind that of *position, which becomes its own. */
int weir_ringblock_add_name(struct weir_bytes *to, uint64_t *position,
			    const struct weir_ringblock_name *name);

/* Gives every name of the block a number in `names`. 0 or -errno. */
int weir_ringblock_number(const struct weir_ringblock *block,
			  struct weir_names *names);

/*
 * Writes weir_ringblock_measure() many events; their times are ticks, and
 * their details lie in `details`.
 */
int weir_ringblock_events(const struct weir_ringblock *block,
			  struct weir_names *names, struct weir_bytes *details,
			  struct weir_event *to);

#endif
