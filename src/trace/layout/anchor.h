/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads all clocks at one moment, and the length of a tick between two. */
#ifndef WEIR_LAYOUT_ANCHOR_H
#define WEIR_LAYOUT_ANCHOR_H

#include "base/clock.h"
#include "trace/layout/live_layout.h"
#include "trace/layout/trace_layout.h"

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

/*
 * ns per tick, times 2^32. When the two cannot tell (a clock that could not
 * be read is 0), a tick is taken for 1 ns: that can be read at least.
 */
static inline uint64_t weir_anchor_mult(const struct weir_live_anchor *from,
					const struct weir_live_anchor *to)
{
	unsigned __int128 mult = 0;

	if (from->mono && to->tick > from->tick && to->mono > from->mono)
		mult = ((unsigned __int128)(to->mono - from->mono) << 32) /
		       (to->tick - from->tick);
	if (mult < WEIR_HEAD_LEAST_MULT || mult > WEIR_HEAD_MOST_MULT)
		return UINT64_C(1) << 32;
	return (uint64_t)mult;
}

#endif
