/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects the clock of one host to that of the whole trace. */
#ifndef WEIR_FACTS_CLOCKFIX_H
#define WEIR_FACTS_CLOCKFIX_H

#include "trace/facts/props.h"

#include <stdbool.h>
#include <stdint.h>

/* Lines of HEAD: MONO AHEAD ERROR, in ns, and whose time it is. */
#define WEIR_CLOCKFIX_BEGIN "clock_begin"
#define WEIR_CLOCKFIX_END   "clock_end"
#define WEIR_CLOCKFIX_OF    "clock_of"

/* At `mono` of this host its time of day was so much too early. */
struct weir_clockfix_point {
	uint64_t mono, error;
	int64_t ahead;
};

/*
 * Measured by the collectors, when the first process of a host had come and,
 * when it came to that, after the last; between them clocks drift evenly.
 */
struct weir_clockfix {
	uint64_t of;	/* names the clock it was compared with; 0: none */
	uint32_t count; /* of points; 0: never measured */
	struct weir_clockfix_point points[2];
};

/* Takes a line of HEAD, if it is one of these. */
void weir_clockfix_read(struct weir_clockfix *fix,
			const struct weir_props_line *line);

/* After the last line: what makes no sense is as if it was not there. */
void weir_clockfix_settle(struct weir_clockfix *fix);

/* Writes the lines, if it was measured. */
int weir_clockfix_put(const struct weir_clockfix *fix,
		      struct weir_props *props);

/* What to add to the time of day at `mono`. Never far beyond the points'. */
int64_t weir_clockfix_ahead(const struct weir_clockfix *fix, uint64_t mono);

/* The most that corrected times are wrong by, in ns. */
uint64_t weir_clockfix_error(const struct weir_clockfix *fix);

/* How well the times of several files can be compared. Zero it. */
struct weir_clockfix_bound {
	uint64_t of, largest, second; /* the errors of two files */
	bool apart; /* one was not measured, or by another clock */
};

void weir_clockfix_bind(struct weir_clockfix_bound *bound,
			const struct weir_clockfix *fix);

/* True: times of any two are right within *ret_error ns. */
bool weir_clockfix_within(const struct weir_clockfix_bound *bound,
			  uint64_t *ret_error);

#endif
