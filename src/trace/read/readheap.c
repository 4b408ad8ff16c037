/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the cursors read side by side, the earliest event at the top. */
#include "trace/read/readheap.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

void weir_readheap_fini(struct weir_readheap *heap,
			struct weir_cursor_bench *bench)
{
	for (uint32_t i = 0; i < heap->cursors; i++) {
		weir_cursor_stop(heap->places[i].cursor, bench);
		free(heap->places[i].cursor);
	}
	free(heap->places);
}

void weir_readheap_clear(struct weir_readheap *heap,
			 struct weir_cursor_bench *bench)
{
	while (heap->count)
		weir_cursor_stop(heap->places[--heap->count].cursor, bench);
}

/* Order in which events are handed out; never equal for two of them. */
static int comes_before(const struct weir_readheap_place *a,
			const struct weir_readheap_place *b)
{
	const struct weir_event *left, *right;

	if (a->key != b->key)
		return a->key < b->key;
	left = weir_cursor_event(a->cursor);
	right = weir_cursor_event(b->cursor);
	if (left->proc != right->proc)
		return left->proc < right->proc;
	if (left->thread != right->thread)
		return left->thread < right->thread;
	if (left->depth != right->depth)
		return left->depth < right->depth;
	return left->index < right->index;
}

static void swap(struct weir_readheap_place *places, uint32_t a, uint32_t b)
{
	struct weir_readheap_place place = places[a];

	places[a] = places[b];
	places[b] = place;
}

static void sift_up(struct weir_readheap_place *places, uint32_t at)
{
	while (at && comes_before(&places[at], &places[(at - 1) / 2])) {
		swap(places, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void sift_down(struct weir_readheap_place *places, uint32_t count)
{
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count &&
		    comes_before(&places[child + 1], &places[child]))
			child++;
		if (comes_before(&places[at], &places[child]))
			return;
		swap(places, at, child);
		at = child;
	}
}

int weir_readheap_borrow(struct weir_readheap *heap,
			 struct weir_cursor **ret_cursor)
{
	if (heap->count == heap->cursors) {
		struct weir_cursor *cursor = NULL;

		if (!WEIR_GROW(heap->places, heap->cursors, heap->room))
			cursor = calloc(1, sizeof(*cursor));
		if (!cursor)
			return -ENOMEM;
		heap->places[heap->cursors++].cursor = cursor;
	}
	*ret_cursor = heap->places[heap->count].cursor;
	return 0;
}

void weir_readheap_put(struct weir_readheap *heap)
{
	struct weir_readheap_place *place = &heap->places[heap->count];

	place->key = place->cursor->key;
	sift_up(heap->places, heap->count++);
}

void weir_readheap_settle(struct weir_readheap *heap, int ended)
{
	heap->places[0].key = heap->places[0].cursor->key;
	if (ended)
		swap(heap->places, 0, --heap->count);
	sift_down(heap->places, heap->count);
}
