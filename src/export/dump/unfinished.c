/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps calls that have begun in the order of their ends. */
#include "export/dump/unfinished.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 20)

static size_t bytes_of(const struct weir_unfinished_call *one)
{
	return sizeof(*one) + one->event.detail_len;
}

void weir_unfinished_fini(struct weir_unfinished *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->heap[i]);
	free(all->heap);
}

static int comes_before(const struct weir_unfinished_call *a,
			const struct weir_unfinished_call *b)
{
	if (a->end != b->end)
		return a->end < b->end;
	if (a->event.depth != b->event.depth)
		return a->event.depth > b->event.depth;
	return a->number < b->number;
}

static void swap(struct weir_unfinished_call **a,
		 struct weir_unfinished_call **b)
{
	struct weir_unfinished_call *one = *a;

	*a = *b;
	*b = one;
}

static void sift_up(struct weir_unfinished_call **heap, size_t at)
{
	while (at && comes_before(heap[at], heap[(at - 1) / 2])) {
		swap(&heap[at], &heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
}

static void sift_down(struct weir_unfinished_call **heap, size_t count)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count &&
		    comes_before(heap[child + 1], heap[child]))
			child++;
		if (comes_before(heap[at], heap[child]))
			return;
		swap(&heap[at], &heap[child]);
		at = child;
	}
}

int weir_unfinished_add(struct weir_unfinished *all, uint64_t end,
			const struct weir_event *event,
			const struct weir_call *call)
{
	struct weir_unfinished_call *one;

	if (WEIR_GROW(all->heap, all->count, all->room))
		return -ENOMEM;
	one = malloc(sizeof(*one) + event->detail_len);
	if (!one)
		return -ENOMEM;
	*one = (struct weir_unfinished_call){
		.end = end,
		.number = all->number++,
		.call = call,
		.event = *event,
	};
	if (event->detail_len)
		memcpy(one + 1, event->detail, event->detail_len);
	one->event.detail = (const uint8_t *)(one + 1);
	all->bytes += bytes_of(one);
	all->heap[all->count] = one;
	sift_up(all->heap, all->count++);
	return 0;
}

const struct weir_unfinished_call *
weir_unfinished_first(const struct weir_unfinished *all)
{
	return all->count ? all->heap[0] : NULL;
}

void weir_unfinished_drop(struct weir_unfinished *all)
{
	if (!all->count)
		return;
	all->bytes -= bytes_of(all->heap[0]);
	free(all->heap[0]);
	all->heap[0] = all->heap[--all->count];
	sift_down(all->heap, all->count);
}

int weir_unfinished_is_full(const struct weir_unfinished *all)
{
	return all->bytes > MOST_BYTES;
}
