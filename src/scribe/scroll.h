/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A live file (trace/layout/live_layout.h) of one of weir's own processes,
 * which the collector takes for that of any process. There is one; nothing is
 * ever unmapped, for the collector sees by that that we live.
 */
#ifndef WEIR_SCRIBE_SCROLL_H
#define WEIR_SCRIBE_SCROLL_H

#include "trace/layout/live_layout.h"

#include <stdbool.h>

/* What the process tells of itself. */
struct weir_scroll_trait {
	const char *key, *value;
};

struct weir_scroll_title {
	const char *directory; /* of live files */
	const char *name;      /* in the place of a command line */
	const struct weir_scroll_trait *traits; /* the last has no key */
};

/* 0, or -errno: then there is none. Once in a process. */
int weir_scroll_open(const struct weir_scroll_title *title);

/* Of a scroll that is open. */
struct weir_live *weir_scroll_live(void);
struct weir_slot *weir_scroll_slot(uint32_t unit);
struct weir_chunk_head *weir_scroll_chunk(uint32_t unit);
bool weir_scroll_counts(void); /* ticks are the processor's */

/* A free chunk, or a slot that is TAKEN; or WEIR_LIVE_NO_CHUNK. */
uint32_t weir_scroll_take_chunk(void);
uint32_t weir_scroll_take_slot(void);
void weir_scroll_hand_over(uint32_t unit);

#endif
