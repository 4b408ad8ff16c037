/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges parts of an overview into one. */
#include "analyse/page/overviewmerge.h"

#include "base/grow.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

/* The parts of keys that are numbers of one worker's, in those of all. */
static int merge_numbered(struct weir_cube *to, const struct weir_cube *from,
			  unsigned shift, const uint32_t *numbers)
{
	uint64_t low = (UINT64_C(1) << shift) - 1;
	int err = 0;

	while (!err && (to->folds < from->folds || to->joined < from->joined))
		err = weir_cube_fold(to);
	for (uint32_t i = 0; !err && i < from->count; i++) {
		uint64_t rest = weir_cube_rest(&from->rows[i]);

		rest = (uint64_t)numbers[rest >> shift] << shift | (rest & low);
		err = weir_cube_add(
			to, weir_cube_bin(&from->rows[i]) << from->folds, rest,
			from->rows[i].sums);
	}
	return err;
}

static int merge_paths(struct weir_overview *to,
		       const struct weir_overview *from)
{
	uint32_t *numbers;
	int err = weir_callpaths_merge(&to->nodes, &from->nodes, &numbers);

	if (err)
		return err;
	err = merge_numbered(&to->cubes[WEIR_OVERVIEW_PATHS],
			     &from->cubes[WEIR_OVERVIEW_PATHS], 8, numbers);
	free(numbers);
	return err;
}

/* The number of a step among those of all, a new one when it is new. */
static int find_step(struct weir_overview *to, const struct weir_overview *from,
		     uint32_t step, struct weir_map *index,
		     uint32_t *ret_number)
{
	struct weir_overview_step it = from->steps[step];
	size_t len = 0;
	const char *name = weir_names_get(&from->marks.names, it.phase, &len);
	uint64_t parts[3] = {0, (uint64_t)it.has_step, (uint64_t)it.step};
	uint64_t key, at;
	int err = 0;

	if (name)
		err = weir_names_add(&to->marks.names, name, len, &it.phase);
	parts[0] = it.phase;
	key = weir_hash_numbers(parts, sizeof(parts));
	at = weir_map_get(index, key);
	if (!err && !at) {
		if (WEIR_GROW(to->steps, to->step_count, to->step_room))
			return -ENOMEM;
		to->steps[to->step_count] = it;
		at = ++to->step_count;
		err = weir_map_put(index, key, at);
	} else if (!err) {
		struct weir_overview_step *known = &to->steps[at - 1];

		if (known->begin > it.begin)
			known->begin = it.begin;
		if (known->end < it.end)
			known->end = it.end;
	}
	*ret_number = (uint32_t)at - 1;
	return err;
}

static int merge_steps(struct weir_overview *to,
		       const struct weir_overview *from, struct weir_map *index)
{
	uint32_t *numbers = calloc(from->step_count, sizeof(*numbers));
	int err = numbers ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < from->step_count; i++)
		err = find_step(to, from, i, index, &numbers[i]);
	err = err ? err
		  : merge_numbered(&to->cubes[WEIR_OVERVIEW_STEPSUM],
				   &from->cubes[WEIR_OVERVIEW_STEPSUM], 24,
				   numbers);
	free(numbers);
	return err;
}

/* Sites are bytes with the process in them: nobody else has the same. */
static int merge_sites(struct weir_overview *to,
		       const struct weir_overview *from)
{
	uint32_t before = to->sites.count, number;
	size_t len = 0;
	int err = 0;

	if (!from->sites.count)
		return 0;
	if (WEIR_GROW_EXACTLY(to->site_list, before + from->sites.count))
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < from->sites.count; i++) {
		const char *text = weir_names_get(&from->sites, i + 1, &len);

		err = weir_names_add(&to->sites, text, len, &number);
		to->site_list[before + i] = from->site_list[i];
		to->site_list[before + i].text = number;
	}
	return err;
}

static int merge_rest(struct weir_overview *to,
		      const struct weir_overview *from)
{
	const enum weir_overview_cube plain[] = {
		WEIR_OVERVIEW_CELLS,
		WEIR_OVERVIEW_SIZES,
		WEIR_OVERVIEW_SHARE,
		WEIR_OVERVIEW_ACCESS,
		WEIR_OVERVIEW_LATENCY,
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(plain) / sizeof(*plain); i++)
		err = weir_cube_merge(&to->cubes[plain[i]],
				      &from->cubes[plain[i]]);
	for (int i = 0; i < WEIR_CALLVIEW_LAYERS; i++)
		to->layers[i] |= from->layers[i];
	for (uint32_t i = 0; i < WEIR_OVERVIEW_CALLS; i++)
		to->calls[i] |= from->calls[i];
	for (uint32_t i = 0; i < to->outline->file_count + 2; i++) {
		uint32_t first = from->first_of[i];

		if (first && (!to->first_of[i] || to->first_of[i] > first))
			to->first_of[i] = first;
		to->unplaced[i] += from->unplaced[i];
	}
	to->unknown += from->unknown;
	to->lost_steps |= from->lost_steps;
	to->lost_sites |= from->lost_sites;
	return err;
}

