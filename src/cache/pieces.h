/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges of a file that do not overlap, in order: a tree to find a place, and a
 * list to go on from there. Whoever writes or takes out one behind the other
 * pays for neither: the place of the last change is looked at first.
 */
#ifndef WEIR_CACHE_PIECES_H
#define WEIR_CACHE_PIECES_H

#include <stdint.h>

struct weir_write;

/* A range that is seen of a write. Its limits may be moved, not its order. */
struct weir_piece {
	uint64_t offset, end;
	struct weir_write *write;
	struct weir_piece *prev, *next;
	struct weir_piece *parent, *left, *right; /* of the tree's */
};

struct weir_pieces {
	struct weir_piece *first, *last, *root;
	struct weir_piece *near;  /* where somebody was last; or NULL */
	struct weir_piece *spare; /* a list by `next` */
	uint64_t spares, count;
	struct weir_pieces_block *blocks;
};

void weir_pieces_fini(struct weir_pieces *pieces);

/* So that as many can be inserted; 0 or -ENOMEM. */
int weir_pieces_reserve(struct weir_pieces *pieces, uint64_t count);

/* The first that ends behind an offset; NULL: none. */
struct weir_piece *weir_pieces_at(struct weir_pieces *pieces, uint64_t offset);

/* Room was reserved. `before` NULL: at the end. Returns the new one. */
struct weir_piece *weir_pieces_insert(struct weir_pieces *pieces,
				      struct weir_piece *before,
				      const struct weir_piece *like);
void weir_pieces_remove(struct weir_pieces *pieces, struct weir_piece *piece);

/* Gives memory back if there is none of them; no room is reserved then. */
void weir_pieces_rest(struct weir_pieces *pieces);

#endif
