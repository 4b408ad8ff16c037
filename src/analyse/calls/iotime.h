/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the time of processes and layers goes to: time in I/O. */
#ifndef WEIR_CALLS_IOTIME_H
#define WEIR_CALLS_IOTIME_H

#include "analyse/calls/callview.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The one definition of time in I/O, for every screen (doc/report.md): of a
 * process the wall time during which one of its threads, at least, was inside
 * a call of the part; of a run that of the process for which it is longest.
 */
enum weir_iotime_part {
	WEIR_IOTIME_IO,
	WEIR_IOTIME_WAITING,  /* on pipes, sockets and terminals */
	WEIR_IOTIME_STARTING, /* processes */
	WEIR_IOTIME_LIBRARY,  /* starting and ending one, as MPI_Init does */
	WEIR_IOTIME_PARTS,
};

/* Moments are of CLOCK_REALTIME, so that processes of all hosts compare. */
struct weir_iotime_span {
	uint64_t time;	  /* during which a call was under way */
	uint64_t longest; /* of the calls */
	uint64_t until;	  /* the end of the last of them */
};

/* Of a layer: an operation that ends may have been all there was before. */
struct weir_iotime_layer {
	struct weir_iotime_span span;
	struct weir_iotime_gap {
		uint64_t from, to;
	} *gaps; /* while operations were under way, in order */
	size_t gap_count, gap_room;
};

/* Zero it to begin. */
struct weir_iotime {
	struct weir_iotime_process {
		struct weir_iotime_span parts[WEIR_IOTIME_PARTS];
	} *processes; /* by number in the trace */
	uint32_t count; /* numbers, from 0 */
	size_t room;
	struct weir_iotime_layer layers[WEIR_CALLVIEW_LAYERS]; /* all ranks */
};

void weir_iotime_fini(struct weir_iotime *times);

/* What the application's own calls of these marks do. */
enum weir_iotime_part weir_iotime_part_of(uint32_t marks);

/*
 * A call, in order of the starts; whether operations are under way, whose ends
 * may come. An operation takes until its end is seen. 0 or -ENOMEM.
 */
int weir_iotime_take(struct weir_iotime *times,
		     const struct weir_callview *view, bool is_pending);

/* During which a layer was busy, in any process. */
static inline uint64_t weir_iotime_busy(const struct weir_iotime *times,
					unsigned layer)
{
	return times->layers[layer].span.time;
}

/* Time of calls of which only the sum is known: as if none overlapped. */
int weir_iotime_add(struct weir_iotime *times, uint32_t proc,
		    enum weir_iotime_part part, uint64_t time,
		    uint64_t longest);

/* Of one process; zero: it is not known. */
struct weir_iotime_span weir_iotime_of(const struct weir_iotime *times,
				       uint32_t proc,
				       enum weir_iotime_part part);

/* Of the run: the process with the most, 0: none had any. */
struct weir_iotime_span weir_iotime_most(const struct weir_iotime *times,
					 enum weir_iotime_part part,
					 uint32_t *ret_proc);

#endif