int weir_overviewmerge_add(struct weir_overview *to,
			   const struct weir_overview *from,
			   struct weir_map *steps)
{
	uint32_t sites = to->sites.count;
	int err = merge_rest(to, from);

	err = err ? err : merge_paths(to, from);
	err = err ? err : merge_steps(to, from, steps);
	err = err ? err : merge_sites(to, from);
	return err ? err : weir_sample_merge(&to->sample, &from->sample, sites);
}

/* The same rows by other numbers; what has the same now is one. */
static int renumber(struct weir_cube *cube, unsigned shift,
		    const uint32_t *numbers)
{
	struct weir_cube old = *cube;
	int err;

	cube->rows = NULL;
	cube->count = cube->room = 0;
	cube->index = (struct weir_map){0};
	err = merge_numbered(cube, &old, shift, numbers);
	weir_cube_fini(&old);
	return err;
}

static int choose_nodes(struct weir_overview *overview)
{
	struct weir_callpaths chosen;
	uint32_t *numbers;
	int64_t joined = weir_callpaths_choose(
		&overview->nodes, WEIR_OVERVIEW_NODES, &chosen, &numbers);
	int err;

	if (joined < 0)
		return (int)joined;
	overview->joined_nodes = joined;
	weir_callpaths_fini(&overview->nodes);
	overview->nodes = chosen;
	err = renumber(&overview->cubes[WEIR_OVERVIEW_PATHS], 8, numbers);
	free(numbers);
	return err;
}

/* What was before any mark comes first. */
static int by_begin(const void *left, const void *right, void *context)
{
	const struct weir_overview_step *steps = context;
	const struct weir_overview_step *a = &steps[*(const uint32_t *)left];
	const struct weir_overview_step *b = &steps[*(const uint32_t *)right];
	int marked_a = a->phase || a->has_step,
	    marked_b = b->phase || b->has_step;

	if (marked_a != marked_b)
		return marked_a - marked_b;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->step > b->step) - (a->step < b->step);
}

/* Neighbours are joined where there are too many. */
static int order_steps(struct weir_overview *overview)
{
	uint32_t count = overview->step_count;
	uint32_t per = (count + WEIR_OVERVIEW_STEPS - 1) / WEIR_OVERVIEW_STEPS;
	uint32_t *order = calloc((size_t)count + 1, sizeof(*order));
	uint32_t *numbers = calloc((size_t)count + 1, sizeof(*numbers));
	struct weir_overview_step *steps =
		calloc((size_t)count + 1, sizeof(*steps));
	int err = order && numbers && steps ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < count; i++)
		order[i] = i;
	if (!err)
		qsort_r(order, count, sizeof(*order), by_begin,
			overview->steps);
	for (uint32_t i = 0; !err && i < count; i++) {
		const struct weir_overview_step *one =
			&overview->steps[order[i]];
		struct weir_overview_step *to = &steps[i / per];

		if (i % per == 0)
			*to = *one;
		else if (to->end < one->end)
			to->end = one->end;
		numbers[order[i]] = i / per;
	}
	err = err ? err
		  : renumber(&overview->cubes[WEIR_OVERVIEW_STEPSUM], 24,
			     numbers);
	free(order);
	free(numbers);
	if (err) {
		free(steps);
		return err;
	}
	free(overview->steps);
	overview->steps = steps;
	overview->steps_in_all = count;
	overview->step_count = per ? (count + per - 1) / per : 0;
	return 0;
}

/* The coarser ones have the same bins, each of them several of the finest. */
static int even_out(struct weir_overview *overview)
{
	static const enum weir_overview_cube coarse[] = {
		WEIR_OVERVIEW_PATHS,
		WEIR_OVERVIEW_SIZES,
		WEIR_OVERVIEW_SHARE,
		WEIR_OVERVIEW_LATENCY,
	};
	const size_t count = sizeof(coarse) / sizeof(*coarse);
	unsigned folds = overview->cubes[WEIR_OVERVIEW_CELLS].folds;
	int err = 0;

	for (size_t i = 0; i < count; i++)
		if (overview->cubes[coarse[i]].folds > folds)
			folds = overview->cubes[coarse[i]].folds;
	for (size_t i = 0; i < count; i++)
		while (!err && overview->cubes[coarse[i]].folds < folds)
			err = weir_cube_fold(&overview->cubes[coarse[i]]);
	return err;
}

int weir_overviewmerge_conclude(struct weir_overview *overview)
{
	int err = choose_nodes(overview);

	err = err ? err : order_steps(overview);
	err = err ? err : even_out(overview);
	if (err)
		return err;
	for (int i = 0; i < WEIR_OVERVIEW_CUBES; i++)
		weir_cube_sort(&overview->cubes[i]);
	return weir_sample_choose(&overview->sample, &overview->chosen,
				  &overview->chosen_count);
}
