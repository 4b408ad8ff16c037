/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses some calls of a trace, each with all calls that caused it. */
#include "analyse/page/sample.h"

#include "analyse/facts/witness.h"
#include "base/grow.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_INDEX   UINT64_MAX
#define MOST_ABOVE 1024 /* calls; depths of a thread end at 255 */

/* The slowest of a call on a file, and what is above it, outermost last. */
struct weir_sample_slow {
	uint64_t key;
	struct weir_exemplar *chain;
	uint32_t count;
};

void weir_sample_fini(struct weir_sample *sample)
{
	for (size_t i = 0; i < sample->slow_count; i++)
		free(sample->slow[i].chain);
	free(sample->slow);
	weir_map_fini(&sample->slow_index);
	free(sample->shown.list);
	free(sample->even.list);
	*sample = (struct weir_sample){0};
}

void weir_sample_plan(struct weir_sample *sample, uint64_t calls)
{
	sample->bound = UINT64_MAX;
	sample->below = UINT32_MAX;
	if (calls <= WEIR_SAMPLE_MOST)
		return;
	sample->bound = UINT64_MAX / calls * WEIR_SAMPLE_EVEN;
	sample->below = WEIR_SAMPLE_BELOW;
}

static int takes_all(const struct weir_sample *sample)
{
	return sample->below == UINT32_MAX;
}

struct weir_sample_open *weir_sample_open(struct weir_sample_open *above)
{
	struct weir_sample_open *open = calloc(1, sizeof(*open));

	if (!open)
		return NULL;
	open->refs = 1;
	open->above = above;
	open->top = above ? above->top : open;
	open->it.key = UINT64_MAX;
	if (above)
		above->refs++;
	return open;
}

/* A call below may be open for longer, where a trace is damaged. */
void weir_sample_close(struct weir_sample_open *open)
{
	while (open && !--open->refs) {
		struct weir_sample_open *above = open->above;

		free(open);
		open = above;
	}
}

static int add_exemplar(struct weir_sample_list *list,
			const struct weir_exemplar *one, uint8_t why)
{
	if (WEIR_GROW(list->list, list->count, list->room))
		return -ENOMEM;
	list->list[list->count] = *one;
	list->list[list->count++].why = why;
	return 0;
}

