/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps a sorted list of pieces without overlaps, in blocks: to put one between
 * others moves a block's worth at most. When there is no more room, neighbours
 * that touch are joined, and if that is not enough, neighbours that do not.
 */
#ifndef WEIR_DIGESTS_PIECELIST_H
#define WEIR_DIGESTS_PIECELIST_H

#include "base/digest.h"

#include <stdbool.h>

#define WEIR_PIECELIST_FEW    8
#define WEIR_PIECELIST_BLOCK  127
#define WEIR_PIECELIST_BLOCKS 2048 /* the most */

enum weir_piece_flags {
	WEIR_PIECE_UNKNOWN = 1, /* its sum is not known */
	WEIR_PIECE_COARSE = 2,	/* it may have gaps */
};

struct weir_piece {
	uint64_t from, to;
	struct weir_digest sum;
	uint32_t flags;
};

struct weir_piecelist_block {
	uint32_t count;
	struct weir_piece list[WEIR_PIECELIST_BLOCK];
};

/* Order by order, which block; then the blocks. In memory of its own. */
struct weir_piecelist_more {
	uint16_t order[WEIR_PIECELIST_BLOCKS];
	struct weir_piecelist_block blocks[];
};

/* A place in the list; any change but weir_piecelist_remove() moves others. */
struct weir_piecelist_at {
	uint32_t block, index;
};

/* All zeros: none. */
struct weir_piecelist {
	struct weir_piecelist_more *more; /* NULL: `few` is enough */
	uint32_t count;			  /* of all */
	bool is_coarse;			  /* some were joined over gaps */
	uint32_t blocks, room;		  /* in use, and in memory */
	struct weir_piecelist_at found;	  /* last: the next is often there */
	struct weir_piece few[WEIR_PIECELIST_FEW];
};

/* The first piece that ends behind this place, or the end of the list. */
struct weir_piecelist_at weir_piecelist_find(struct weir_piecelist *p,
					     uint64_t place);

/* NULL: the end. */
struct weir_piece *weir_piecelist_get(const struct weir_piecelist *p,
				      struct weir_piecelist_at at);
void weir_piecelist_step(const struct weir_piecelist *p,
			 struct weir_piecelist_at *at);

/* Where weir_piecelist_find() finds its first byte; others may be joined. */
void weir_piecelist_insert(struct weir_piecelist *p,
			   const struct weir_piece *piece);

/* The next one is at the same place then. */
void weir_piecelist_remove(struct weir_piecelist *p,
			   struct weir_piecelist_at *at);

/* The end of the last piece; 0: there is none. */
uint64_t weir_piecelist_end(const struct weir_piecelist *p);

void weir_piecelist_clear(struct weir_piecelist *p);

#endif
