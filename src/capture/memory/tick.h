/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the clock of records: the counter of the processor, or nanoseconds. */
#ifndef WEIR_MEMORY_TICK_H
#define WEIR_MEMORY_TICK_H

#include "base/clock.h"

/* The kernel keeps time by the counter, so records do too. */
extern bool weir_tick_is_counter;

static inline uint64_t weir_tick_now(void)
{
	return weir_clock_tick(weir_tick_is_counter);
}

#endif
