/* SPDX-License-Identifier: BSD-3-Clause */
/* Who wrote which bytes of a file last. */
#include "analyse/ranges.h"

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
static node *join(node *left, node *right)
{
	if (!left || !right)
		return left ? left : right;
	if (left->rank > right->rank) {
		left->right = join(left->right, right);
		return left;
	}
	right->left = join(left, right->left);
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

/* The first that ends behind a place. */
static const node *first_behind(const struct weir_ranges *ranges,
				uint64_t place)
{
	const node *at = ranges->root, *found = NULL;

	while (at) {
		if (at->range.to > place) {
			found = at;
			at = at->left;
		} else {
			at = at->right;
		}
	}
	return found;
}

int weir_ranges_each(const struct weir_ranges *ranges,
		     struct weir_extent bytes,
		     int (*see)(void *context, const struct weir_range *range),
		     void *context)
{
	while (bytes.from < bytes.to) {
		const node *found = first_behind(ranges, bytes.from);
		struct weir_range seen;
		int ended;

		if (!found || found->range.from >= bytes.to)
			return 0;
		seen = found->range;
		if (seen.from < bytes.from)
			seen.from = bytes.from;
		if (seen.to > bytes.to)
			seen.to = bytes.to;
		ended = see(context, &seen);
		if (ended)
			return ended;
		bytes.from = found->range.to;
	}
	return 0;
}

/* What reaches beyond the range to be written; NULL: nothing does. */
static node *beyond(node *left, node *middle, uint64_t to)
{
	node *last = last_of(middle ? middle : left);

	return last && last->range.to > to ? last : NULL;
}

int weir_ranges_write(struct weir_ranges *ranges,
		      const struct weir_range *range)
{
	node *left, *middle, *right, *last, *new, *rest = NULL;
	struct weir_range cut;
	int err = 0;

	if (range->from >= range->to)
		return 0;
	new = make(ranges, range);
	if (!new)
		return -ENOMEM;
	part(ranges->root, range->from, &left, &middle);
	part(middle, range->to, &middle, &right);
	last = beyond(left, middle, range->to);
	if (last) {
		cut = last->range;
		cut.from = range->to;
		rest = make(ranges, &cut);
		err = rest ? 0 : -ENOMEM;
	}
	last = last_of(left);
	if (last && last->range.to > range->from)
		last->range.to = range->from;
	free_all(ranges, middle);
	ranges->root = join(join(left, new), join(rest, right));
	return err;
}
