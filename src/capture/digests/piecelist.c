/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a sorted list of pieces, in blocks. */
#include "capture/digests/piecelist.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_ROOM 4 /* blocks */

static size_t bytes_for(uint32_t blocks)
{
	return sizeof(struct weir_piecelist_more) +
	       blocks * sizeof(struct weir_piecelist_block);
}

/* The list of a block, and how many it has. */
static struct weir_piece *list_of(const struct weir_piecelist *p,
				  uint32_t block, uint32_t *ret_count)
{
	struct weir_piecelist_block *b;

	if (!p->more) {
		*ret_count = block ? 0 : p->count;
		return (struct weir_piece *)p->few;
	}
	*ret_count = 0;
	if (block >= p->blocks)
		return NULL;
	b = &p->more->blocks[p->more->order[block]];
	*ret_count = b->count;
	return b->list;
}

struct weir_piece *weir_piecelist_get(const struct weir_piecelist *p,
				      struct weir_piecelist_at at)
{
	uint32_t count;
	struct weir_piece *list = list_of(p, at.block, &count);

	return at.index < count ? list + at.index : NULL;
}

void weir_piecelist_step(const struct weir_piecelist *p,
			 struct weir_piecelist_at *at)
{
	uint32_t count;

	list_of(p, at->block, &count);
	if (++at->index >= count && at->block + 1 < p->blocks)
		*at = (struct weir_piecelist_at){ at->block + 1, 0 };
}

uint64_t weir_piecelist_end(const struct weir_piecelist *p)
{
	uint32_t last = p->blocks ? p->blocks - 1 : 0, count;
	const struct weir_piece *list = list_of(p, last, &count);

	return count ? list[count - 1].to : 0;
}

/* --- looking for a place ------------------------------------------------ */

