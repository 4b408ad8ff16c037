/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps who wrote which bytes of a file last. */
#include "analyse/facts/ranges.h"

#include <errno.h>
#include <stdlib.h>

struct weir_ranges_node {
	struct weir_range range;
	uint64_t rank; /* higher than those below */
	struct weir_ranges_node *left, *right;
};

typedef struct weir_ranges_node node;

static void free_all(struct weir_ranges *ranges, node *tree)
{
	while (tree) {
		node *right = tree->right;

		free_all(ranges, tree->left);
		free(tree);
		ranges->count--;
		tree = right;
	}
}

void weir_ranges_fini(struct weir_ranges *ranges)
{
	free_all(ranges, ranges->root);
	*ranges = (struct weir_ranges){ 0 };
}

/* All of `left` lies before all of `right`. */
static node *join_trees(node *left, node *right)
{
	if (!left || !right)
		return left ? left : right;
	if (left->rank > right->rank) {
		left->right = join_trees(left->right, right);
		return left;
	}
	right->left = join_trees(left, right->left);
	return right;
}

/* What begins before `at`, and what begins there or behind. */
static void part(node *tree, uint64_t at, node **ret_left, node **ret_right)
{
	if (!tree) {
		*ret_left = *ret_right = NULL;
	} else if (tree->range.from < at) {
		part(tree->right, at, &tree->right, ret_right);
		*ret_left = tree;
	} else {
		part(tree->left, at, ret_left, &tree->left);
		*ret_right = tree;
	}
}

/* Equal runs make equal trees: chance is counted, not drawn. */
static uint64_t draw(struct weir_ranges *ranges)
{
	uint64_t x = ++ranges->chance * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static node *make(struct weir_ranges *ranges, const struct weir_range *range)
{
	node *new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	new->range = *range;
	new->rank = draw(ranges);
	ranges->count++;
	return new;
}

static node *last_of(node *tree)
{
	while (tree && tree->right)
		tree = tree->right;
	return tree;
}

/* Who is told of ranges, and of which bytes. */
struct visit {
	struct weir_extent bytes;
	int (*see)(void *context, const struct weir_range *range);
	void *context;
};

static int show_range(const struct visit *visit, const struct weir_range *range)
{
	struct weir_range seen = *range;

	if (seen.from < visit->bytes.from)
		seen.from = visit->bytes.from;
	if (seen.to > visit->bytes.to)
		seen.to = visit->bytes.to;
	return seen.from < seen.to ? visit->see(visit->context, &seen) : 0;
}

static int each(const node *tree, const struct visit *visit)
{
	int ended = 0;

	while (!ended && tree) {
		if (visit->bytes.from < tree->range.from)
			ended = each(tree->left, visit);
		ended = ended ? ended : show_range(visit, &tree->range);
		tree = visit->bytes.to > tree->range.to ? tree->right : NULL;
	}
	return ended;
}

int weir_ranges_each(const struct weir_ranges *ranges,
		     struct weir_extent bytes,
		     int (*see)(void *context, const struct weir_range *range),
		     void *context)
{
	const struct visit visit = { bytes, see, context };

	return each(ranges->root, &visit);
}

/* What reaches beyond the range to be written; NULL: nothing does. */
static node *beyond(node *left, node *middle, uint64_t to)
{
	node *last = last_of(middle ? middle : left);

	return last && last->range.to > to ? last : NULL;
}

/* One process's bytes, one after the other, none of them seen by others. */
static int goes_on(const node *before, const struct weir_range *range)
{
	return before && before->range.to == range->from &&
	       before->range.party == range->party &&
	       before->range.end > range->committed;
}

/* What of the ranges to be forgotten reaches beyond. */
static int keep_rest(struct weir_ranges *ranges, const node *last,
		     uint64_t from, node **ret_rest)
{
	struct weir_range cut;

	*ret_rest = NULL;
	if (!last)
		return 0;
	cut = last->range;
	cut.from = from;
	*ret_rest = make(ranges, &cut);
	return *ret_rest ? 0 : -ENOMEM;
}

int weir_ranges_write(struct weir_ranges *ranges,
		      const struct weir_range *range)
{
	node *left, *middle, *right, *last, *new = NULL, *rest;
	int err;

	if (range->from >= range->to)
		return 0;
	/* Most files are written from the begin to the end. */
	if (goes_on(ranges->last, range)) {
		ranges->last->range.to = range->to;
		ranges->last->range.end = range->end;
		return 0;
	}
	part(ranges->root, range->from, &left, &middle);
	part(middle, range->to, &middle, &right);
	err = keep_rest(ranges, beyond(left, middle, range->to), range->to,
			&rest);
	last = last_of(left);
	if (last && last->range.to > range->from)
		last->range.to = range->from;
	free_all(ranges, middle);
	if (goes_on(last, range)) {
		last->range.to = range->to;
		last->range.end = range->end;
	} else {
		new = make(ranges, range);
		err = new ? err : -ENOMEM;
	}
	ranges->root =
		join_trees(join_trees(left, new), join_trees(rest, right));
	ranges->last = last_of(ranges->root);
	return err;
}
