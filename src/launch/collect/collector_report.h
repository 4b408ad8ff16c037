/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what a collector reports to the process that started it. */
#ifndef WEIR_COLLECT_COLLECTOR_REPORT_H
#define WEIR_COLLECT_COLLECTOR_REPORT_H

#include "trace/control/unrecorded.h"
#include "trace/pack/pack.h"

#include <stdint.h>

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

#endif
