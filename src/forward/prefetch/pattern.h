/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recognises how an open file is read, and decides what to prefetch: one part
 * behind the other, or parts that lie equally far apart. Where neither is seen,
 * or what was prefetched was not used, or reads are as fast as copies, it looks
 * away for a while, and longer each time.
 * Pure: it knows offsets and times, and nobody.
 */
#ifndef WEIR_PREFETCH_PATTERN_H
#define WEIR_PREFETCH_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#define WEIR_PATTERN_MOST (4u << 20) /* bytes requested in advance */

enum weir_pattern_advice {
	WEIR_PATTERN_UNKNOWN,
	WEIR_PATTERN_SEQUENTIAL,
	WEIR_PATTERN_RANDOM, /* nothing is requested */
};

/* All zeros: nothing is known. */
struct weir_pattern {
	uint64_t last, next;   /* where the last read began and ended */
	int64_t stride;	       /* from one to the next; 0: without gaps */
	uint64_t asked;	       /* what was requested goes up to here */
	uint64_t since;	       /* ns: the last request */
	uint64_t done;	       /* bytes read since */
	uint32_t size;	       /* of the last read */
	uint32_t window;       /* to request in advance: bytes, or records */
	uint32_t used, wasted; /* of what was requested, KiB */
	uint32_t moved, spent; /* of reads without it: KiB, microseconds */
	uint16_t run;	       /* reads that were where they were expected */
	uint16_t rest;	       /* reads until it looks again */
	uint8_t nap;	       /* it looks away for 2^nap reads */
	uint8_t vain;	       /* reads that nobody expected, in a row */
	uint8_t advice;	       /* enum weir_pattern_advice */
	uint8_t at;	       /* where in the list the last block was */
};

struct weir_pattern_read {
	uint64_t offset, size;
	uint64_t hit; /* bytes that were there already */
	uint64_t now; /* ns; only differences count */
	uint64_t end; /* of the file, if known; else UINT64_MAX */
};

struct weir_pattern_request {
	uint64_t from;
	int64_t stride;	 /* == record: all of it */
	uint32_t record; /* bytes */
	uint32_t count;	 /* of records */
};

/* A read was made; true: this is to be requested. */
bool weir_pattern_see(struct weir_pattern *pattern,
		      const struct weir_pattern_read *read,
		      struct weir_pattern_request *ret_request);

/* So long (ns) took a read of which nothing was there. */
void weir_pattern_time(struct weir_pattern *pattern, uint64_t size,
		       uint64_t ns);

void weir_pattern_advise(struct weir_pattern *pattern,
			 enum weir_pattern_advice advice);

#endif
