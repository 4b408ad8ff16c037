/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the HEAD block: whose trace it is and how its ticks become time. */
#ifndef WEIR_FACTS_NODEINFO_H
#define WEIR_FACTS_NODEINFO_H

#include "trace/facts/clockfix.h"

#include <stddef.h>
#include <stdint.h>

struct weir_nodeinfo {
	char host[256];
	char version[64];  /* of the weir that recorded */
	uint64_t format;
	uint64_t created;  /* CLOCK_REALTIME, ns */
	uint64_t tick0, mono0, real0; /* one instant on three clocks */
	uint64_t mult;     /* ns of a tick, times 2^32 */
	struct weir_clockfix clock;
};

/* 0; -EBADMSG when it makes no sense; -ENOTSUP for a later format. */
int weir_nodeinfo_parse(const void *text, size_t size,
			struct weir_nodeinfo *ret_info);

/* CLOCK_MONOTONIC of a tick, in ns. */
static inline uint64_t weir_nodeinfo_mono(const struct weir_nodeinfo *info,
					  uint64_t tick)
{
	__extension__ typedef __int128 wide;
	int64_t ticks = (int64_t)(tick - info->tick0);

	return info->mono0 + (uint64_t)((wide)ticks * info->mult >> 32);
}

/* CLOCK_REALTIME of `mono`, ns: as the host saw it, corrected if known. */
static inline uint64_t weir_nodeinfo_day(const struct weir_nodeinfo *info,
					 uint64_t mono)
{
	return mono - info->mono0 + info->real0 +
	       (uint64_t)weir_clockfix_ahead(&info->clock, mono);
}

/* The same of a tick. */
static inline uint64_t weir_nodeinfo_real(const struct weir_nodeinfo *info,
					  uint64_t tick)
{
	return weir_nodeinfo_day(info, weir_nodeinfo_mono(info, tick));
}

#endif
