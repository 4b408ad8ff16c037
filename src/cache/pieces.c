/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranges in order: a treap whose nodes are threaded by a list. A node's rank is
 * a hash of its address, so it costs no memory; a node that is put next to a
 * known one is turned up less than twice on average, however large the tree.
 */
#include "cache/pieces.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define BLOCK_LEAST 32u
#define BLOCK_MOST  1024u

struct weir_pieces_block {
	struct weir_pieces_block *next;
	uint64_t count;
	struct weir_piece pieces[];
};

static uint64_t rank_of_piece(const struct weir_piece *piece)
{
	uint64_t mixed = (uint64_t)(uintptr_t)piece;

	mixed = (mixed ^ mixed >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

static void free_blocks(struct weir_pieces *pieces)
{
	while (pieces->blocks) {
		struct weir_pieces_block *block = pieces->blocks;

		pieces->blocks = block->next;
		free(block);
	}
	pieces->spare = NULL;
	pieces->spares = 0;
}

void weir_pieces_fini(struct weir_pieces *pieces)
{
	free_blocks(pieces);
	*pieces = (struct weir_pieces){ 0 };
}

void weir_pieces_rest(struct weir_pieces *pieces)
{
	if (!pieces->count && pieces->blocks &&
	    pieces->blocks->count > BLOCK_LEAST)
		free_blocks(pieces);
}

static uint64_t size_of_next_block(const struct weir_pieces *pieces)
{
	uint64_t count = pieces->blocks ? 2 * pieces->blocks->count :
					  BLOCK_LEAST;

	return count < BLOCK_MOST ? count : BLOCK_MOST;
}

static int add_block(struct weir_pieces *pieces)
{
	uint64_t count = size_of_next_block(pieces);
	struct weir_pieces_block *block =
		malloc(sizeof(*block) + count * sizeof(block->pieces[0]));

	if (!block)
		return -ENOMEM;
	block->count = count;
	block->next = pieces->blocks;
	pieces->blocks = block;
	for (uint64_t i = count; i > 0; i--) {
		block->pieces[i - 1].next = pieces->spare;
		pieces->spare = &block->pieces[i - 1];
	}
	pieces->spares += count;
	return 0;
}

int weir_pieces_reserve(struct weir_pieces *pieces, uint64_t count)
{
	while (pieces->spares < count) {
		int err = add_block(pieces);

		if (err)
			return err;
	}
	return 0;
}

static struct weir_piece *look_from_root(const struct weir_pieces *pieces,
					 uint64_t offset)
{
	struct weir_piece *found = NULL;

	for (struct weir_piece *at = pieces->root; at;) {
		if (at->end > offset) {
			found = at;
			at = at->left;
		} else {
			at = at->right;
		}
	}
	return found;
}

/* True: *ret_found is what is looked for. */
static bool look_nearby(const struct weir_pieces *pieces, uint64_t offset,
			struct weir_piece **ret_found)
{
	struct weir_piece *near = pieces->near;

	if (!near)
		return false;
	if (near->end <= offset) {
		*ret_found = near->next;
		return !near->next || near->next->end > offset;
	}
	*ret_found = near;
	return !near->prev || near->prev->end <= offset;
}

struct weir_piece *weir_pieces_at(struct weir_pieces *pieces, uint64_t offset)
{
	struct weir_piece *found;

	if (pieces->last && pieces->last->end <= offset)
		return NULL;
	if (!look_nearby(pieces, offset, &found))
		found = look_from_root(pieces, offset);
	if (found)
		pieces->near = found;
	return found;
}

static void replace_child(struct weir_pieces *pieces, struct weir_piece *old,
			  struct weir_piece *new)
{
	struct weir_piece *parent = old->parent;

	if (!parent)
		pieces->root = new;
	else if (parent->left == old)
		parent->left = new;
	else
		parent->right = new;
	if (new)
		new->parent = parent;
}

static void turn_up(struct weir_pieces *pieces, struct weir_piece *piece)
{
	struct weir_piece *parent = piece->parent, *moved;

	replace_child(pieces, parent, piece);
	if (parent->left == piece) {
		moved = piece->right;
		parent->left = moved;
		piece->right = parent;
	} else {
		moved = piece->left;
		parent->right = moved;
		piece->left = parent;
	}
	if (moved)
		moved->parent = parent;
	parent->parent = piece;
}

/* Of two neighbours one has no child on the side of the other. */
static void hang_between(struct weir_pieces *pieces, struct weir_piece *new)
{
	new->left = new->right = new->parent = NULL;
	if (new->next && !new->next->left) {
		new->next->left = new;
		new->parent = new->next;
	} else if (new->prev) {
		new->prev->right = new;
		new->parent = new->prev;
	} else {
		pieces->root = new;
	}
	while (new->parent && rank_of_piece(new) > rank_of_piece(new->parent))
		turn_up(pieces, new);
}

struct weir_piece *weir_pieces_insert(struct weir_pieces *pieces,
				      struct weir_piece *before,
				      const struct weir_piece *like)
{
	struct weir_piece *new = pieces->spare;

	pieces->spare = new->next;
	pieces->spares--;
	pieces->count++;
	new->offset = like->offset;
	new->end = like->end;
	new->write = like->write;
	new->next = before;
	new->prev = before ? before->prev : pieces->last;
	*(new->prev ? &new->prev->next : &pieces->first) = new;
	*(before ? &before->prev : &pieces->last) = new;
	hang_between(pieces, new);
	pieces->near = new;
	return new;
}

static void take_off_tree(struct weir_pieces *pieces, struct weir_piece *piece)
{
	while (piece->left && piece->right)
		turn_up(pieces,
			rank_of_piece(piece->left) > rank_of_piece(piece->right)
				? piece->left
				: piece->right);
	replace_child(pieces, piece, piece->left ? piece->left : piece->right);
}

void weir_pieces_remove(struct weir_pieces *pieces, struct weir_piece *piece)
{
	take_off_tree(pieces, piece);
	*(piece->prev ? &piece->prev->next : &pieces->first) = piece->next;
	*(piece->next ? &piece->next->prev : &pieces->last) = piece->prev;
	pieces->near = piece->next ? piece->next : piece->prev;
	pieces->count--;
	piece->next = pieces->spare;
	pieces->spare = piece;
	pieces->spares++;
}
