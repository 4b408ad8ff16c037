/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the clock of one host is from that of the whole trace. */
#ifndef WEIR_TRACE_CLOCKFIX_H
#define WEIR_TRACE_CLOCKFIX_H

#include "trace/procinfo.h"

#include <stdint.h>

/* Traits that the first process of a host tells: MONO AHEAD ERROR, in ns. */
#define WEIR_CLOCKFIX_BEGIN "clock_begin"
#define WEIR_CLOCKFIX_END   "clock_end"

/* At `mono` of this host its time of day was so much too early. */
struct weir_clockfix_point {
	uint64_t mono, error;
	int64_t ahead;
};

/*
 * Measured by messages between processes, at the program's beginning and,
 * when it came to that, at its end; between them clocks drift evenly.
 */
struct weir_clockfix {
	uint32_t count; /* of points; 0: never measured */
	struct weir_clockfix_point points[2];
};

/* Takes what a process tells, if anything. A later process replaces it. */
void weir_clockfix_take(struct weir_clockfix *fix,
			const struct weir_procinfo *process);

/* What to add to the time of day at `mono`. Never far beyond the points'. */
int64_t weir_clockfix_ahead(const struct weir_clockfix *fix, uint64_t mono);

/* The most that corrected times are wrong by, in ns. */
uint64_t weir_clockfix_error(const struct weir_clockfix *fix);

#endif
