/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the host where a trace was begun for the time. */
#ifndef WEIR_CLOCKS_TIMECLIENT_H
#define WEIR_CLOCKS_TIMECLIENT_H

#include <stdatomic.h>
#include <stdint.h>

struct weir_timecard;

/* When our monotonic clock was `mono`, it was `day`; all in ns. */
struct weir_timepoint {
	uint64_t mono, day, error;
};

/*
 * Asks some times, for `patience` ns at most or until `stop` is set (within
 * some hundredth of a second), and takes the quickest answer. -ETIMEDOUT:
 * there was none.
 */
int weir_timeclient_ask(const struct weir_timecard *card, uint64_t patience,
			const atomic_int *stop,
			struct weir_timepoint *ret_point);

#endif
