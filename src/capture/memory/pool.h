/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the live file: units of memory shared with the collector. */
#ifndef WEIR_MEMORY_POOL_H
#define WEIR_MEMORY_POOL_H

#include "trace/layout/live_layout.h"

#include <stdbool.h>
#include <stddef.h>

/* What stays the same in all images and children of a process. */
struct weir_pool_settings {
	char directory[WEIR_LIVE_DIRECTORY]; /* where live files are made */
	uint32_t units_wanted;
	uint32_t clock_is_tsc;
	struct weir_live_anchor first;
	char exe[4096];
	uint32_t args_bytes;
	char args[sizeof(((struct weir_live *)0)->args)];
};

extern struct weir_pool_settings weir_pool_settings;

/*
 * Make and map the live file of this process; 0 or -errno. Nobody looks at it
 * until it is published; until then it may be dropped again.
 */
int weir_pool_open(void);
void weir_pool_publish(void);
void weir_pool_drop(void);

/* Of the live file; others stand beside it. */
const char *weir_pool_file_name(void);

struct weir_live *weir_pool_live(void);
struct weir_slot *weir_pool_slot(uint32_t unit);
struct weir_chunk_head *weir_pool_chunk(uint32_t unit);

/* A free chunk's unit, or WEIR_LIVE_NO_CHUNK. */
uint32_t weir_pool_take_chunk(void);
void weir_pool_hand_over(uint32_t unit);

/* A slot for a new thread (state TAKEN), or WEIR_LIVE_NO_CHUNK. */
uint32_t weir_pool_take_slot(void);

struct weir_live_anchor weir_pool_anchor(bool clock_is_tsc);

#endif
