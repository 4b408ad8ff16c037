/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up by time and other keys, as fine as memory allows. */
#include "analyse/page/cube.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

void weir_cube_fini(struct weir_cube *cube)
{
	free(cube->rows);
	weir_map_fini(&cube->index);
	*cube = (struct weir_cube){0};
}

static struct weir_cube_row *add_cube_row(struct weir_cube *cube, uint64_t key)
{
	struct weir_cube_row *rows;

	if (WEIR_GROW(cube->rows, cube->count, cube->room))
		return NULL;
	if (weir_map_put(&cube->index, key, (uint64_t)cube->count + 1))
		return NULL;
	rows = cube->rows + cube->count++;
	*rows = (struct weir_cube_row){.key = key};
	return rows;
}

/* What damaged traces tell may be more than fits: then it wraps. */
static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int add_sums(struct weir_cube *cube, uint64_t key, const int64_t *sums)
{
	uint64_t at = weir_map_get(&cube->index, key);
	struct weir_cube_row *row =
		at ? &cube->rows[at - 1] : add_cube_row(cube, key);

	if (!row)
		return -ENOMEM;
	for (int i = 0; i < WEIR_CUBE_SUMS; i++)
		row->sums[i] = plus(row->sums[i], sums[i]);
	return 0;
}

static uint64_t row_key(const struct weir_cube *cube, uint64_t bin,
			uint64_t rest)
{
	bin = bin < WEIR_CUBE_BINS ? bin : WEIR_CUBE_BINS - 1;
	if (cube->joined)
		rest |= cube->joins;
	return bin >> cube->folds << WEIR_CUBE_REST | rest;
}

/* All rows anew, by their keys as they are now. */
static int index_again(struct weir_cube *cube)
{
	uint32_t count = cube->count;
	int err = 0;

	weir_map_fini(&cube->index);
	cube->count = 0;
	/* No row comes to lie behind the one that is read. */
	for (uint32_t i = 0; !err && i < count; i++) {
		struct weir_cube_row row = cube->rows[i];

		err = add_sums(cube, row.key, row.sums);
	}
	return err;
}

static int can_fold(const struct weir_cube *cube)
{
	return cube->folds < WEIR_CUBE_FOLDS || (cube->joins && !cube->joined);
}

int weir_cube_fold(struct weir_cube *cube)
{
	int bins = cube->folds < WEIR_CUBE_FOLDS;

	if (!can_fold(cube))
		return 0;
	cube->folds += bins;
	cube->joined = !bins;
	for (uint32_t i = 0; i < cube->count; i++) {
		struct weir_cube_row *row = &cube->rows[i];
		uint64_t rest = weir_cube_rest(row);

		if (bins)
			row->key = weir_cube_bin(row) >> 1 << WEIR_CUBE_REST |
				   rest;
		else
			row->key |= cube->joins;
	}
	return index_again(cube);
}

int weir_cube_add(struct weir_cube *cube, uint64_t bin, uint64_t rest,
		  const int64_t sums[WEIR_CUBE_SUMS])
{
	int err = add_sums(cube, row_key(cube, bin, rest), sums);

	while (!err && cube->count > cube->most && can_fold(cube))
		err = weir_cube_fold(cube);
	return err;
}

/* What has come of a sum when `part` of the time is over. */
static int64_t come_of(int64_t sum, uint64_t part, uint64_t dur)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t size = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;

	size = (uint64_t)((wide)size * part / dur);
	return sum < 0 ? minus(0, (int64_t)size) : (int64_t)size;
}

/* Where the bin ends that an instant lies in. */
static uint64_t end_of_bin(const struct weir_cube *cube, uint64_t at)
{
	uint64_t bin = at / cube->width >> cube->folds;

	return ((bin + 1) << cube->folds) * cube->width;
}

int weir_cube_spread(struct weir_cube *cube, uint64_t rest, uint64_t start,
		     uint64_t dur, const int64_t sums[WEIR_CUBE_SUMS])
{
	int64_t now[WEIR_CUBE_SUMS], come[WEIR_CUBE_SUMS] = {0};
	uint64_t at = start, to;
	int err = 0;

	if (end_of_bin(cube, start) >= start + dur)
		return weir_cube_add(cube, start / cube->width, rest, sums);
	for (; !err && at < start + dur; at = to) {
		to = end_of_bin(cube, at);
		if (to > start + dur || at / cube->width >= WEIR_CUBE_BINS)
			to = start + dur;
		now[0] = at == start ? sums[0] : 0;
		for (int i = 1; i < WEIR_CUBE_SUMS; i++) {
			int64_t until = come_of(sums[i], to - start, dur);

			now[i] = minus(until, come[i]);
			come[i] = until;
		}
		err = weir_cube_add(cube, at / cube->width, rest, now);
	}
	return err;
}

int weir_cube_merge(struct weir_cube *to, const struct weir_cube *from)
{
	int err = 0;

	while (!err && (to->folds < from->folds || to->joined < from->joined))
		err = weir_cube_fold(to);
	for (uint32_t i = 0; !err && i < from->count; i++)
		err = weir_cube_add(
			to, weir_cube_bin(&from->rows[i]) << from->folds,
			weir_cube_rest(&from->rows[i]), from->rows[i].sums);
	return err;
}

static int by_key(const void *left, const void *right)
{
	const struct weir_cube_row *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

void weir_cube_sort(struct weir_cube *cube)
{
	if (cube->count)
		qsort(cube->rows, cube->count, sizeof(*cube->rows), by_key);
	weir_map_fini(&cube->index);
}
