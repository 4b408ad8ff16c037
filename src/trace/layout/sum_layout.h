/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the sums that a thread keeps in its live file. */
#ifndef WEIR_LAYOUT_SUM_LAYOUT_H
#define WEIR_LAYOUT_SUM_LAYOUT_H

#include "trace/layout/live_layout.h"

#include <stdint.h>

#define WEIR_SUM_PLACES 32 /* of a thread: they fill the data of a unit */
#define WEIR_SUM_SIZES  10
#define WEIR_SUM_WAITS  16

/* Calls that the application made itself, apart from those within calls. */
#define WEIR_SUM_OUTERMOST (UINT64_C(1) << 16)

/*
 * Sums over calls of one kind on one handle by one thread. They lie in the
 * unit that the thread's slot names, and are also the detail of a SUM note
 * when the place is needed for others. One writer, plain stores: a reader of
 * what a killed thread left may find its last call counted in part.
 *
 * A note is written before its place is given to others. `told` says where
 * that note ends, so that nobody counts both: it is there already when the
 * thread's chunk has come as far.
 */
struct weir_sum {
	uint64_t key;	  /* call | OUTERMOST | handle << 32; 0: nobody's */
	uint64_t bytes;	  /* results above 0, added up */
	uint64_t next;	  /* the offset behind the last call */
	uint64_t top;	  /* the highest offset reached */
	uint32_t calls;
	uint32_t placed;  /* calls whose offset is known */
	uint32_t follow;  /* of those, at `next` */
	uint32_t ahead;	  /* of those, beyond `next` */
	uint32_t skip;	  /* calls that need not be timed */
	uint32_t seen;	  /* calls up to the last timed one */
	uint32_t sizes[WEIR_SUM_SIZES]; /* by what they asked for */
	uint32_t failed;
	uint32_t timed;	  /* calls */
	uint64_t time;	  /* ticks; a timed call counts for all since `seen` */
	uint64_t longest; /* ticks */
	uint64_t first, last; /* ticks, of the timed calls */
	uint64_t told;	  /* chunk << 16 | bytes, see above; 0: no note yet */
	uint32_t pace;	  /* ticks of the recent calls */
	uint32_t misses;  /* calls that wanted the place */
	uint32_t waits[WEIR_SUM_WAITS]; /* timed calls by ticks */
};

_Static_assert(sizeof(struct weir_sum) * WEIR_SUM_PLACES <=
		       WEIR_LIVE_DATA_BYTES,
	       "sums");
_Static_assert(sizeof(struct weir_sum) == 216, "SUM notes");

/* Ticks in nanoseconds; mult as in struct weir_nodeinfo. */
static inline uint64_t weir_sum_ns(uint64_t ticks, uint64_t mult)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)ticks * mult >> 32);
}

/*
 * Classes of sizes: up to 100, 1K, 10K, 100K, 1M, 4M, 10M, 100M, 1G, more.
 * No power of two lies between two of these limits, so the number of bits
 * leaves one comparison.
 */
static inline uint32_t weir_sum_size_class(uint64_t size)
{
	static const uint64_t limits[] = {
		100,	      1024,	    10240,	   102400,
		1048576,      4194304,	    10485760,	   104857600,
		1073741824,   UINT64_MAX,
	};
	static const uint8_t classes[65] = {
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3,
		4, 4, 4, 4, 5, 5, 6, 7, 7, 7, 8, 8, 8, 8,
		9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
		9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	};
	uint32_t class =
		classes[size ? 64 - (uint32_t)__builtin_clzll(size) : 0];

	return class + (size > limits[class]);
}

/* Classes of durations: below 1, 4, 16, .. units of 1024 ticks. */
static inline uint32_t weir_sum_wait_class(uint64_t ticks)
{
	uint32_t bits = 64 - (uint32_t)__builtin_clzll(ticks | 1);
	uint32_t class = bits < 11 ? 0 : (bits - 9) / 2;

	return class < WEIR_SUM_WAITS ? class : WEIR_SUM_WAITS - 1;
}

#endif
