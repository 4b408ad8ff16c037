/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps rows of very many files in bounded memory. */
#include "analyse/sums/stock.h"

#include "analyse/sums/rowpack.h"
#include "base/grow.h"
#include "base/varint.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIVE	    1024u		 /* rows that are in use at a time */
#define LIVE_ROOM   (UINT64_C(32) << 10) /* entries of all of them */
#define KEPT_ROOM   8 /* entries that a place keeps for the next row */
#define IS_LIVE	    (UINT32_C(1) << 31)
#define NOBODY	    UINT64_MAX
#define LEAST_WASTE (UINT64_C(256) << 10)
#define NUMBER	    sizeof(uint32_t) /* what a packed row begins with */

struct weir_stock_place {
	uint32_t key;
	uint32_t at; /* where it is packed; or IS_LIVE and its number there */
};

struct weir_stock_live {
	struct weir_row row; /* of key NOBODY: free */
	uint32_t number;     /* among all rows */
};

static void free_live(struct weir_stock *stock)
{
	for (uint32_t i = 0; stock->live && i < LIVE; i++)
		weir_row_fini(&stock->live[i].row);
	free(stock->live);
	stock->live = NULL;
	stock->live_room = 0;
	stock->last = stock->last_room = stock->hand = 0;
	memset(stock->recent, 0, sizeof(stock->recent));
}

void weir_stock_fini(struct weir_stock *stock)
{
	free_live(stock);
	weir_row_fini(&stock->others);
	weir_bytes_fini(&stock->gone);
	weir_bytes_fini(&stock->packed);
	if (stock->scratch)
		weir_row_fini(stock->scratch);
	free(stock->scratch);
	free(stock->places);
	free(stock->index);
	*stock = (struct weir_stock){ .most = stock->most };
}

uint32_t weir_stock_key(const struct weir_stock *stock, size_t i)
{
	return stock->places[i].key;
}

/* --- by key ------------------------------------------------------------ */

/* All bits decide: which rows are together here follows from some. */
static size_t hash_of(uint32_t key)
{
	key = (key ^ key >> 16) * UINT32_C(0x85ebca6b);
	key = (key ^ key >> 13) * UINT32_C(0xc2b2ae35);
	return key ^ key >> 16;
}

/* Where the number of a row is, or is to be. */
static uint32_t *index_of(const struct weir_stock *stock, uint32_t key)
{
	size_t mask = stock->index_room - 1, i = hash_of(key) & mask;

	while (stock->index[i] && stock->places[stock->index[i] - 1].key != key)
		i = (i + 1) & mask;
	return &stock->index[i];
}

/* All rows anew, with room for more. */
static int make_index(struct weir_stock *stock)
{
	uint32_t *index;
	size_t room = 64;

	while (stock->count >= room / 4 * 3)
		room *= 2;
	index = calloc(room, sizeof(*index));
	if (!index)
		return -ENOMEM;
	free(stock->index);
	stock->index = index;
	stock->index_room = room;
	for (size_t i = 0; i < stock->count; i++)
		*index_of(stock, stock->places[i].key) = (uint32_t)i + 1;
	return 0;
}

/* Its number + 1; 0: none. */
static uint32_t find_slot(const struct weir_stock *stock, uint32_t key)
{
	return stock->index_room ? *index_of(stock, key) : 0;
}

static bool is_gone(const struct weir_stock *stock, uint32_t key)
{
	return key / 8 < stock->gone.used &&
	       stock->gone.data[key / 8] >> key % 8 & 1;
}

static int note_gone(struct weir_stock *stock, uint32_t key)
{
	struct weir_bytes *gone = &stock->gone;
	size_t need = key / 8 + (size_t)1;
	int err = 0;

	if (need > gone->used)
		err = weir_bytes_reserve(gone, need - gone->used);
	if (err)
		return err;
	if (need > gone->used) {
		memset(gone->data + gone->used, 0, need - gone->used);
		gone->used = need;
	}
	stock->folded += !is_gone(stock, key);
	gone->data[key / 8] |= (uint8_t)(1 << key % 8);
	return 0;
}

/* --- packed rows ------------------------------------------------------- */

/* A packed row: its number, a length, and so many bytes. */
static const uint8_t *packed_row(const struct weir_stock *stock, uint32_t at,
				 uint64_t *ret_len)
{
	const uint8_t *row = stock->packed.data + at + NUMBER;

	return row + weir_varint_get(row, WEIR_VARINT_MAX, ret_len);
}

