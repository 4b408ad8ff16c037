/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the byte ranges of a file that were touched, in bounded memory. */
#include "analyse/facts/extents.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_extents_fini(struct weir_extents *extents)
{
	free(extents->list);
	*extents = (struct weir_extents){ 0 };
}

/* The first that does not end before `from`. */
static uint32_t find_extent(const struct weir_extents *extents, uint64_t from)
{
	uint32_t low = 0, high = extents->count, at = extents->recent;

	/* Most accesses go on where the last one ended. */
	if (at < high && extents->list[at].from <= from) {
		if (from <= extents->list[at].to)
			return at;
		low = at + 1;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (extents->list[middle].to < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int by_size(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Joins what has the smaller half of the gaps between. */
static void squeeze(struct weir_extents *extents)
{
	uint64_t gaps[WEIR_EXTENTS_MOST];
	uint32_t kept = 0, joins = extents->count / 2;
	uint64_t limit;

	for (uint32_t i = 1; i < extents->count; i++)
		gaps[i - 1] = extents->list[i].from - extents->list[i - 1].to;
	qsort(gaps, extents->count - 1, sizeof(*gaps), by_size);
	limit = gaps[joins - 1];
	for (uint32_t i = 1; i < extents->count; i++) {
		struct weir_extent *last = &extents->list[kept];
		uint64_t gap = extents->list[i].from - last->to;

		if (gap <= limit && joins) {
			joins--;
			extents->filled += gap;
			last->to = extents->list[i].to;
		} else {
			extents->list[++kept] = extents->list[i];
		}
	}
	extents->count = kept + 1;
	extents->recent = 0;
}

/* Files have few of them, and there are many files: room for two first. */
static int grow_extents(struct weir_extents *extents)
{
	uint32_t room = extents->room ? extents->room * 2 : 2;

	if (extents->count < extents->room)
		return 0;
	if (WEIR_GROW_EXACTLY(extents->list, room))
		return -ENOMEM;
	extents->room = room;
	return 0;
}

/* The extent at `at` may have reached those behind it. */
static void swallow(struct weir_extents *extents, uint32_t at)
{
	struct weir_extent *grown = &extents->list[at];
	uint32_t end = at + 1;

	while (end < extents->count && extents->list[end].from <= grown->to) {
		if (extents->list[end].to > grown->to)
			grown->to = extents->list[end].to;
		end++;
	}
	if (end == at + 1)
		return;
	memmove(grown + 1, extents->list + end,
		(extents->count - end) * sizeof(*grown));
	extents->count -= end - at - 1;
}

static int insert(struct weir_extents *extents, uint32_t at, uint64_t from,
		  uint64_t to)
{
	int err = grow_extents(extents);

	if (err)
		return err;
	memmove(extents->list + at + 1, extents->list + at,
		(extents->count - at) * sizeof(*extents->list));
	extents->list[at] = (struct weir_extent){ from, to };
	extents->count++;
	return 0;
}

int weir_extents_add(struct weir_extents *extents, uint64_t from, uint64_t to)
{
	uint32_t at;

	if (from >= to)
		return 0;
	if (extents->count == WEIR_EXTENTS_MOST)
		squeeze(extents);
	at = find_extent(extents, from);
	extents->recent = at;
	if (at == extents->count || to < extents->list[at].from)
		return insert(extents, at, from, to);
	if (from < extents->list[at].from)
		extents->list[at].from = from;
	if (to > extents->list[at].to) {
		extents->list[at].to = to;
		swallow(extents, at);
	}
	return 0;
}

int weir_extents_merge(struct weir_extents *to,
		       const struct weir_extents *from)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < from->count; i++)
		err = weir_extents_add(to, from->list[i].from,
				       from->list[i].to);
	to->filled += from->filled;
	return err;
}

uint64_t weir_extents_bytes(const struct weir_extents *extents)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < extents->count; i++)
		bytes += extents->list[i].to - extents->list[i].from;
	return bytes;
}

uint64_t weir_extents_common(const struct weir_extents *a,
			     const struct weir_extents *b)
{
	uint64_t bytes = 0;
	uint32_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		struct weir_extent x = a->list[i], y = b->list[k];
		uint64_t from = x.from > y.from ? x.from : y.from;
		uint64_t to = x.to < y.to ? x.to : y.to;

		if (from < to)
			bytes += to - from;
		if (x.to < y.to)
			i++;
		else
			k++;
	}
	return bytes;
}