static int by_id(const void *left, const void *right)
{
	const struct weir_exemplar *one = left, *other = right;
	const struct weir_tree_id *a = &one->id, *b = &other->id;

	if (a->proc != b->proc)
		return a->proc < b->proc ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Each call once, with all reasons why it is there, and the best key. */
static void join_equals(struct weir_sample_list *list)
{
	size_t kept = 0;

	if (!list->count)
		return;
	qsort(list->list, list->count, sizeof(*list->list), by_id);
	for (size_t i = 1; i < list->count; i++) {
		struct weir_exemplar *known = &list->list[kept];

		if (by_id(known, &list->list[i])) {
			list->list[++kept] = list->list[i];
			continue;
		}
		known->why |= list->list[i].why;
		if (known->key > list->list[i].key)
			known->key = list->list[i].key;
	}
	list->count = kept + 1;
}

static int by_key(const void *left, const void *right)
{
	const struct weir_exemplar *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

/*
 * The lowest keys, as long as there is room. What is above a call never has a
 * higher one, so nothing is left without its causes. The highest that is left.
 */
static uint64_t cut_even(struct weir_sample_list *even, size_t most)
{
	size_t keep = most;

	join_equals(even);
	if (even->count <= most)
		return UINT64_MAX;
	qsort(even->list, even->count, sizeof(*even->list), by_key);
	while (keep && even->list[keep - 1].key == even->list[keep].key)
		keep--;
	even->count = keep;
	return keep ? even->list[keep - 1].key : 0;
}

/* Like others of its call and file, but slower. */
static int is_slower(const struct weir_exemplar *known,
		     const struct weir_exemplar *other)
{
	const struct weir_witness a = {known->id.proc, known->id.thread,
				       known->id.index, known->dur};
	const struct weir_witness b = {other->id.proc, other->id.thread,
				       other->id.index, other->dur};

	return weir_witness_is_better(&a, &b);
}

static uint64_t key_of_kind(const struct weir_exemplar *one)
{
	return (uint64_t)one->call << 32 | one->file;
}

static struct weir_sample_slow *slow_of(struct weir_sample *sample,
					uint64_t key)
{
	uint64_t at = weir_map_get(&sample->slow_index, key);

	if (at)
		return &sample->slow[at - 1];
	if (WEIR_GROW(sample->slow, sample->slow_count, sample->slow_room))
		return NULL;
	if (weir_map_put(&sample->slow_index, key, sample->slow_count + 1))
		return NULL;
	sample->slow[sample->slow_count] =
		(struct weir_sample_slow){.key = key};
	return &sample->slow[sample->slow_count++];
}

static int take_slow(struct weir_sample *sample,
		     const struct weir_sample_open *open)
{
	struct weir_sample_slow *slow = slow_of(sample, key_of_kind(&open->it));
	const struct weir_sample_open *up = open;
	uint32_t count = 0;

	if (!slow)
		return -ENOMEM;
	if (slow->count && !is_slower(&slow->chain[0], &open->it))
		return 0;
	for (; up; up = up->above)
		count++;
	if (count > slow->count && WEIR_GROW_EXACTLY(slow->chain, count))
		return -ENOMEM;
	slow->count = 0;
	for (up = open; up; up = up->above)
		slow->chain[slow->count++] = up->it;
	return 0;
}

/* The nearest above that has room for it among what shows a finding. */
static struct weir_sample_open *find_shown(struct weir_sample_open *open)
{
	if (!open->above || !open->above->is_shown)
		return NULL;
	for (struct weir_sample_open *up = open->above; up; up = up->above)
		if (up->left_shown)
			return up;
	return NULL;
}

static int take_shown(struct weir_sample *sample, struct weir_sample_open *open,
		      int is_evidence)
{
	struct weir_sample_open *under = find_shown(open), *up;
	int err;

	if (!is_evidence && !under)
		return 0;
	open->is_shown = 1;
	err = add_exemplar(&sample->shown, &open->it, WEIR_SAMPLE_SHOWS);
	if (!is_evidence)
		under->left_shown--;
	if (err || !is_evidence)
		return err;
	open->left_shown = sample->below;
	/* The even part may be cut: what shows something stays whole. */
	for (up = open->above; !err && up; up = up->above)
		err = add_exemplar(&sample->shown, &up->it, WEIR_SAMPLE_CAUSES);
	return err;
}

/* A call of the even part, with all above that are not there as surely. */
static int add_with_causes(struct weir_sample *sample,
			   struct weir_sample_open *open, uint64_t key,
			   uint8_t why)
{
	int err = 0;

	for (struct weir_sample_open *up = open; !err && up; up = up->above) {
		if (up != open && up->it.key <= key)
			continue;
		up->it.key = key;
		err = add_exemplar(&sample->even, &up->it, why);
		why = WEIR_SAMPLE_CAUSES;
	}
	return err;
}

static uint64_t hash_id(const struct weir_tree_id *id)
{
	uint64_t parts[] = {id->proc, id->thread, id->index};

	return weir_hash_numbers(parts, sizeof(parts));
}

/* By chance, or because one that was taken by chance caused it. */
static int take_even(struct weir_sample *sample, struct weir_sample_open *open)
{
	uint64_t key = takes_all(sample) ? 0 : hash_id(&open->it.id);
	struct weir_sample_open *top = open->top;
	uint64_t limit;
	int err = 0;

	if (key <= sample->bound) {
		open->left_even = open == top ? sample->below : 0;
		err = add_with_causes(sample, open, key, WEIR_SAMPLE_CHANCE);
	} else if (top->left_even) {
		top->left_even--;
		err = add_with_causes(sample, open, hash_id(&top->it.id),
				      WEIR_SAMPLE_PART);
	}
	if (err || takes_all(sample) ||
	    sample->even.count < 4 * WEIR_SAMPLE_MOST)
		return err;
	/* No higher key will be among them any more. */
	limit = cut_even(&sample->even, WEIR_SAMPLE_MOST);
	sample->bound = limit < sample->bound ? limit : sample->bound;
	return 0;
}

int weir_sample_take(struct weir_sample *sample, struct weir_sample_open *open,
		     int is_evidence)
{
	int err = take_even(sample, open);

	if (!err && !takes_all(sample)) {
		err = take_shown(sample, open, is_evidence);
		err = err ? err : take_slow(sample, open);
	} else if (!err && is_evidence) {
		err = add_exemplar(&sample->shown, &open->it,
				   WEIR_SAMPLE_SHOWS);
	}
	return err;
}

static void renumber_sites(struct weir_exemplar *list, size_t count,
			   uint32_t by)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].site != WEIR_SAMPLE_NONE)
			list[i].site += by;
}

