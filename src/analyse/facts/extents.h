/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the byte ranges of a file that were touched, in bounded memory. */
#ifndef WEIR_FACTS_EXTENTS_H
#define WEIR_FACTS_EXTENTS_H

#include <stdint.h>

/* Beyond so many pieces, those with the smallest gaps between are joined. */
#define WEIR_EXTENTS_MOST 256

struct weir_extent {
	uint64_t from, to;
};

/* Zero it to begin. In order, apart from each other. */
struct weir_extents {
	struct weir_extent *list;
	uint32_t count, room;
	uint32_t recent; /* where the last one was added */
	uint64_t filled; /* bytes of gaps that were closed for want of room */
};

void weir_extents_fini(struct weir_extents *extents);

/* 0 or -ENOMEM. An empty extent changes nothing. */
int weir_extents_add(struct weir_extents *extents, uint64_t from, uint64_t to);

int weir_extents_merge(struct weir_extents *to,
		       const struct weir_extents *from);

/* Bytes in all of them: at most `filled` too many. */
uint64_t weir_extents_bytes(const struct weir_extents *extents);

/* Bytes that both have. */
uint64_t weir_extents_common(const struct weir_extents *a,
			     const struct weir_extents *b);

#endif
