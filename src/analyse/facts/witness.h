/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers the event that shows best what is said of many. */
#ifndef WEIR_FACTS_WITNESS_H
#define WEIR_FACTS_WITNESS_H

#include "trace/layout/event.h"

#include <stdint.h>

/* Zeroed: none. */
struct weir_witness {
	uint32_t proc, thread;
	uint64_t index;
	uint64_t dur; /* ns */
};

static inline struct weir_witness
weir_witness_of(const struct weir_event *event)
{
	return (struct weir_witness){ event->proc, event->thread, event->index,
				      event->dur };
}

/*
 * Whether the second tells more: it took longer; of equals the one with the
 * lower id. An order of all events, so that no way to go through them, and no
 * way to divide the work, leads to another.
 */
static inline int weir_witness_is_better(const struct weir_witness *known,
					 const struct weir_witness *other)
{
	if (!known->proc || !other->proc)
		return other->proc != 0;
	if (known->dur != other->dur)
		return other->dur > known->dur;
	if (known->proc != other->proc)
		return other->proc < known->proc;
	if (known->thread != other->thread)
		return other->thread < known->thread;
	return other->index < known->index;
}

static inline void weir_witness_take(struct weir_witness *known,
				     struct weir_witness other)
{
	if (weir_witness_is_better(known, &other))
		*known = other;
}

#endif