static int merge_slow(struct weir_sample *to,
		      const struct weir_sample_slow *from, uint32_t sites)
{
	struct weir_sample_slow *slow = slow_of(to, from->key);
	size_t bytes = from->count * sizeof(*from->chain);
	struct weir_exemplar *chain;

	if (!slow)
		return -ENOMEM;
	if (slow->count && !is_slower(&slow->chain[0], &from->chain[0]))
		return 0;
	chain = malloc(bytes);
	if (!chain)
		return -ENOMEM;
	memcpy(chain, from->chain, bytes);
	renumber_sites(chain, from->count, sites);
	free(slow->chain);
	slow->chain = chain;
	slow->count = from->count;
	return 0;
}

static int merge_list(struct weir_sample_list *to,
		      const struct weir_sample_list *from, uint32_t sites)
{
	size_t before = to->count;
	int err = 0;

	for (size_t i = 0; !err && i < from->count; i++)
		err = add_exemplar(to, &from->list[i], from->list[i].why);
	if (to->count > before)
		renumber_sites(to->list + before, to->count - before, sites);
	return err;
}

int weir_sample_merge(struct weir_sample *to, const struct weir_sample *from,
		      uint32_t sites)
{
	int err = merge_list(&to->shown, &from->shown, sites);

	err = err ? err : merge_list(&to->even, &from->even, sites);
	for (size_t i = 0; !err && i < from->slow_count; i++)
		err = merge_slow(to, &from->slow[i], sites);
	return err;
}

static int by_slowness(const void *left, const void *right)
{
	const struct weir_sample_slow *const *a = left, *const *b = right;

	return is_slower(&(*a)->chain[0], &(*b)->chain[0]) ? 1 : -1;
}

static int add_slow(const struct weir_sample *sample,
		    struct weir_sample_list *to)
{
	const struct weir_sample_slow **sorted =
		calloc(sample->slow_count + 1, sizeof(void *));
	size_t room = WEIR_SAMPLE_SLOW;
	int err = sorted ? 0 : -ENOMEM;

	if (to->count + room > WEIR_SAMPLE_MOST)
		room = to->count < WEIR_SAMPLE_MOST
			       ? WEIR_SAMPLE_MOST - to->count
			       : 0;
	for (size_t i = 0; !err && i < sample->slow_count; i++)
		sorted[i] = &sample->slow[i];
	if (!err)
		qsort(sorted, sample->slow_count, sizeof(void *), by_slowness);
	for (size_t i = 0; !err && i < sample->slow_count; i++) {
		const struct weir_sample_slow *slow = sorted[i];

		if (slow->count > room)
			break;
		room -= slow->count;
		for (uint32_t k = 0; !err && k < slow->count; k++)
			err = add_exemplar(to, &slow->chain[k],
					   k ? WEIR_SAMPLE_CAUSES
					     : WEIR_SAMPLE_IS_SLOW);
	}
	free(sorted);
	return err;
}

