/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was written of one file and is not stored yet: which bytes of which
 * writes a reader is to see, and in which portions they go to the file system.
 * Pure: no I/O, no locks, no clock. Of two writes to the same byte the one with
 * the later stamp is seen, in whatever order they are put in.
 *
 * A write leaves the index, and is handed to `gone`, when it is stored or
 * cannot be seen any more. After a crash all writes that are not gone are put
 * into a new index; so a write must not be gone while an older one that it
 * overlaps is not: else the older one's bytes would come back. Writes that
 * never met another leave as soon as they are stored; the others when the whole
 * batch is, in order of their stamps.
 */
#ifndef WEIR_CACHE_INDEX_H
#define WEIR_CACHE_INDEX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/* One write; its owner embeds it, and must keep it until it is gone. */
struct weir_write {
	uint64_t stamp;
	uint64_t offset;
	const unsigned char *bytes;
	uint32_t length;
	/* of the index: */
	uint32_t shown; /* bytes that are seen */
	uint32_t flying; /* portions of a batch that contain some of it */
	bool met; /* it overlaps, or overlapped, another one */
};

struct weir_index;
typedef void (*weir_index_gone)(void *arg, struct weir_write *write);

/* NULL: no memory. */
struct weir_index *weir_index_new(weir_index_gone gone, void *arg);
void weir_index_free(struct weir_index *index); /* all are gone */

/* 0, -ENOMEM. It may be gone at once. */
int weir_index_put(struct weir_index *index, struct weir_write *write);

uint64_t weir_index_bytes(const struct weir_index *index); /* that are seen */
uint64_t weir_index_end(const struct weir_index *index); /* of the last one */

struct weir_index_piece {
	uint64_t offset;
	uint64_t length;
	const unsigned char *bytes;
};

/* The first piece that is seen in [from, end), cut to it; false: none. */
bool weir_index_find(const struct weir_index *index, uint64_t from,
		     uint64_t end, struct weir_index_piece *ret_piece);

/* The file ends at `end` now. */
void weir_index_cut(struct weir_index *index, uint64_t end);

/*
 * Storing. A batch is all that is seen now, arranged: in order of offset,
 * neighbours joined to runs of at most `most` bytes (and IOV_MAX pieces) that
 * end at multiples of `align` where they can. While it is stored the index may
 * be read and put into; only one batch at a time.
 */
struct weir_index_run {
	uint64_t offset;
	uint64_t length;
	struct iovec *parts;
	int count;
};

struct weir_batch {
	struct weir_index_run *runs;
	uint32_t count;
	/* and what the index needs */
	void *own;
};

struct weir_index_shape {
	uint64_t most, align;
	uint64_t before; /* only writes with a stamp below it; 0: all */
};

int weir_index_gather(struct weir_index *index,
		      const struct weir_index_shape *shape,
		      struct weir_batch *ret_batch);

/* A run is stored; not called for those that could not be. */
void weir_index_stored(struct weir_index *index, struct weir_batch *batch,
		       uint32_t run);

/* The batch is over; what was not stored stays. */
void weir_index_settle(struct weir_index *index, struct weir_batch *batch);

#endif
