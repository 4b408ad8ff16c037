/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A live file (trace/layout/live_layout.h) of one of weir's own processes,
 * which the collector takes for that of any process. There is one; nothing is
 * ever unmapped, for the collector sees by that that we live.
 */
#ifndef WEIR_SELFTRACE_OWNLIVE_H
#define WEIR_SELFTRACE_OWNLIVE_H

#include "trace/layout/live_layout.h"

#include <stdbool.h>

/* What the process tells of itself. */
struct weir_ownlive_trait {
	const char *key, *value;
};

struct weir_ownlive_title {
	const char *directory; /* of live files */
	const char *name;      /* in the place of a command line */
	const struct weir_ownlive_trait *traits; /* the last has no key */
};

/* 0, or -errno: then there is none. Once in a process. */
int weir_ownlive_open(const struct weir_ownlive_title *title);

/* Of one that is open. */
struct weir_live *weir_ownlive_live(void);
struct weir_slot *weir_ownlive_slot(uint32_t unit);
struct weir_chunk_head *weir_ownlive_chunk(uint32_t unit);
bool weir_ownlive_counts(void); /* ticks are the processor's */

/* A free chunk, or a slot that is TAKEN; or WEIR_LIVE_NO_CHUNK. */
uint32_t weir_ownlive_take_chunk(void);
uint32_t weir_ownlive_take_slot(void);
void weir_ownlive_hand_over(uint32_t unit);

#endif
