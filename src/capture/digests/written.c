/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows which parts of a file were written, and the sum of each piece. */
#include "capture/digests/written.h"

#include <string.h>

#define SMALL 4096 /* bytes; pieces up to it may be joined */

/* --- what is gone ------------------------------------------------------- */

static void count_old(struct weir_written_old *old,
		      const struct weir_piece *piece)
{
	weir_digest_sum(&old->sum, &piece->sum);
	weir_digest_cover(&old->cover, piece->from, piece->to - piece->from);
	old->bytes += piece->to - piece->from;
	old->is_inexact |= piece->flags != 0;
}

/* What is left of a piece of which a part is gone, and nobody knows which. */
static void keep_rest(struct weir_written *w, const struct weir_piece *piece,
		      uint64_t from, uint64_t to)
{
	struct weir_piece rest = *piece;

	rest.flags |= WEIR_PIECE_UNKNOWN;
	rest.sum = (struct weir_digest){ 0 };
	rest.to = from;
	if (rest.from < rest.to)
		weir_piecelist_insert(&w->pieces, &rest);
	rest.from = to;
	rest.to = piece->to;
	if (rest.from < rest.to)
		weir_piecelist_insert(&w->pieces, &rest);
}

/* The part's sum is not known: what it covers is. */
static void take_part(struct weir_written *w, struct weir_piece piece,
		      uint64_t from, uint64_t to, struct weir_written_old *old)
{
	struct weir_piece part = piece;

	part.from = part.from < from ? from : part.from;
	part.to = part.to > to ? to : part.to;
	part.sum = (struct weir_digest){ 0 };
	part.flags |= WEIR_PIECE_UNKNOWN;
	count_old(old, &part);
	keep_rest(w, &piece, from, to);
}

static bool is_within(const struct weir_piece *piece, uint64_t from,
		      uint64_t to)
{
	return piece->from >= from && piece->to <= to;
}

void weir_written_take(struct weir_written *w, uint64_t from, uint64_t to,
		       struct weir_written_old *ret_old)
{
	struct weir_piecelist_at at = weir_piecelist_find(&w->pieces, from);
	struct weir_piece *piece;

	*ret_old = (struct weir_written_old){ .bytes = 0 };
	while ((piece = weir_piecelist_get(&w->pieces, at)) &&
	       piece->from < to) {
		struct weir_piece gone = *piece;

		weir_piecelist_remove(&w->pieces, &at);
		if (is_within(&gone, from, to)) {
			count_old(ret_old, &gone);
			continue;
		}
		take_part(w, gone, from, to, ret_old);
		at = weir_piecelist_find(&w->pieces,
					 gone.to < to ? gone.to : to);
	}
}

/* --- what comes --------------------------------------------------------- */

/* Written right behind the last one, as streams do. */
static bool extend_last(struct weir_written *w, const struct weir_piece *piece)
{
	struct weir_piece *last =
		piece->from ? weir_piecelist_get(
				      &w->pieces,
				      weir_piecelist_find(&w->pieces,
							  piece->from - 1))
			    : NULL;

	if (!last || last->to != piece->from || last->flags ||
	    piece->to - last->from > SMALL)
		return false;
	last->to = piece->to;
	weir_digest_sum(&last->sum, &piece->sum);
	return true;
}

bool weir_written_replace(struct weir_written *w,
			  const struct weir_piece *piece,
			  struct weir_digest *ret_old)
{
	struct weir_piece *there = weir_piecelist_get(
		&w->pieces, weir_piecelist_find(&w->pieces, piece->from));

	if (!there || there->from != piece->from || there->to != piece->to ||
	    there->flags)
		return false;
	*ret_old = there->sum;
	there->sum = piece->sum;
	return true;
}

void weir_written_put(struct weir_written *w, const struct weir_piece *piece,
		      bool joins, struct weir_written_old *ret_old)
{
	weir_written_take(w, piece->from, piece->to, ret_old);
	if (!joins || !extend_last(w, piece))
		weir_piecelist_insert(&w->pieces, piece);
}

/* --- what is known ------------------------------------------------------ */

bool weir_written_find(struct weir_written *w, uint64_t from, uint64_t to,
		       struct weir_extent *ret)
{
	struct weir_piecelist_at at = weir_piecelist_find(&w->pieces, from);
	const struct weir_piece *piece = weir_piecelist_get(&w->pieces, at);

	if (!piece || piece->from >= to)
		return false;
	*ret = (struct weir_extent){ piece->from > from ? piece->from : from,
				     piece->to };
	while (ret->to < to) {
		weir_piecelist_step(&w->pieces, &at);
		piece = weir_piecelist_get(&w->pieces, at);
		if (!piece || piece->from != ret->to)
			return true;
		ret->to = piece->to;
	}
	ret->to = to;
	return true;
}