static uint32_t row_end(const struct weir_stock *stock, uint32_t at)
{
	uint64_t len = 0;
	const uint8_t *row = packed_row(stock, at, &len);

	return (uint32_t)(row + len - stock->packed.data);
}

/*
 * Closes the gaps. Rows get the numbers that `renumbered` has, + 1, and those
 * that have none are left out; NULL: all are kept as they are.
 */
static void close_gaps(struct weir_stock *stock, const uint32_t *renumbered)
{
	uint8_t *data = stock->packed.data;
	uint32_t to = 0, next, number;

	for (uint32_t at = 0; at < stock->packed.used; at = next) {
		next = row_end(stock, at);
		memcpy(&number, data + at, NUMBER);
		if (number == UINT32_MAX)
			continue;
		if (renumbered && !renumbered[number])
			continue;
		if (renumbered)
			number = renumbered[number] - 1;
		memmove(data + to, data + at, next - at);
		memcpy(data + to, &number, NUMBER);
		stock->places[number].at = to;
		to += next - at;
	}
	stock->packed.used = to;
	stock->waste = 0;
}

/* The bytes at a place are nobody's any more. */
static void waste(struct weir_stock *stock, uint32_t at)
{
	const uint32_t nobody = UINT32_MAX;

	stock->waste += row_end(stock, at) - at;
	memcpy(stock->packed.data + at, &nobody, NUMBER);
}

static int grow_scratch(struct weir_stock *stock, uint32_t count)
{
	if (!stock->scratch)
		stock->scratch = calloc(1, sizeof(*stock->scratch));
	if (!stock->scratch)
		return -ENOMEM;
	if (count <= stock->scratch->room)
		return 0;
	if (WEIR_GROW_EXACTLY(stock->scratch->entries, count))
		return -ENOMEM;
	stock->scratch->room = count;
	return 0;
}

/* What is looked at later must not want memory then. */
static int pack_row(struct weir_stock *stock, struct weir_row *row,
		    uint32_t number)
{
	struct weir_bytes *to = &stock->packed;
	uint8_t head[NUMBER + WEIR_VARINT_MAX];
	size_t begin = to->used, len, head_len;
	int err = grow_scratch(stock, row->count);

	weir_row_sort(row);
	if (!stock->base)
		stock->base = row->first;
	err = err ? err : weir_rowpack_put(to, row, stock->base);
	err = err ? err : weir_bytes_reserve(to, sizeof(head));
	if (!err && to->used + sizeof(head) >= IS_LIVE)
		err = -ENOMEM;
	if (err) {
		to->used = begin;
		return err;
	}
	/* The length is known only now: the row makes way for it. */
	len = to->used - begin;
	memcpy(head, &number, NUMBER);
	head_len = NUMBER + weir_varint_put(head + NUMBER, len);
	memmove(to->data + begin + head_len, to->data + begin, len);
	memcpy(to->data + begin, head, head_len);
	to->used += head_len;
	stock->places[number].at = (uint32_t)begin;
	return 0;
}

/* --- rows in use ------------------------------------------------------- */

static int make_live(struct weir_stock *stock)
{
	stock->live = calloc(LIVE, sizeof(*stock->live));
	if (!stock->live)
		return -ENOMEM;
	for (uint32_t i = 0; i < LIVE; i++)
		stock->live[i].row.key = NOBODY;
	return 0;
}

/* Who got a row may have made it longer since. */
static void measure_last(struct weir_stock *stock)
{
	uint32_t room = stock->live ? stock->live[stock->last].row.room : 0;

	stock->live_room += room - stock->last_room;
	stock->last_room = room;
}

static struct weir_row *hand_out(struct weir_stock *stock, uint32_t slot)
{
	struct weir_row *row = &stock->live[slot].row;

	stock->last = slot;
	stock->last_room = row->room;
	stock->recent[row->key % WEIR_STOCK_RECENT] = slot + 1;
	return row;
}

/* Few entries are what most rows need: the next one may have them. */
static void clear_slot(struct weir_stock *stock, struct weir_row *row)
{
	struct weir_row empty = { .key = NOBODY };

	if (row->room <= KEPT_ROOM) {
		empty.entries = row->entries;
		empty.room = row->room;
	} else {
		stock->live_room -= row->room;
		free(row->entries);
	}
	*row = empty;
}

