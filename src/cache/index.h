/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexes what was written of one file and is not stored yet: the bytes of each
 * write that a reader sees, and the portions in which they are stored.
 * Pure: no I/O, no locks, no clock. Of two writes to the same byte the one with
 * the later stamp is seen, in whatever order they are put in; of equal ones
 * that which is put in later.
 *
 * A write leaves the index, and is handed to `gone`, when it is stored or
 * cannot be seen any more. After a crash all writes that are not gone are put
 * into a new index. What must hold at every instant, in the midst of a batch
 * and between two that leave together:
 *
 *	the content of the file, and over it all writes that are not gone in
 *	order of their stamps, is what a reader sees
 *
 * A write of which nothing is seen covers no byte that a later one does not, so
 * it can leave at any time. One that is stored must not leave while an older
 * one stays that it overlaps: the older one's bytes would come back over what
 * is stored. Hence: writes that meet no other one leave as soon as they are
 * stored. The others leave when the batch is over, the oldest first, and only
 * those that are older than every one that met others and stays: because it
 * could not be stored, or because it came late, with a stamp of before.
 */
#ifndef WEIR_CACHE_INDEX_H
#define WEIR_CACHE_INDEX_H

#include "cache/cachewrite.h"

/* NULL: no memory. */
struct weir_index *weir_index_new(weir_index_gone gone, void *arg);
/* No batch flies. What is in it is forgotten, and not gone. */
void weir_index_free(struct weir_index *index);

/* 0, -ENOMEM: then nothing has changed. It may be gone at once. */
int weir_index_put(struct weir_index *index, struct weir_write *write);

uint64_t weir_index_bytes(const struct weir_index *index); /* that are seen */
uint64_t weir_index_end(const struct weir_index *index); /* 0: nothing is */

struct weir_index_piece {
	uint64_t offset;
	uint64_t length;
	const unsigned char *bytes;
};

/* The first piece that is seen in [from, end), cut to it; false: none. */
bool weir_index_find(struct weir_index *index, uint64_t from, uint64_t end,
		     struct weir_index_piece *ret_piece);

/*
 * The file ends at `end` now. After a crash a write comes back whole; so those
 * of which something lies on both sides are to be stored before. So is a batch
 * to be over, unless nobody will read the file any more: what flies leaves when
 * it is.
 */
bool weir_index_straddles(struct weir_index *index, uint64_t end);
void weir_index_cut(struct weir_index *index, uint64_t end);

#endif
