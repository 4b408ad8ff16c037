/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks after the recorded processes of a node and writes their trace. */
#ifndef WEIR_COLLECT_COLLECTOR_H
#define WEIR_COLLECT_COLLECTOR_H

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

/*
 * Works until the command has ended and no recorded image is left, or,
 * without a command, until none has been there for a while. 0 when the trace
 * is complete.
 */
int weir_collector_run(const struct weir_collector_job *job);

#endif