static int pack_slot(struct weir_stock *stock, uint32_t slot)
{
	struct weir_stock_live *live = &stock->live[slot];
	int err;

	if (live->row.key == NOBODY)
		return 0;
	err = pack_row(stock, &live->row, live->number);
	if (!err)
		clear_slot(stock, &live->row);
	return err;
}

/* A free place, and few enough entries in all others; 0 or -ENOMEM. */
static int free_slot(struct weir_stock *stock, uint32_t *ret_slot)
{
	int err = stock->live ? 0 : make_live(stock);

	for (uint32_t i = 0; !err && i < LIVE; i++) {
		*ret_slot = stock->hand;
		stock->hand = (stock->hand + 1) % LIVE;
		err = pack_slot(stock, *ret_slot);
		if (stock->live_room <= LIVE_ROOM)
			break;
	}
	/* Another one than this may be handed out next. */
	stock->last = *ret_slot;
	stock->last_room = err ? 0 : stock->live[*ret_slot].row.room;
	return err;
}

int weir_stock_settle(struct weir_stock *stock)
{
	int err = 0;

	for (uint32_t i = 0; !err && stock->live && i < LIVE; i++)
		err = pack_slot(stock, i);
	if (!err)
		free_live(stock);
	return err;
}

/* --- when there is no room for more ------------------------------------ */

/* What a row weighs in one of two ways. */
struct weight {
	uint64_t much;
	uint32_t number;
};

static int by_weight(const void *left, const void *right)
{
	const struct weight *a = left, *b = right;

	if (a->much != b->much)
		return a->much < b->much ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static uint64_t time_of(const struct weir_row *row)
{
	uint64_t time = row->own;

	for (uint32_t i = 0; !row->own && i < row->count; i++)
		time += row->entries[i].cell.time;
	return time;
}

static uint64_t bytes_of(const struct weir_row *row)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < row->count; i++)
		bytes += row->entries[i].cell.bytes;
	return bytes;
}

/* Marks those that have the most, a quarter of all; calls on no file stay. */
static void mark_most(struct weir_stock *stock, struct weight *weights,
		      uint64_t (*weigh)(const struct weir_row *row),
		      uint32_t *keep)
{
	for (size_t i = 0; i < stock->count; i++)
		weights[i] = (struct weight){
			stock->places[i].key ? weigh(weir_stock_at(stock, i)) :
					       UINT64_MAX, (uint32_t)i };
	qsort(weights, stock->count, sizeof(*weights), by_weight);
	for (size_t i = 0; i < (stock->count + 3) / 4; i++)
		keep[weights[i].number] = 1;
}

/* Adds up the rows without a mark; the others close ranks. */
static int fold(struct weir_stock *stock, uint32_t *keep)
{
	uint32_t kept = 0;
	int err = 0;

	for (size_t i = 0; !err && i < stock->count; i++) {
		if (keep[i]) {
			keep[i] = ++kept;
			continue;
		}
		err = note_gone(stock, stock->places[i].key);
		err = err ? err : weir_row_merge(&stock->others,
						 weir_stock_at(stock, i));
	}
	if (err)
		return err;
	for (size_t i = 0; i < stock->count; i++)
		if (keep[i])
			stock->places[keep[i] - 1] = stock->places[i];
	close_gaps(stock, keep);
	stock->count = kept;
	return make_index(stock);
}

/* Those that took most time are kept, and those of which most was moved. */
static int fold_least(struct weir_stock *stock)
{
	struct weight *weights = malloc(stock->count * sizeof(*weights));
	uint32_t *keep = calloc(stock->count, sizeof(*keep));
	int err = weights && keep ? weir_stock_settle(stock) : -ENOMEM;

	if (!err) {
		mark_most(stock, weights, time_of, keep);
		mark_most(stock, weights, bytes_of, keep);
		free(weights);
		weights = NULL;
		err = fold(stock, keep);
	}
	free(weights);
	free(keep);
	return err;
}

static uint64_t bytes_taken(const struct weir_stock *stock)
{
	return stock->packed.used +
	       stock->count * sizeof(*stock->places) +
	       stock->index_room * sizeof(*stock->index);
}

/* Before a row is packed: gaps are closed first. 0 or -ENOMEM. */
static int keep_within(struct weir_stock *stock)
{
	uint64_t most = stock->most ? stock->most : WEIR_STOCK_MOST;

	if (stock->waste >= LEAST_WASTE &&
	    stock->waste >= stock->packed.used / 4)
		close_gaps(stock, NULL);
	return bytes_taken(stock) > most && stock->count > 1 ?
		       fold_least(stock) : 0;
}

