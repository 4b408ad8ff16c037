/* SPDX-License-Identifier: BSD-3-Clause */
/* The HEAD block: whose trace it is and how its ticks become time. */
#ifndef WEIR_TRACE_NODEINFO_H
#define WEIR_TRACE_NODEINFO_H

#include <stddef.h>
#include <stdint.h>

struct weir_nodeinfo {
	char host[256];
	char version[64];  /* of the weir that recorded */
	uint64_t format;
	uint64_t created;  /* CLOCK_REALTIME, ns */
	uint64_t tick0, mono0, real0; /* one instant on three clocks */
	uint64_t mult;     /* ns of a tick, times 2^32 */
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

#endif
