/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths by which calls are made: call below call below call. */
#include "analyse/page/callpaths.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

#define NONE WEIR_CALLPATHS_NONE

void weir_callpaths_fini(struct weir_callpaths *paths)
{
	free(paths->nodes);
	weir_map_fini(&paths->index);
	*paths = (struct weir_callpaths){0};
}

static uint64_t path_key(uint32_t above, uint32_t call)
{
	return (uint64_t)(above + 1) << 32 | call;
}

static int add_node(struct weir_callpaths *paths, uint32_t above, uint32_t call,
		    uint32_t *ret_node)
{
	if (WEIR_GROW(paths->nodes, paths->count, paths->room))
		return -ENOMEM;
	if (weir_map_put(&paths->index, path_key(above, call),
			 (uint64_t)paths->count + 1))
		return -ENOMEM;
	paths->nodes[paths->count] = (struct weir_callpath){
		.above = above,
		.call = call,
		.depth = above == NONE ? 0 : paths->nodes[above].depth + 1,
	};
	*ret_node = paths->count++;
	return 0;
}

int weir_callpaths_get(struct weir_callpaths *paths, uint32_t above,
		       uint32_t call, uint32_t *ret_node)
{
	uint64_t at = weir_map_get(&paths->index, path_key(above, call));

	/* What others call is theirs; nothing stands below them. */
	if (above != NONE &&
	    paths->nodes[above].call == WEIR_CALLPATHS_OTHERS) {
		*ret_node = above;
		return 0;
	}
	if (!at && paths->count >= WEIR_CALLPATHS_MOST &&
	    call != WEIR_CALLPATHS_OTHERS) {
		call = WEIR_CALLPATHS_OTHERS;
		at = weir_map_get(&paths->index, path_key(above, call));
	}
	if (!at)
		return add_node(paths, above, call, ret_node);
	*ret_node = (uint32_t)at - 1;
	return 0;
}

int weir_callpaths_merge(struct weir_callpaths *to,
			 const struct weir_callpaths *from,
			 uint32_t **ret_numbers)
{
	uint32_t *numbers = calloc((size_t)from->count + 1, sizeof(*numbers));
	int err = numbers ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < from->count; i++) {
		const struct weir_callpath *node = &from->nodes[i];
		uint32_t above =
			node->above == NONE ? NONE : numbers[node->above];

		err = weir_callpaths_get(to, above, node->call, &numbers[i]);
		if (!err)
			to->nodes[numbers[i]].time += node->time;
	}
	if (err)
		free(numbers);
	else
		*ret_numbers = numbers;
	return err;
}

/* Siblings by their call: who came first must not show. */
static int by_place(const void *left, const void *right, void *context)
{
	const struct weir_callpaths *paths = context;
	const struct weir_callpath *a = &paths->nodes[*(const uint32_t *)left];
	const struct weir_callpath *b = &paths->nodes[*(const uint32_t *)right];

	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->above != b->above && a->above != NONE && b->above != NONE)
		return by_place(&a->above, &b->above, context);
	return (a->call > b->call) - (a->call < b->call);
}

/* The longest first. */
static int by_time(const void *left, const void *right, void *context)
{
	const struct weir_callpaths *paths = context;
	const struct weir_callpath *a = &paths->nodes[*(const uint32_t *)left];
	const struct weir_callpath *b = &paths->nodes[*(const uint32_t *)right];

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return by_place(left, right, context);
}

/* With all above it, if there is room for all of them. */
static void choose_one(const struct weir_callpaths *from, uint32_t node,
		       uint32_t most, uint8_t *chosen, uint32_t *count)
{
	uint32_t need = 0;

	for (uint32_t i = node; i != NONE && !chosen[i];
	     i = from->nodes[i].above)
		need++;
	if (*count + need > most)
		return;
	*count += need;
	for (uint32_t i = node; i != NONE && !chosen[i];
	     i = from->nodes[i].above)
		chosen[i] = 1;
}

static int mark_chosen(const struct weir_callpaths *from, uint32_t most,
		       uint8_t *chosen)
{
	uint32_t *order = calloc((size_t)from->count + 1, sizeof(*order));
	uint32_t count = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < from->count; i++)
		order[i] = i;
	qsort_r(order, from->count, sizeof(*order), by_time,
		(void *)(uintptr_t)from);
	for (uint32_t i = 0; i < from->count; i++)
		choose_one(from, order[i], most, chosen, &count);
	free(order);
	return 0;
}

static int copy_nodes(const struct weir_callpaths *from, const uint32_t *order,
		      const uint8_t *chosen, struct weir_callpaths *to,
		      uint32_t *numbers)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < from->count; i++) {
		const struct weir_callpath *node = &from->nodes[order[i]];
		uint32_t above =
			node->above == NONE ? NONE : numbers[node->above];

		err = weir_callpaths_get(
			to, above,
			chosen[order[i]] ? node->call : WEIR_CALLPATHS_OTHERS,
			&numbers[order[i]]);
		if (!err)
			to->nodes[numbers[order[i]]].time += node->time;
	}
	return err;
}

int64_t weir_callpaths_choose(const struct weir_callpaths *from, uint32_t most,
			      struct weir_callpaths *ret_chosen,
			      uint32_t **ret_numbers)
{
	size_t room = (size_t)from->count + 1;
	uint32_t *numbers = calloc(room, sizeof(*numbers));
	uint32_t *order = calloc(room, sizeof(*order));
	uint8_t *chosen = calloc(room, 1);
	int64_t joined = 0;
	int err = numbers && order && chosen ? 0 : -ENOMEM;

	*ret_chosen = (struct weir_callpaths){0};
	for (uint32_t i = 0; !err && i < from->count; i++)
		order[i] = i;
	/* Half the room is left for those that stand for others. */
	err = err ? err
		  : mark_chosen(from, from->count <= most ? most : most / 2,
				chosen);
	if (!err) {
		qsort_r(order, from->count, sizeof(*order), by_place,
			(void *)(uintptr_t)from);
		err = copy_nodes(from, order, chosen, ret_chosen, numbers);
	}
	for (uint32_t i = 0; !err && i < from->count; i++)
		joined += !chosen[i];
	free(order);
	free(chosen);
	if (err) {
		free(numbers);
		weir_callpaths_fini(ret_chosen);
		return err;
	}
	*ret_numbers = numbers;
	return joined;
}
