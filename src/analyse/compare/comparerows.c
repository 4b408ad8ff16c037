/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts files and processes of two runs side by side. */
#include "analyse/compare/comparerows.h"

#include "analyse/compare/matching.h"

#include <errno.h>
#include <stdlib.h>

/* Those of one kind, while they are compared. */
struct things {
	struct weir_compare *compare;
	struct weir_compare_rows *to;
	int are_files;
	int has_folded;	 /* of some files there is no row */
	uint32_t *keys[2]; /* of all rows, in order */
	size_t count[2];
	struct weir_pairing pairing;
};

/* What decides whether a group has a row. */
struct standing {
	struct weir_figure time;
	uint32_t group; /* from 0 */
	uint8_t is_channel;
	uint8_t is_lonely; /* the other run may have it among the others */
};

void weir_comparerows_add(struct weir_compare_row *row, int run,
			  const struct weir_digest *digest)
{
	row->time.of[run] += digest->time;
	row->calls.of[run] += digest->calls;
	row->read.of[run] += digest->read;
	row->written.of[run] += digest->written;
	row->bytes.of[run] += digest->read + digest->written;
	row->is_channel |= digest->row->is_channel;
}

static void add_member(struct weir_compare_row *row, int run,
		       const struct weir_digest *digest)
{
	weir_comparerows_add(row, run, digest);
	if (!row->members[run]++)
		row->key[run] = (uint32_t)digest->row->key;
}

static const struct weir_totals *totals_of(const struct things *t, int run)
{
	return &t->compare->runs[run].facts->totals;
}

static struct weir_digest digest_of(const struct things *t, int run, size_t i)
{
	const struct weir_totals *totals = totals_of(t, run);
	uint32_t key = t->keys[run][i];

	return weir_totals_digest(
		totals,
		t->are_files ? weir_stock_find(&totals->files, key) :
			       weir_ledger_find(&totals->processes, key));
}

static int by_pair_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static int list_keys(struct things *t, int run)
{
	const struct weir_totals *totals = totals_of(t, run);
	size_t count = t->are_files ? totals->files.count :
				      totals->processes.count;
	uint32_t *keys = malloc((count + 1) * sizeof(*keys));

	if (!keys)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		keys[i] = t->are_files ?
				  weir_stock_key(&totals->files, i) :
				  (uint32_t)totals->processes.rows[i].key;
	qsort(keys, count, sizeof(*keys), by_pair_number);
	t->keys[run] = keys;
	t->count[run] = count;
	return 0;
}

static int is_only(const struct things *t, uint32_t group, int run)
{
	return t->pairing.how[group] == (run ? WEIR_PAIRED_ONLY_B :
					       WEIR_PAIRED_ONLY_A);
}

