/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks after the recorded processes of a node and writes their trace. */
#ifndef WEIR_LAUNCH_COLLECTOR_H
#define WEIR_LAUNCH_COLLECTOR_H

#include "trace/pack.h"
#include "trace/unrecorded.h"

#include <stdint.h>

struct weir_timecard;
struct weir_tracedir;

struct weir_collector_job {
	struct weir_tracedir *place; /* locked, its live directory known */
	int control_fd; /* at its end the command has ended; -1: no command */
	int report_fd;	/* for reports; -1: nobody listens */
	uint64_t max_bytes; /* that the trace may have; 0: no limit */
	const struct weir_timecard *card; /* of who started us, or NULL */
};

enum weir_collector_news {
	WEIR_COLLECTOR_WAITS = 1, /* the command ended, its processes not */
	WEIR_COLLECTOR_DONE = 2,
};

/* One message on report_fd. */
struct weir_collector_report {
	uint32_t news;
	uint32_t running;   /* images at this moment */
	int32_t raw_error;  /* DONE: 0, or why the last blocks are missing */
	int32_t pack_error; /* DONE: 0, or why the trace stayed as captured */
	uint64_t lost;	    /* calls that found no room on the disk */
	uint64_t dropped;   /* calls that found no room in memory */
	uint64_t kept;	    /* short records, with --ring */
	uint64_t overwritten; /* of those, by later ones */
	uint64_t hidden[4]; /* calls not to be recorded, by reason */
	uint32_t limited;   /* lost because of the limit of the trace's size */
	uint32_t single;    /* with --single-file */
	int32_t apart;	    /* why there is a file for each process; 0: one */
	int32_t single_error; /* why this node has its own; 0: it has not */
	uint32_t sums;	    /* there are no calls in the trace */
	uint32_t left;	    /* the live directory could not be removed */
	struct weir_unrecorded unrecorded; /* processes not recorded at all */
	struct weir_pack_totals totals; /* DONE without pack_error */
};

/*
 * Works until the command has ended and no recorded image is left, or,
 * without a command, until none has been there for a while. 0 when the trace
 * is complete.
 */
int weir_collector_run(const struct weir_collector_job *job);

#endif
