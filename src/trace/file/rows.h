/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes an EVENTS payload apart again. */
#ifndef WEIR_FILE_ROWS_H
#define WEIR_FILE_ROWS_H

#include "trace/bytes/bytes.h"
#include "trace/event/foretell.h"
#include "trace/file/planes.h"

#include <stddef.h>
#include <stdint.h>

/* A block taken apart. Zero it to begin; decode as often as you like. */
struct weir_rows {
	uint32_t count, room, at;
	uint64_t *column[WEIR_COLUMNS];
	struct weir_site *sites;
	uint32_t site_count, site_room;
	struct weir_bytes detail;
	size_t detail_at;
	uint64_t first_index, clock;
	struct weir_planes planes;
};

void weir_rows_fini(struct weir_rows *rows);

/*
 * Takes in a payload of count events. -EBADMSG for anything that is not as
 * it should be; after 0 all its events can be read.
 */
int weir_rows_decode(struct weir_rows *rows, const void *payload, size_t size,
		     uint32_t count);

/*
 * Fills in the next event, all but proc, thread and err; times in ticks. To
 * be called count times; details stay valid until the next decode.
 */
void weir_rows_next(struct weir_rows *rows, struct weir_event *ret_event);

#endif
