/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps who wrote which bytes of a file last. */
#ifndef WEIR_FACTS_RANGES_H
#define WEIR_FACTS_RANGES_H

#include "analyse/facts/extents.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes that were written by one call, and by none since. */
struct weir_range {
	uint64_t from, to;
	uint64_t end; /* of the call, CLOCK_REALTIME */
	uint64_t committed; /* when its process had last made others see */
	uint32_t party; /* who wrote them */
};

/* Zero it to begin. A treap: ordered by place, balanced by chance. */
struct weir_ranges {
	struct weir_ranges_node *root;
	struct weir_ranges_node *last; /* where it ends; NULL: look for it */
	size_t count;
	uint64_t chance;
};

void weir_ranges_fini(struct weir_ranges *ranges);

/*
 * Tells of each range that has some of these bytes: only those of it are
 * shown. A function that returns other than 0 ends it.
 */
int weir_ranges_each(const struct weir_ranges *ranges,
		     struct weir_extent bytes,
		     int (*see)(void *context, const struct weir_range *range),
		     void *context);

/*
 * Forgets what was there, and keeps this instead; what goes on with bytes that
 * others cannot see yet either becomes one with them. 0 or -ENOMEM.
 */
int weir_ranges_write(struct weir_ranges *ranges,
		      const struct weir_range *range);

#endif
