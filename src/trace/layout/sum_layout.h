/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the sums that a thread keeps in its live file. */
#ifndef WEIR_LAYOUT_SUM_LAYOUT_H
#define WEIR_LAYOUT_SUM_LAYOUT_H

#include "trace/layout/event.h"
#include "trace/layout/live_layout.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/*
 * The numbers of a note are little-endian on every machine: this turns those
 * of a sum into a note's, and back.
 */
static inline void weir_sum_turn(struct weir_sum *sum)
{
	uint64_t *const eights[] = {
		&sum->key, &sum->bytes, &sum->next, &sum->top, &sum->time,
		&sum->longest, &sum->first, &sum->last, &sum->told,
	};
	uint32_t *const fours[] = {
		&sum->calls, &sum->placed, &sum->follow, &sum->ahead,
		&sum->skip, &sum->seen, &sum->failed, &sum->timed,
		&sum->pace, &sum->misses,
	};

	if (htole16(1) == 1)
		return;
	for (size_t i = 0; i < sizeof(eights) / sizeof(*eights); i++)
		*eights[i] = htole64(*eights[i]);
	for (size_t i = 0; i < sizeof(fours) / sizeof(*fours); i++)
		*fours[i] = htole32(*fours[i]);
	for (int i = 0; i < WEIR_SUM_SIZES; i++)
		sum->sizes[i] = htole32(sum->sizes[i]);
	for (int i = 0; i < WEIR_SUM_WAITS; i++)
		sum->waits[i] = htole32(sum->waits[i]);
}

/* As the detail of a note, which has room for it. */
static inline void weir_sum_write(const struct weir_sum *sum, void *to)
{
	struct weir_sum turned = *sum;

	weir_sum_turn(&turned);
	memcpy(to, &turned, sizeof(turned));
}

/* What a SUM note tells. False: its detail is no sum. */
static inline bool weir_sum_read(const struct weir_event *note,
				 struct weir_sum *ret_sum)
{
	if (note->detail_len != sizeof(*ret_sum))
		return false;
	memcpy(ret_sum, note->detail, sizeof(*ret_sum));
	weir_sum_turn(ret_sum);
	return true;
}

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
