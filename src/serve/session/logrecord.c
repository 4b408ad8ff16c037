/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what is known of records of a log, in slabs of their chunk. */
#include "serve/session/logrecord.h"

#include <stdlib.h>

#define SLAB 50	 /* records; a little less than a page */
#define COST 176 /* bytes that a record takes here and in its index, about */

struct weir_logrecord_slab {
	struct weir_logrecord_slab *next;
	uint32_t used;
	struct weir_logrecord records[SLAB];
};

static _Atomic uint64_t slabs; /* that there are */

uint64_t weir_logrecord_bytes(void)
{
	return atomic_load(&slabs) * SLAB * COST;
}

struct weir_logrecord *weir_logrecord_new(struct weir_session_chunk *chunk)
{
	struct weir_logrecord_slab *slab = chunk->slabs;

	if (!slab || slab->used == SLAB) {
		slab = malloc(sizeof(*slab));
		if (!slab)
			return NULL;
		atomic_fetch_add(&slabs, 1);
		slab->next = chunk->slabs;
		slab->used = 0;
		chunk->slabs = slab;
	}
	return &slab->records[slab->used++];
}

void weir_logrecord_undo(struct weir_session_chunk *chunk)
{
	chunk->slabs->used--;
}

void weir_logrecord_clear(struct weir_session_chunk *chunk)
{
	struct weir_logrecord_slab *slab = chunk->slabs, *next;

	for (; slab; slab = next) {
		next = slab->next;
		free(slab);
		atomic_fetch_sub(&slabs, 1);
	}
	chunk->slabs = NULL;
}
