/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows how one process reads or writes one file through one layer. */
#ifndef WEIR_FACTS_FLOWS_H
#define WEIR_FACTS_FLOWS_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/bypair.h"
#include "analyse/facts/extents.h"
#include "analyse/facts/witness.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_FLOW_SMALL	   (UINT64_C(64) << 10) /* fewer bytes are few */
#define WEIR_FLOW_GATHERED (UINT64_C(1) << 20)	/* what a buffer would hold */
#define WEIR_FLOW_PAGE	   4096
/* After a seek a stream reads two pieces of a page at the most. */
#define WEIR_FLOW_RUN	   (UINT64_C(2) * WEIR_FLOW_PAGE)
#define WEIR_FLOW_STREAMS  4 /* places where a process goes on at a time */

/* Where the next bytes are expected, and how many a buffer would hold. */
struct weir_flow_stream {
	uint64_t next, held; /* none held: not begun */
	uint64_t run;	     /* bytes since it began */
	uint64_t used;	     /* the flow's number of its last call */
};

/*
 * How long calls take, by their order of magnitude: a few of them wait for the
 * storage, for what larger requests would bring in as well.
 */
#define WEIR_FLOW_PACES 8

struct weir_flow_pace {
	uint64_t time[WEIR_FLOW_PACES];
	uint32_t calls[WEIR_FLOW_PACES];
};

struct weir_flow {
	uint32_t whole; /* the file that it is an object in */
	uint32_t file, proc;
	uint32_t node; /* of the process; for who knows it */
	uint32_t pair; /* of file and process */
	uint8_t layer, class, top, collective;
	uint32_t next; /* of the same pair: index + 1 */
	uint64_t calls, bytes, time;
	uint64_t around; /* its part of opening and closing, in the end; ns */
	uint64_t small, small_bytes, small_time;
	/* small ones that a buffer would have joined with those before: */
	uint64_t joined, joined_bytes, joined_time;
	struct weir_flow_pace pace; /* of these */
	uint64_t tiny, tiny_bytes, tiny_time; /* less than a page */
	uint64_t placed;   /* of which the offset is known */
	uint64_t follow;   /* go on where one of the last ended */
	/* those of a page and more, small, that go on for some time: */
	uint64_t paced, paced_bytes, paced_time;
	/* of small ones, that do not go on: */
	uint64_t strided;   /* as far on as the one before */
	uint64_t stride_span, stride_time; /* from the first byte to the next */
	uint64_t scattered; /* neither that, nor where the one before was */
	struct weir_flow_stream streams[WEIR_FLOW_STREAMS];
	struct weir_flow_stream appended; /* of calls that tell no place */
	uint64_t last_off;
	int64_t last_step;
	struct weir_extents touched;
	struct weir_witness slowest, slowest_small;
};

/* Zero it to begin. */
struct weir_flows {
	struct weir_flow *list;
	size_t count, room;
	struct weir_bypair first; /* of each pair */
	struct weir_map around; /* file and process: likewise, of its objects */
};

void weir_flows_fini(struct weir_flows *flows);

/* Whether calls of such a class have a flow. */
int weir_flows_has(enum weir_callclass class);

/* Adds a call that opens or closes an object of HDF5. 0 or -ENOMEM. */
int weir_flows_surround(struct weir_flows *flows,
			const struct weir_callview *view);

/*
 * The time of waits among calls, beyond what such a call usually takes: by
 * themselves or, if they are few, by all such calls of the run.
 */
uint64_t weir_flows_waits(const struct weir_flow_pace *pace,
			  const struct weir_flow_pace *run);

/* After the last call: gives each flow its part of that. 0 or -ENOMEM. */
int weir_flows_end(struct weir_flows *flows);

/* Adds a call that moved bytes; its pair must not be 0. 0 or -ENOMEM. */
int weir_flows_take(struct weir_flows *flows, const struct weir_callview *view);

#endif
