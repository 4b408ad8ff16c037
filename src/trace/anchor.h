/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments on all clocks at once, and the length of a tick between two. */
#ifndef WEIR_TRACE_ANCHOR_H
#define WEIR_TRACE_ANCHOR_H

#include "base/clock.h"
#include "trace/live_layout.h"

#include <stdbool.h>
#include <stdint.h>

/* The narrowest of a few tries, so that no preemption falls in between. */
static inline struct weir_live_anchor weir_anchor_now(bool use_counter)
{
	struct weir_live_anchor best = {0};
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = weir_clock_tick(use_counter);
		uint64_t mono = weir_clock_ns(CLOCK_MONOTONIC);
		uint64_t real = weir_clock_ns(CLOCK_REALTIME);
		uint64_t after = weir_clock_tick(use_counter);

		if (after - before < width) {
			width = after - before;
			best.tick = before + width / 2;
			best.mono = mono;
			best.real = real;
		}
	}
	if (!use_counter)
		best.tick = best.mono;
	return best;
}

/* ns per tick, times 2^32; 0 when the two cannot tell. */
static inline uint64_t weir_anchor_mult(const struct weir_live_anchor *from,
					const struct weir_live_anchor *to)
{
	unsigned __int128 ns;

	if (to->tick <= from->tick || to->mono <= from->mono)
		return 0;
	ns = (unsigned __int128)(to->mono - from->mono) << 32;
	return (uint64_t)(ns / (to->tick - from->tick));
}

#endif
