/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an index, for the files that make it up. */
#ifndef WEIR_CACHE_INDEX_OWN_H
#define WEIR_CACHE_INDEX_OWN_H

#include "cache/cachewrite.h"
#include "cache/pieces.h"

struct weir_index {
	struct weir_pieces pieces;
	uint64_t bytes;
	uint32_t longest; /* of all writes there ever were */
	weir_index_gone gone;
	void *arg;
	bool flies; /* a batch */
	/* the least stamp of writes that met others since it was gathered */
	uint64_t late;
};

static inline uint64_t weir_index_end_of(const struct weir_write *write)
{
	return write->offset + write->length;
}

/* Less is seen of it. */
static inline void weir_index_hide(struct weir_index *index,
				   struct weir_write *write, uint64_t bytes)
{
	write->shown -= (uint32_t)bytes;
	index->bytes -= bytes;
}

static inline void weir_index_leave_hidden(struct weir_index *index,
					   struct weir_write *write)
{
	if (!write->shown && !write->flying)
		index->gone(index->arg, write);
}

/* All that is seen of a write is taken out, and it is gone. */
void weir_index_leave(struct weir_index *index, struct weir_write *write);

#endif
