/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storing what an index holds. A batch is all that is seen now, arranged: in
 * order of offset, neighbours joined to runs of at most `most` bytes (and
 * IOV_MAX pieces) that end at multiples of `align` where they can. While it is
 * stored the index may be read and put into; only one batch at a time.
 */
#ifndef WEIR_CACHE_BATCH_H
#define WEIR_CACHE_BATCH_H

#include "cache/index.h"

#include <sys/uio.h>

struct weir_batch_run {
	uint64_t offset;
	uint64_t length;
	struct iovec *parts;
	int count;
};

struct weir_batch {
	struct weir_batch_run *runs;
	uint32_t count;
	/* and what the index needs */
	void *own;
};

struct weir_batch_shape {
	uint64_t most, align; /* not 0 */
	uint64_t before; /* only writes with a stamp below it; 0: all */
};

/* 0, -ENOMEM, -EBUSY: there is a batch. None may be in it. */
int weir_batch_gather(struct weir_index *index,
		      const struct weir_batch_shape *shape,
		      struct weir_batch *ret_batch);

/* Each piece of a write in a run, in order: those that lie together as one. */
typedef void (*weir_batch_look)(void *arg, struct weir_write *write,
				const struct weir_index_piece *piece);
void weir_batch_each(const struct weir_batch *batch, uint32_t run,
		     weir_batch_look look, void *arg);

/* A run is stored; not called for those that could not be, nor twice. */
void weir_batch_stored(struct weir_index *index, struct weir_batch *batch,
		       uint32_t run);

/*
 * The batch is over. Returns how many of its writes stay: they were not stored,
 * or they were, but something older that they cover was not.
 */
uint64_t weir_batch_settle(struct weir_index *index, struct weir_batch *batch);

#endif