/* --- all together ------------------------------------------------------ */

static int add_place(struct weir_stock *stock, uint32_t key, uint32_t slot)
{
	int err = WEIR_GROW(stock->places, stock->count, stock->room);

	if (!err && stock->count >= stock->index_room / 4 * 3)
		err = make_index(stock);
	if (err)
		return err;
	*index_of(stock, key) = (uint32_t)stock->count + 1;
	stock->places[stock->count] =
		(struct weir_stock_place){ key, IS_LIVE | slot };
	stock->live[slot].number = (uint32_t)stock->count++;
	stock->live[slot].row.key = key;
	return 0;
}

/* From where it is packed to a place among those in use. */
static int unpack(struct weir_stock *stock, uint32_t number, uint32_t slot)
{
	struct weir_stock_live *live = &stock->live[slot];
	uint32_t at = stock->places[number].at, room = live->row.room;
	uint64_t len = 0;
	const uint8_t *data = packed_row(stock, at, &len);
	int err = weir_rowpack_get(data, len, stock->base, &live->row);

	stock->live_room += live->row.room - room;
	if (err)
		return err;
	live->row.key = stock->places[number].key;
	live->number = number;
	waste(stock, at);
	stock->places[number].at = IS_LIVE | slot;
	return 0;
}

struct weir_row *weir_stock_row(struct weir_stock *stock, uint32_t key)
{
	uint32_t slot = stock->recent[key % WEIR_STOCK_RECENT], number;
	int err;

	measure_last(stock);
	/* The same few are asked for again and again. */
	if (slot && stock->live[slot - 1].row.key == key)
		return hand_out(stock, slot - 1);
	number = find_slot(stock, key);
	if (number && stock->places[number - 1].at & IS_LIVE)
		return hand_out(stock, stock->places[number - 1].at & ~IS_LIVE);
	if (keep_within(stock))
		return NULL;
	if (is_gone(stock, key))
		return &stock->others;
	number = find_slot(stock, key);
	err = free_slot(stock, &slot);
	if (!err)
		err = number ? unpack(stock, number - 1, slot) :
			       add_place(stock, key, slot);
	return err ? NULL : hand_out(stock, slot);
}

/* Of what was packed by us, nothing can be wrong. */
const struct weir_row *weir_stock_at(const struct weir_stock *stock, size_t i)
{
	uint32_t at = stock->places[i].at;
	uint64_t len = 0;
	const uint8_t *data;

	if (at & IS_LIVE)
		return &stock->live[at & ~IS_LIVE].row;
	data = packed_row(stock, at, &len);
	weir_rowpack_get(data, len, stock->base, stock->scratch);
	stock->scratch->key = stock->places[i].key;
	return stock->scratch;
}

const struct weir_row *weir_stock_find(const struct weir_stock *stock,
				       uint32_t key)
{
	uint32_t number = find_slot(stock, key);

	return number ? weir_stock_at(stock, number - 1) : NULL;
}

size_t weir_stock_files(const struct weir_stock *stock)
{
	return stock->count - (find_slot(stock, 0) != 0);
}

static int merge_row(struct weir_stock *to, const struct weir_row *from)
{
	struct weir_row *row = weir_stock_row(to, (uint32_t)from->key);

	if (!row)
		return -ENOMEM;
	row->processes += from->processes;
	return weir_row_merge(row, from);
}

/* What one has added up has no row in the other either: it would be a part. */
static int add_gone(struct weir_stock *to, const struct weir_stock *from)
{
	uint32_t *keep = malloc((to->count + 1) * sizeof(*keep));
	int some = 0, err = keep ? weir_stock_settle(to) : -ENOMEM;

	for (size_t i = 0; !err && i < to->count; i++) {
		keep[i] = !is_gone(from, to->places[i].key);
		some |= !keep[i];
	}
	if (!err && some)
		err = fold(to, keep);
	for (size_t i = 0; !err && i < from->gone.used * 8; i++)
		if (is_gone(from, (uint32_t)i))
			err = note_gone(to, (uint32_t)i);
	free(keep);
	return err ? err : weir_row_merge(&to->others, &from->others);
}

int weir_stock_merge(struct weir_stock *to, struct weir_stock *from)
{
	int err = weir_stock_settle(from);

	if (!err && from->folded)
		err = add_gone(to, from);
	for (size_t i = 0; !err && i < from->count; i++)
		err = merge_row(to, weir_stock_at(from, i));
	weir_stock_fini(from);
	return err;
}
