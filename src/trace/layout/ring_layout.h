/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out short records, and the memory file in which they go round. */
#ifndef WEIR_LAYOUT_RING_LAYOUT_H
#define WEIR_LAYOUT_RING_LAYOUT_H

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
 *
 * The data of a read or write whose offset is known are PLACED: bit 62 set,
 * bits 25-61 the offset, bits 0-24 the bytes moved. What is larger, or failed,
 * has a filler of its own descriptor right before it, whose data are the
 * offset. A filler of no descriptor is a long gap.
 */
struct weir_ring_record {
	uint64_t what;
	uint64_t data;
};

#define WEIR_RING_PLACED     (UINT64_C(1) << 62)
#define WEIR_RING_MOVED_BITS 25
#define WEIR_RING_MOST_MOVED ((UINT64_C(1) << WEIR_RING_MOVED_BITS) - 1)
#define WEIR_RING_MOST_PLACE ((UINT64_C(1) << 37) - 1)

#define WEIR_RING_GAP_SHIFT 4
#define WEIR_RING_WHO_SHIFT 32
#define WEIR_RING_MOST_GAP  ((UINT64_C(1) << 28) - 1)
#define WEIR_RING_WHO_MASK  UINT64_C(0x3fffffff)
#define WEIR_RING_BARE	    (UINT64_C(1) << 63)
#define WEIR_RING_FRESH	    (UINT64_C(1) << 62)

/*
 * One file beside the live file of each process image, its name and ".ring":
 * this head, then the records from WEIR_RING_HEAD_BYTES on.
 *
 * `head` is the only word that decides anything: its low 26 bits say which
 * place comes next, in two rounds over the places, the others when the last
 * record was, in units modulo 2^38. One exchange of it gives a thread its
 * places and the time since the record before them, so that times are right
 * in the order of the places whatever the threads do meanwhile.
 */
#define WEIR_RING_SUFFIX     ".ring"
#define WEIR_RING_MAGIC	     "WEIRrng1"
#define WEIR_RING_HEAD_BYTES 4096
#define WEIR_RING_PLACE_BITS 26
#define WEIR_RING_TIME_BITS  (64 - WEIR_RING_PLACE_BITS)
#define WEIR_RING_PLACES     ((UINT64_C(1) << WEIR_RING_PLACE_BITS) - 1)
#define WEIR_RING_LEAST	     (UINT64_C(64) << 10) /* bytes of records */
#define WEIR_RING_MOST	     (UINT64_C(256) << 20)

struct weir_ring_head {
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

_Static_assert(sizeof(struct weir_ring_record) == 16, "a record");
_Static_assert(sizeof(struct weir_ring_head) <= WEIR_RING_HEAD_BYTES, "head");

static inline struct weir_ring_record *
weir_ring_records(struct weir_ring_head *ring)
{
	return (struct weir_ring_record *)((uint8_t *)ring +
					   WEIR_RING_HEAD_BYTES);
}

#endif
