/* SPDX-License-Identifier: BSD-3-Clause */
/* Foretells numbers of events; writer and reader must do it alike. */
#ifndef WEIR_EVENT_FORETELL_H
#define WEIR_EVENT_FORETELL_H

#include "trace/layout/event.h"
#include "trace/layout/trace_layout.h"

#include <stdint.h>

/* Limits of the format: no block has more. */
#define WEIR_EVENTS_MOST        (1u << 16)
#define WEIR_EVENTS_MOST_DETAIL (4u << 20)

/* The payload begins with this. */
struct weir_events_head {
	uint64_t first_index; /* of the first event in its thread */
	uint64_t base;        /* the tick the first gap counts from */
	uint32_t sites;
	uint32_t detail_bytes;
};

/* Then the site table, in these columns. */
enum weir_site_column {
	WEIR_SITE_CALL,
	WEIR_SITE_FLAGS,
	WEIR_SITE_DEPTH,
	WEIR_SITE_FD,     /* these three less the row before, zigzag */
	WEIR_SITE_FILE,
	WEIR_SITE_HANDLE,
	WEIR_SITE_MODES,
	WEIR_SITE_COLUMNS
};

/* Then the events, in these columns; after them the bytes of the details. */
enum weir_event_column {
	WEIR_COLUMN_SITE, /* 0: the next one not used so far; else site + 1 */
	WEIR_COLUMN_GAP,  /* start less the previous end, zigzag */
	WEIR_COLUMN_DUR,
	WEIR_COLUMN_SIZE, /* these three less what is foretold, zigzag */
	WEIR_COLUMN_OFF,
	WEIR_COLUMN_RET,
	WEIR_COLUMN_DETAIL, /* length */
	WEIR_COLUMNS
};

/* How offsets and results are foretold; one of each per site. */
#define WEIR_SITE_OFF_MASK   3
#define WEIR_SITE_OFF_ZERO   0 /* 0 */
#define WEIR_SITE_OFF_NEXT   1 /* last offset + last size */
#define WEIR_SITE_OFF_STRIDE 2 /* last offset + last step */
#define WEIR_SITE_RET_SIZE   4 /* the size; else the last result */

/* A call in one place: what the events of a site have in common. */
struct weir_site {
	uint16_t call;
	uint8_t flags, depth;
	int32_t fd;
	uint32_t file, handle;
	uint8_t modes; /* WEIR_SITE_OFF_* | WEIR_SITE_RET_* */
	/* The last event, to foretell the next; all zero at first. */
	uint64_t off, step, size, ret;
};

static inline uint64_t weir_foretell_ret(const struct weir_site *site,
					 uint64_t size)
{
	return site->modes & WEIR_SITE_RET_SIZE ? size : site->ret;
}

static inline uint64_t weir_foretell_off(const struct weir_site *site)
{
	switch (site->modes & WEIR_SITE_OFF_MASK) {
	case WEIR_SITE_OFF_NEXT:
		return site->off + site->size;
	case WEIR_SITE_OFF_STRIDE:
		return site->off + site->step;
	}
	return 0;
}

/* Keeps what the site's next event is foretold from. */
static inline void weir_foretell_recall(struct weir_site *site,
					const struct weir_event *event)
{
	if (!(event->flags & WEIR_EVENT_NOOFF)) {
		site->step = (uint64_t)event->off - site->off;
		site->off = (uint64_t)event->off;
	}
	site->size = event->size;
	site->ret = (uint64_t)event->ret;
}

#endif
