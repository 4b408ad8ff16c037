/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the processes a packer has met: handles, losses, last words. */
#ifndef WEIR_PACK_PACKPROCESS_H
#define WEIR_PACK_PACKPROCESS_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/map.h"
#include "trace/event/handles.h"

#include <stdint.h>

struct weir_packprocess {
	struct weir_handles handles;
	struct weir_bytes text; /* its last PROC block; empty: written */
	struct weir_bytes current; /* its last CURRENT profile */
	uint64_t dropped, lost;
	uint64_t ring_next; /* record of its ring to go on with */
	uint32_t threads; /* index + 1 of the first; they are chained */
	uint8_t met_in; /* input + 1 of its last PROC block */
	int ended;      /* no more chunks of it are to be expected */
};

/* Zero it to begin, then set names. */
struct weir_packprocess_table {
	struct weir_names *names; /* borrowed */
	struct weir_packprocess **processes;
	uint32_t count, room;
	struct weir_map by_number;   /* input << 32 | number to index + 1 */
	struct weir_map by_identity; /* hash of pid, start, tick to same */
};

void weir_packprocess_fini(struct weir_packprocess_table *table);

/* The process of a number in a raw file, made when it is new. */
int weir_packprocess_find(struct weir_packprocess_table *table, uint8_t input,
			  uint32_t number, uint32_t *ret_index);

/*
 * Takes in a PROC block. A process that was told in an earlier file under
 * another number is known again by its pid and its two times of start.
 */
int weir_packprocess_learn(struct weir_packprocess_table *table,
			   uint8_t input, uint32_t number,
			   const struct weir_bytes *text, uint32_t *ret_index);

#endif