/* As rows are sorted, without their names. */
static int by_standing(const void *left, const void *right)
{
	const struct standing *a = left, *b = right;
	uint64_t apart_a = weir_comparison_distance(&a->time);
	uint64_t apart_b = weir_comparison_distance(&b->time);
	uint64_t all_a = a->time.of[0] + a->time.of[1];
	uint64_t all_b = b->time.of[0] + b->time.of[1];

	if (a->is_lonely != b->is_lonely)
		return a->is_lonely ? 1 : -1;
	if (a->is_channel != b->is_channel)
		return a->is_channel ? 1 : -1;
	if (apart_a != apart_b)
		return apart_a < apart_b ? 1 : -1;
	if (all_a != all_b)
		return all_a < all_b ? 1 : -1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Also of what will have no row. */
static void count_group(struct things *t, const struct standing *of)
{
	if (of->is_lonely)
		return;
	t->to->changes += weir_comparison_changed(t->compare, &of->time,
						  WEIR_UNIT_TIME) != 0;
	for (int run = 0; run < 2; run++) {
		if (!is_only(t, of->group, run))
			continue;
		t->to->only[run]++;
		t->to->only_time[run] += of->time.of[run];
	}
}

/*
 * All groups, those that change most first. What only one run has, while files
 * of the other have no row, may be one of these.
 */
static int rank_groups(struct things *t, struct standing **ret_all)
{
	uint32_t groups = t->pairing.groups;
	struct standing *all = calloc(groups + (size_t)1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (int run = 0; run < 2; run++) {
		for (size_t i = 0; i < t->count[run]; i++) {
			struct weir_digest one = digest_of(t, run, i);
			struct standing *to =
				&all[t->pairing.group[run][i] - 1];

			to->time.of[run] += one.time;
			to->is_channel |= one.row->is_channel;
		}
	}
	for (uint32_t i = 0; i < groups; i++) {
		all[i].group = i;
		all[i].is_lonely = t->has_folded &&
				   (is_only(t, i, 0) || is_only(t, i, 1));
		count_group(t, &all[i]);
	}
	qsort(all, groups, sizeof(*all), by_standing);
	*ret_all = all;
	return 0;
}

/* The row of each group, + 1; 0: it goes to the others. */
static int choose_rows(struct things *t, uint32_t **ret_row_of)
{
	uint32_t *row_of = calloc(t->pairing.groups + (size_t)1,
				  sizeof(*row_of));
	struct standing *all = NULL;
	int err = row_of ? rank_groups(t, &all) : -ENOMEM;

	for (uint32_t i = 0; !err && i < t->pairing.groups; i++) {
		if (all[i].is_lonely ||
		    (t->are_files && i >= WEIR_COMPARE_FILES))
			break;
		row_of[all[i].group] = (uint32_t)++t->to->count;
	}
	free(all);
	if (err)
		free(row_of);
	else
		*ret_row_of = row_of;
	return err;
}

/* What waits for others tells nothing of the storage: it comes last. */
static int by_change(const void *left, const void *right)
{
	const struct weir_compare_row *a = left, *b = right;
	uint64_t apart_a = weir_comparison_distance(&a->time);
	uint64_t apart_b = weir_comparison_distance(&b->time);

	if (a->is_channel != b->is_channel)
		return a->is_channel ? 1 : -1;
	if (apart_a != apart_b)
		return apart_a < apart_b ? 1 : -1;
	for (int i = 0; i < 2; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return 0;
}

static void fill_rows(struct things *t, const uint32_t *row_of)
{
	struct weir_compare_row *list = t->to->list;

	for (uint32_t i = 0; i < t->pairing.groups; i++)
		if (row_of[i])
			list[row_of[i] - 1].how = t->pairing.how[i];
	for (int run = 0; run < 2; run++) {
		for (size_t i = 0; i < t->count[run]; i++) {
			uint32_t at = row_of[t->pairing.group[run][i] - 1];
			struct weir_digest one = digest_of(t, run, i);

			add_member(at ? &list[at - 1] : &t->compare->others,
				   run, &one);
		}
	}
	qsort(list, t->to->count, sizeof(*list), by_change);
}

static int make_rows(struct things *t)
{
	uint32_t *row_of = NULL;
	int err = choose_rows(t, &row_of);

	if (err)
		return err;
	t->to->list = calloc(t->to->count + 1, sizeof(*t->to->list));
	if (t->to->list)
		fill_rows(t, row_of);
	free(row_of);
	return t->to->list ? 0 : -ENOMEM;
}

static int compare_things(struct things *t)
{
	int err = list_keys(t, 0) ?: list_keys(t, 1);

	err = err ?: weir_pairing_init(&t->pairing, t->count[0], t->count[1]);
	if (!err && t->are_files)
		err = weir_matching_files(&t->pairing, t->compare->runs,
					  t->keys);
	else if (!err)
		err = weir_matching_processes(&t->pairing, t->compare->runs,
					      t->keys);
	err = err ?: make_rows(t);
	weir_pairing_fini(&t->pairing);
	free(t->keys[0]);
	free(t->keys[1]);
	return err;
}

int weir_comparerows_files(struct weir_compare *compare)
{
	struct things things = {
		.compare = compare, .to = &compare->files, .are_files = 1,
	};

	things.has_folded = totals_of(&things, 0)->files.folded ||
			    totals_of(&things, 1)->files.folded;
	return compare_things(&things);
}

int weir_comparerows_processes(struct weir_compare *compare)
{
	struct things things = {
		.compare = compare, .to = &compare->processes,
	};

	return compare_things(&things);
}