/* The even part, while there is room whatever they share. */
static int add_even(const struct weir_sample *sample,
		    struct weir_sample_list *to)
{
	struct weir_sample_list even = {0};
	size_t room =
		to->count < WEIR_SAMPLE_MOST ? WEIR_SAMPLE_MOST - to->count : 0;
	uint64_t limit = UINT64_MAX;
	int err = 0;

	for (size_t i = 0; !err && i < sample->even.count; i++)
		err = add_exemplar(&even, &sample->even.list[i],
				   sample->even.list[i].why);
	if (!err && !takes_all(sample))
		limit = cut_even(&even, room);
	for (size_t i = 0; !err && i < even.count; i++) {
		struct weir_exemplar *one = &even.list[i];

		/* It was not for that: it would not be here without others. */
		if (!takes_all(sample) && hash_id(&one->id) > limit)
			one->why &= (uint8_t)~WEIR_SAMPLE_CHANCE;
		err = add_exemplar(to, one, one->why);
	}
	free(even.list);
	return err;
}

/* Callers before what they call. */
static int by_start(const void *left, const void *right)
{
	const struct weir_exemplar *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->id.proc != b->id.proc || a->id.thread != b->id.thread)
		return by_id(left, right);
	return (a->id.index < b->id.index) - (a->id.index > b->id.index);
}

static uint64_t key_of_id(const struct weir_exemplar *one, uint64_t index)
{
	const struct weir_tree_id id = {one->id.proc, one->id.thread, index};

	return hash_id(&id);
}

/* The caller; else the call of another process that it is done for. */
static uint64_t find_parent(const struct weir_map *index,
			    const struct weir_map *causes,
			    const struct weir_exemplar *one)
{
	if (one->above != NO_INDEX)
		return weir_map_get(index, key_of_id(one, one->above));
	return one->cause ? weir_map_get(causes, one->cause) : 0;
}

/* Numbers of causes are others' words: they may go round in circles. */
static void part_circles(struct weir_sample_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		uint32_t up = list->list[i].parent;
		unsigned steps = 0;

		while (up != WEIR_SAMPLE_NONE && steps++ < MOST_ABOVE)
			up = list->list[up].parent;
		if (up != WEIR_SAMPLE_NONE && list->list[i].cause)
			list->list[i].parent = WEIR_SAMPLE_NONE;
	}
}

static int find_parents(struct weir_sample_list *list)
{
	struct weir_map index = {0}, causes = {0};
	int err = 0;

	for (size_t i = 0; !err && i < list->count; i++) {
		struct weir_exemplar *one = &list->list[i];

		err = weir_map_put(&index, key_of_id(one, one->id.index),
				   i + 1);
		if (!err && one->cid)
			err = weir_map_put(&causes, one->cid, i + 1);
		/* What is done for several stands below the first. */
		if (!err && one->batch && !weir_map_get(&causes, one->batch))
			err = weir_map_put(&causes, one->batch, i + 1);
	}
	for (size_t i = 0; !err && i < list->count; i++) {
		struct weir_exemplar *one = &list->list[i];
		uint64_t at = find_parent(&index, &causes, one);

		one->parent = at ? (uint32_t)at - 1 : WEIR_SAMPLE_NONE;
	}
	weir_map_fini(&index);
	weir_map_fini(&causes);
	part_circles(list);
	return err;
}

int weir_sample_choose(const struct weir_sample *sample,
		       struct weir_exemplar **ret_list, uint32_t *ret_count)
{
	struct weir_sample_list all = {0};
	int err = 0;

	for (size_t i = 0; !err && i < sample->shown.count; i++)
		err = add_exemplar(&all, &sample->shown.list[i],
				   sample->shown.list[i].why);
	join_equals(&all);
	err = err ? err : add_slow(sample, &all);
	join_equals(&all);
	err = err ? err : add_even(sample, &all);
	join_equals(&all);
	if (!err && all.count)
		qsort(all.list, all.count, sizeof(*all.list), by_start);
	err = err ? err : find_parents(&all);
	if (err) {
		free(all.list);
		return err;
	}
	*ret_list = all.list;
	*ret_count = (uint32_t)all.count;
	return 0;
}