static uint32_t find_in(const struct weir_piece *list, uint32_t count,
			uint64_t place)
{
	uint32_t low = 0, high = count;

	/* Most files are written from the front to the back. */
	if (high && list[high - 1].to <= place)
		return high;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (list[middle].to <= place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool ends_before(const struct weir_piecelist *p, uint32_t block,
			uint64_t place)
{
	uint32_t count;
	const struct weir_piece *list = list_of(p, block, &count);

	return list[count - 1].to <= place;
}

/* The first block that has a piece behind the place; else the last. */
static uint32_t find_block(const struct weir_piecelist *p, uint64_t place)
{
	uint32_t low = 0, high = p->blocks ? p->blocks - 1 : 0;

	if (!high || ends_before(p, high - 1, place))
		return high;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (ends_before(p, middle, place))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct weir_piecelist_at search_list(const struct weir_piecelist *p,
					    uint64_t place)
{
	struct weir_piecelist_at at = { .block = find_block(p, place) };
	uint32_t count;
	const struct weir_piece *list = list_of(p, at.block, &count);

	at.index = count ? find_in(list, count, place) : 0;
	return at;
}

static bool is_first_behind(const struct weir_piecelist *p,
			    struct weir_piecelist_at at, uint64_t place)
{
	uint32_t count;
	const struct weir_piece *list = list_of(p, at.block, &count);

	if (at.index >= count || list[at.index].to <= place)
		return false;
	if (at.index)
		return list[at.index - 1].to <= place;
	return !at.block || ends_before(p, at.block - 1, place);
}

/*
 * Strided calls ask for one piece after the other: for the one found last, or
 * the next, no search is needed.
 */
struct weir_piecelist_at weir_piecelist_find(struct weir_piecelist *p,
					     uint64_t place)
{
	struct weir_piecelist_at at = p->found;

	if (!is_first_behind(p, at, place)) {
		weir_piecelist_step(p, &at);
		if (!is_first_behind(p, at, place))
			at = search_list(p, place);
	}
	p->found = at;
	return at;
}

/* --- memory ------------------------------------------------------------- */

static void free_blocks(struct weir_piecelist *p)
{
	if (p->more && !weir_confined)
		weir_sys2(SYS_munmap, p->more, bytes_for(p->room));
	p->more = NULL;
	p->blocks = p->room = 0;
}

void weir_piecelist_clear(struct weir_piecelist *p)
{
	free_blocks(p);
	p->count = 0;
	p->is_coarse = false;
}

/* A forked child forgets the list, so it need not have the memory. */
static bool add_blocks(struct weir_piecelist *p)
{
	uint32_t room = p->room ? p->room * 2 : FIRST_ROOM;
	long at;

	if (room > WEIR_PIECELIST_BLOCKS || weir_confined)
		return false;
	at = p->more ? weir_sys4(SYS_mremap, p->more, bytes_for(p->room),
				 bytes_for(room), MREMAP_MAYMOVE)
		     : weir_sys6(SYS_mmap, 0, bytes_for(room),
				 PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weir_sys_failed(at))
		return false;
	weir_sys3(SYS_madvise, at, bytes_for(room), MADV_DONTFORK);
	p->more = (struct weir_piecelist_more *)at;
	for (; p->room < room; p->room++)
		p->more->order[p->room] = (uint16_t)p->room;
	return true;
}

static bool leave_few(struct weir_piecelist *p)
{
	if (!add_blocks(p))
		return false;
	p->blocks = 1;
	p->more->blocks[0].count = p->count;
	memcpy(p->more->blocks[0].list, p->few, p->count * sizeof(p->few[0]));
	return true;
}

/* An empty block behind this one; false: there is no memory for it. */
static bool add_block(struct weir_piecelist *p, uint32_t behind)
{
	uint16_t *order, fresh;

	if (p->blocks == p->room && !add_blocks(p))
		return false;
	order = p->more->order;
	fresh = order[p->blocks];
	memmove(order + behind + 2, order + behind + 1,
		(p->blocks - behind - 1) * sizeof(*order));
	order[behind + 1] = fresh;
	p->more->blocks[fresh].count = 0;
	p->blocks++;
	return true;
}

static void remove_block(struct weir_piecelist *p, uint32_t block)
{
	uint16_t *order = p->more->order, freed = order[block];

	p->blocks--;
	memmove(order + block, order + block + 1,
		(p->blocks - block) * sizeof(*order));
	order[p->blocks] = freed;
}

/* --- too many ----------------------------------------------------------- */

static void join_pieces(struct weir_piecelist *p, struct weir_piece *to,
			const struct weir_piece *next)
{
	if (to->to != next->from) {
		to->flags |= WEIR_PIECE_COARSE;
		p->is_coarse = true;
	}
	to->to = next->to;
	to->flags |= next->flags;
	weir_digest_sum(&to->sum, &next->sum);
}

/* The pieces again, from the front on. */
struct writer {
	struct weir_piecelist *p;
	struct weir_piecelist_at at; /* behind the last */
	uint32_t count;
};

static struct weir_piece *last_of(const struct writer *w)
{
	uint32_t count;

	return w->count ? list_of(w->p, w->at.block, &count) + w->at.index - 1
			: NULL;
}

static void write_piece(struct writer *w, struct weir_piece piece)
{
	uint32_t count;

	if (w->at.index == WEIR_PIECELIST_BLOCK)
		w->at = (struct weir_piecelist_at){ w->at.block + 1, 0 };
	list_of(w->p, w->at.block, &count)[w->at.index++] = piece;
	w->count++;
}

static void end_writing(const struct writer *w)
{
	struct weir_piecelist *p = w->p;

	p->count = w->count;
	if (!p->more)
		return;
	p->blocks = w->at.block + 1;
	for (uint32_t i = 0; i < p->blocks; i++)
		p->more->blocks[p->more->order[i]].count =
			i < w->at.block ? WEIR_PIECELIST_BLOCK : w->at.index;
}

/* All that touch; or, whether they do or not, two and two. */
static void join_neighbours(struct weir_piecelist *p, bool that_touch)
{
	struct weir_piecelist_at read = { 0, 0 };
	struct writer w = { .p = p };
	bool is_single = false;

	for (uint32_t left = p->count; left; left--) {
		struct weir_piece next = *weir_piecelist_get(p, read);
		struct weir_piece *last = last_of(&w);
		bool joins = last &&
			     (that_touch ? last->to == next.from : is_single);

		weir_piecelist_step(p, &read);
		if (joins)
			join_pieces(p, last, &next);
		else
			write_piece(&w, next);
		is_single = !joins;
	}
	end_writing(&w);
}

static void shrink(struct weir_piecelist *p)
{
	uint32_t before = p->count;

	join_neighbours(p, true);
	if (p->count > before / 2)
		join_neighbours(p, false);
}

/* --- changes ------------------------------------------------------------ */

/* Half of a block's pieces, or none behind the last, go to a new one. */
static bool split(struct weir_piecelist *p, struct weir_piecelist_at at)
{
	struct weir_piecelist_block *from, *to;
	bool is_end =
		at.block == p->blocks - 1 && at.index == WEIR_PIECELIST_BLOCK;

	if (!add_block(p, at.block))
		return false;
	from = &p->more->blocks[p->more->order[at.block]];
	to = &p->more->blocks[p->more->order[at.block + 1]];
	if (is_end)
		return true;
	to->count = from->count / 2;
	from->count -= to->count;
	memcpy(to->list, from->list + from->count,
	       to->count * sizeof(to->list[0]));
	return true;
}

static bool has_room(const struct weir_piecelist *p,
		     struct weir_piecelist_at at)
{
	uint32_t count;

	list_of(p, at.block, &count);
	return count < (p->more ? WEIR_PIECELIST_BLOCK : WEIR_PIECELIST_FEW);
}

/* Where a piece may be put in. */
static struct weir_piecelist_at open_gap(struct weir_piecelist *p,
					 uint64_t place)
{
	struct weir_piecelist_at at;

	while (at = weir_piecelist_find(p, place), !has_room(p, at))
		if (!(p->more ? split(p, at) : leave_few(p)))
			shrink(p);
	return at;
}

static void insert_at(struct weir_piecelist *p, struct weir_piecelist_at at,
		      const struct weir_piece *piece)
{
	uint32_t count;
	struct weir_piece *list = list_of(p, at.block, &count);

	memmove(list + at.index + 1, list + at.index,
		(count - at.index) * sizeof(*list));
	list[at.index] = *piece;
	p->count++;
	if (p->more)
		p->more->blocks[p->more->order[at.block]].count++;
}

void weir_piecelist_insert(struct weir_piecelist *p,
			   const struct weir_piece *piece)
{
	struct weir_piecelist_at at = open_gap(p, piece->from);
	struct weir_piece *there = weir_piecelist_get(p, at);

	if (!there || there->from > piece->from) {
		insert_at(p, at, piece);
		return;
	}
	/* It lies between two that were joined. */
	weir_digest_sum(&there->sum, &piece->sum);
	there->flags |= piece->flags;
}

void weir_piecelist_remove(struct weir_piecelist *p,
			   struct weir_piecelist_at *at)
{
	uint32_t count;
	struct weir_piece *list = list_of(p, at->block, &count);

	memmove(list + at->index, list + at->index + 1,
		(count - at->index - 1) * sizeof(*list));
	p->count--;
	if (!p->more)
		return;
	p->more->blocks[p->more->order[at->block]].count = --count;
	if (!count && p->blocks > 1)
		remove_block(p, at->block);
	else if (at->index == count && at->block + 1 < p->blocks)
		*at = (struct weir_piecelist_at){ at->block + 1, 0 };
}