bool weir_written_blind(struct weir_written *w, uint64_t from, uint64_t to,
			struct weir_extent *ret)
{
	struct weir_piecelist_at at = weir_piecelist_find(&w->pieces, from);
	const struct weir_piece *piece;

	for (; (piece = weir_piecelist_get(&w->pieces, at)) && piece->from < to;
	     weir_piecelist_step(&w->pieces, &at)) {
		if (!(piece->flags & WEIR_PIECE_UNKNOWN) &&
		    is_within(piece, from, to)) {
			if (piece->to == to)
				return false;
			continue;
		}
		ret->from = piece->from > from ? piece->from : from;
		ret->to = piece->to < to ? piece->to : to;
		return true;
	}
	return false;
}

/*
 * If only one end is left besides, its sum is what remains of the whole's. The
 * gaps of one that is coarse are holes of the file, and zeros add nothing.
 */
static void learn_rest(struct weir_written *w, struct weir_piece whole,
		       struct weir_extent part, const struct weir_digest *sum)
{
	if (whole.flags & WEIR_PIECE_UNKNOWN ||
	    (whole.from < part.from && whole.to > part.to)) {
		keep_rest(w, &whole, part.from, part.to);
		return;
	}
	weir_digest_sub(&whole.sum, sum);
	if (whole.from < part.from)
		whole.to = part.from;
	else
		whole.from = part.to;
	if (whole.from < whole.to)
		weir_piecelist_insert(&w->pieces, &whole);
}

void weir_written_learn(struct weir_written *w, struct weir_extent part,
			const struct weir_digest *sum)
{
	struct weir_piecelist_at at =
		weir_piecelist_find(&w->pieces, part.from);
	const struct weir_piece *piece = weir_piecelist_get(&w->pieces, at);
	struct weir_piece learned = { part.from, part.to, *sum, 0 };
	struct weir_piece whole;

	if (!piece || piece->from > part.from || piece->to < part.to)
		return;
	whole = *piece;
	learned.flags = whole.flags & WEIR_PIECE_COARSE;
	weir_piecelist_remove(&w->pieces, &at);
	weir_piecelist_insert(&w->pieces, &learned);
	learn_rest(w, whole, part, sum);
}

bool weir_written_is_coarse(const struct weir_written *w)
{
	return w->pieces.is_coarse;
}

void weir_written_clear(struct weir_written *w)
{
	weir_piecelist_clear(&w->pieces);
}

/* --- as text ------------------------------------------------------------ */

/* So many extents of the same length, at the same distance. */
struct series {
	struct weir_extent first;
	uint64_t stride;
	uint32_t count;
};

struct text {
	char *to;
	size_t used, room;
	bool is_full;
	uint64_t end; /* of all */
};

#define LONGEST 100 /* four numbers */

static void spell_number(struct text *text, char mark, uint64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	if (mark)
		digits[--at] = mark;
	memcpy(text->to + text->used, digits + at, sizeof(digits) - at);
	text->used += sizeof(digits) - at;
}

static uint64_t series_end(const struct series *s)
{
	return s->first.to + (s->count - 1) * s->stride;
}

/* The last one that there is room for says all the rest. */
static void put_series(struct text *text, const struct series *s)
{
	if (text->is_full)
		return;
	text->is_full =
		text->used + LONGEST > text->room && series_end(s) != text->end;
	spell_number(text, text->used ? ',' : 0, s->first.from);
	spell_number(text, '-', text->is_full ? text->end : s->first.to);
	if (s->count > 1 && !text->is_full) {
		spell_number(text, '*', s->count);
		spell_number(text, '/', s->stride);
	}
}

/* Two are no series: the second may begin one. */
static void put_first(struct text *text, struct series *s)
{
	struct series first = { s->first, 0, 1 };

	if (s->count != 2) {
		put_series(text, s);
		s->count = 0;
		return;
	}
	put_series(text, &first);
	s->first.from += s->stride;
	s->first.to += s->stride;
	s->count = 1;
}

static bool continues(const struct series *s, struct weir_extent next)
{
	uint64_t stride = next.from - s->first.from;

	return s->count && next.to - next.from == s->first.to - s->first.from &&
	       (s->count == 1 || stride == s->count * s->stride);
}

static void add_extent(struct text *text, struct series *s,
		       struct weir_extent next)
{
	while (s->count && !continues(s, next))
		put_first(text, s);
	if (!s->count)
		s->first = next;
	else if (s->count == 1)
		s->stride = next.from - s->first.from;
	s->count++;
}

bool weir_written_tell(struct weir_written *w, char *to, size_t room)
{
	struct text text = { to, 0, room - LONGEST - 1, false,
			     weir_piecelist_end(&w->pieces) };
	struct series series = { .count = 0 };
	struct weir_extent next = { 0, 0 };

	while (!text.is_full &&
	       weir_written_find(w, next.to, UINT64_MAX, &next))
		add_extent(&text, &series, next);
	while (series.count)
		put_first(&text, &series);
	to[text.used] = 0;
	return !text.is_full;
}
