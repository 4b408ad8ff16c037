/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the accesses to one file in their order. */
#ifndef WEIR_VIEW_ACCESSMAP_H
#define WEIR_VIEW_ACCESSMAP_H

#include "analyse/calls/traffic.h"

#include <stdint.h>

struct weir_access {
	uint64_t order; /* from 1 */
	uint64_t start; /* ns since the trace's begin */
	uint32_t proc, file;
	int way; /* 0 read, 1 written */
	int has_off, has_moved;
	uint64_t off, size, moved;
	const char *call;
};

/* The bytes it is about: those that were moved, if that is known. */
static inline uint64_t weir_access_span(const struct weir_access *access)
{
	return access->has_moved ? access->moved : access->size;
}

/* What is known after all have been seen. */
struct weir_accessmap {
	uint64_t count[2];   /* reads, writes */
	uint64_t extent;     /* the highest offset reached */
	uint64_t unplaced;   /* accesses whose offset is not known */
	uint8_t *processes;  /* 1 for each that made one, by number */
};

/* Gives each access of a traffic to `see`, until that returns an error. */
int weir_accessmap_walk(struct weir_traffic *traffic,
			int (*see)(const struct weir_access *access,
				   void *context),
			void *context);

/*
 * Takes away the marks of files that no request of the traffic, which has
 * chosen these, is about, unless none is. How many are left, or -errno.
 */
int64_t weir_accessmap_narrow(struct weir_traffic *traffic, uint8_t *files);

/* Wants weir_accessmap_fini. 0 or -errno. */
int weir_accessmap_sum_up(struct weir_accessmap *map,
			  struct weir_traffic *traffic);
void weir_accessmap_fini(struct weir_accessmap *map);

#endif
