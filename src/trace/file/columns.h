/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds an EVENTS payload: events of one thread, column by column. */
#ifndef WEIR_FILE_COLUMNS_H
#define WEIR_FILE_COLUMNS_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/map.h"
#include "trace/event/foretell.h"
#include "trace/file/planes.h"

#include <stdint.h>

/* A block being built. Zero it to begin; reset it to build another. */
struct weir_columns {
	uint32_t count, room;
	uint64_t *column[WEIR_COLUMNS];
	struct weir_bytes detail;
	struct weir_site *sites;
	struct weir_columns_cost *costs; /* one for each site */
	uint32_t site_count, site_room, last_site;
	struct weir_map site_of; /* hash to site + 1 */
	uint64_t first_index;
	uint64_t base;
	uint64_t clock; /* end of the last event */
	uint64_t lowest, highest; /* lowest start and highest end, in ticks */
	struct weir_planes planes;
};

void weir_columns_fini(struct weir_columns *columns);

/* Empties it to build a block whose first event has this index. */
void weir_columns_reset(struct weir_columns *columns, uint64_t first_index);

/*
 * Adds an event, in the order the thread committed them. -ENOSPC when the
 * block has no room for it, -ENOMEM.
 */
int weir_columns_add(struct weir_columns *columns,
		     const struct weir_event *event);

/* Appends the payload. What was added is used up: reset comes next. */
int weir_columns_encode(struct weir_columns *columns,
			struct weir_bytes *payload);

#endif
