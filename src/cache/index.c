/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the bytes that a reader sees of writes that are not stored yet. */
#include "cache/index.h"

#include "cache/index_own.h"

#include <stdlib.h>

struct weir_index *weir_index_new(weir_index_gone gone, void *arg)
{
	struct weir_index *index = calloc(1, sizeof(*index));

	if (!index)
		return NULL;
	index->gone = gone;
	index->arg = arg;
	return index;
}

void weir_index_free(struct weir_index *index)
{
	if (!index)
		return;
	weir_pieces_fini(&index->pieces);
	free(index);
}

uint64_t weir_index_bytes(const struct weir_index *index)
{
	return index->bytes;
}

uint64_t weir_index_end(const struct weir_index *index)
{
	return index->pieces.last ? index->pieces.last->end : 0;
}

static void show_write(struct weir_index *index, struct weir_piece *before,
		       const struct weir_piece *piece)
{
	if (piece->end <= piece->offset)
		return;
	weir_pieces_insert(&index->pieces, before, piece);
	piece->write->shown += (uint32_t)(piece->end - piece->offset);
	index->bytes += piece->end - piece->offset;
}

/*
 * A later write covers [from, end) of a piece; room for one is reserved.
 * Returns what follows behind it.
 */
static struct weir_piece *cover(struct weir_index *index,
				struct weir_piece *piece, uint64_t from,
				uint64_t end)
{
	struct weir_write *write = piece->write;
	struct weir_piece rest = { .offset = end, .end = piece->end,
				   .write = write };
	struct weir_piece *next = piece->next;
	uint64_t first = piece->offset > from ? piece->offset : from;
	uint64_t last = piece->end < end ? piece->end : end;

	if (piece->end > end)
		next = weir_pieces_insert(&index->pieces, next, &rest);
	if (piece->offset < from)
		piece->end = from;
	else
		weir_pieces_remove(&index->pieces, piece);
	weir_index_hide(index, write, last - first);
	weir_index_leave_hidden(index, write);
	return next;
}

/* The most pieces that a write may add to those from `first` on. */
static uint64_t most_new(const struct weir_piece *first, uint64_t end)
{
	uint64_t count = 2;

	for (; first && first->offset < end; first = first->next)
		count++;
	return count;
}

static void note_meeting(struct weir_index *index, struct weir_write *write,
			 struct weir_write *other)
{
	other->met = true;
	write->met = true;
	if (write->stamp < index->late)
		index->late = write->stamp;
}

/*
 * Whether nothing will be seen of the other one, nor is there any that it met:
 * then it is as if it had not been there. If it flies, it leaves before this
 * one can.
 */
static bool is_replaced(const struct weir_piece *piece,
			const struct weir_write *write)
{
	const struct weir_write *other = piece->write;

	return !other->met && other->stamp <= write->stamp &&
	       other->shown == piece->end - piece->offset &&
	       piece->offset >= write->offset &&
	       piece->end <= weir_index_end_of(write);
}

/* Where it meets others: over older ones, into the gaps of later ones. */
static void put_among(struct weir_index *index, struct weir_write *write,
		      struct weir_piece *piece)
{
	uint64_t end = weir_index_end_of(write);
	struct weir_piece shown = { .offset = write->offset, .write = write };

	while (piece && piece->offset < end) {
		if (!is_replaced(piece, write))
			note_meeting(index, write, piece->write);
		if (piece->write->stamp <= write->stamp) {
			piece = cover(index, piece, write->offset, end);
			continue;
		}
		shown.end = piece->offset;
		show_write(index, piece, &shown);
		shown.offset = piece->end;
		piece = piece->next;
	}
	shown.end = end;
	show_write(index, piece, &shown);
}

int weir_index_put(struct weir_index *index, struct weir_write *write)
{
	struct weir_piece *piece = weir_pieces_at(&index->pieces,
						  write->offset);
	int err = weir_pieces_reserve(
		&index->pieces, most_new(piece, weir_index_end_of(write)));

	if (err)
		return err;
	write->shown = 0;
	write->flying = 0;
	write->met = false;
	if (write->length > index->longest)
		index->longest = write->length;
	put_among(index, write, piece);
	weir_index_leave_hidden(index, write);
	return 0;
}

bool weir_index_find(struct weir_index *index, uint64_t from, uint64_t end,
		     struct weir_index_piece *ret_piece)
{
	const struct weir_piece *piece = weir_pieces_at(&index->pieces, from);
	uint64_t first;

	if (from >= end || !piece || piece->offset >= end)
		return false;
	first = piece->offset > from ? piece->offset : from;
	*ret_piece = (struct weir_index_piece){
		.offset = first,
		.length = (piece->end < end ? piece->end : end) - first,
		.bytes = piece->write->bytes + (first - piece->write->offset),
	};
	return true;
}

static bool lies_across(const struct weir_write *write, uint64_t end)
{
	return write->offset < end && weir_index_end_of(write) > end;
}

/* What is seen of such a write may be at either end of it. */
bool weir_index_straddles(struct weir_index *index, uint64_t end)
{
	uint64_t reach = index->longest;
	struct weir_piece *piece =
		weir_pieces_at(&index->pieces, end > reach ? end - reach : 0);

	for (; piece && piece->offset < end + reach; piece = piece->next)
		if (lies_across(piece->write, end))
			return true;
	return false;
}

void weir_index_cut(struct weir_index *index, uint64_t end)
{
	struct weir_piece *piece = weir_pieces_at(&index->pieces, end);

	while (piece)
		piece = cover(index, piece, end, UINT64_MAX);
}

void weir_index_leave(struct weir_index *index, struct weir_write *write)
{
	struct weir_piece *piece = weir_pieces_at(&index->pieces,
						  write->offset);
	struct weir_piece *next;

	for (; write->shown && piece; piece = next) {
		next = piece->next;
		if (piece->write != write)
			continue;
		weir_index_hide(index, write, piece->end - piece->offset);
		weir_pieces_remove(&index->pieces, piece);
	}
	index->gone(index->arg, write);
}
