/* SPDX-License-Identifier: BSD-3-Clause */
/* Short records: their bits, and the memory file in which they go round. */
#ifndef WEIR_TRACE_RECENT_LAYOUT_H
#define WEIR_TRACE_RECENT_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A record is 128 bits: of the first word bits 0-3 the kind (spec/ring), bits
 * 4-31 the time since the record before, bits 32-63 whose it is; the second
 * word is data. In the trace file time is in us and whose the descriptor; in
 * memory time is in units of 2^shift ticks, at most 1 us, and whose is
 *
 *   bit 63     BARE: bits 32-61 are a descriptor, sign-extended; else a handle
 *   bit 62     FRESH: changes with each round over the memory
 *
 * A record whose FRESH is not that of its round was never written: its thread
 * was killed after it took the place.
 */
struct weir_recent_record {
	uint64_t what;
	uint64_t data;
};

#define WEIR_RECENT_GAP_SHIFT 4
#define WEIR_RECENT_WHO_SHIFT 32
#define WEIR_RECENT_MOST_GAP  ((UINT64_C(1) << 28) - 1)
#define WEIR_RECENT_WHO_MASK  UINT64_C(0x3fffffff)
#define WEIR_RECENT_BARE      (UINT64_C(1) << 63)
#define WEIR_RECENT_FRESH     (UINT64_C(1) << 62)

/*
 * One file beside the live file of each process image, its name and ".ring":
 * this head, then the records from WEIR_RECENT_HEAD_BYTES on.
 *
 * `head` is the only word that decides anything: its low 26 bits say which
 * place comes next, in two rounds over the places, the others when the last
 * record was, in units modulo 2^38. One exchange of it gives a thread its
 * places and the time since the record before them, so that times are right
 * in the order of the places whatever the threads do meanwhile.
 */
#define WEIR_RECENT_SUFFIX     ".ring"
#define WEIR_RECENT_MAGIC      "WEIRrng1"
#define WEIR_RECENT_HEAD_BYTES 4096
#define WEIR_RECENT_PLACE_BITS 26
#define WEIR_RECENT_TIME_BITS  (64 - WEIR_RECENT_PLACE_BITS)
#define WEIR_RECENT_PLACES     ((UINT64_C(1) << WEIR_RECENT_PLACE_BITS) - 1)
#define WEIR_RECENT_LEAST      (UINT64_C(64) << 10)  /* bytes of records */
#define WEIR_RECENT_MOST       (UINT64_C(256) << 20)

struct weir_recent {
	char magic[8];
	uint32_t version;
	uint32_t slots; /* records there is room for */
	uint32_t shift;
	uint32_t pad;
	uint64_t begun; /* unit from which the first record's time counts */
	uint64_t pads[4];
	_Atomic uint64_t head;
	_Atomic uint64_t latest; /* unit of about the last record, whole */
	_Atomic uint64_t turns;	 /* how often two rounds were completed */
};

_Static_assert(sizeof(struct weir_recent_record) == 16, "a record");
_Static_assert(sizeof(struct weir_recent) <= WEIR_RECENT_HEAD_BYTES, "head");

static inline struct weir_recent_record *
weir_recent_records(struct weir_recent *ring)
{
	return (struct weir_recent_record *)((uint8_t *)ring +
					     WEIR_RECENT_HEAD_BYTES);
}

#endif
