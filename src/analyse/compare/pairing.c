/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs the things of one run with those of another. */
#include "analyse/compare/pairing.h"

#include <errno.h>
#include <stdlib.h>

const char *weir_pairing_how_name(enum weir_pairing_how how)
{
	static const char *const names[] = {
		[WEIR_PAIRED_NAME] = "name",
		[WEIR_PAIRED_PLACE] = "place",
		[WEIR_PAIRED_FORM] = "form",
		[WEIR_PAIRED_RANK] = "rank",
		[WEIR_PAIRED_PROGRAM] = "program",
		[WEIR_PAIRED_ORDER] = "order",
		[WEIR_PAIRED_ONLY_A] = "only-a",
		[WEIR_PAIRED_ONLY_B] = "only-b",
	};

	return names[how];
}

int weir_pairing_init(struct weir_pairing *pairing, size_t count_a,
		      size_t count_b)
{
	*pairing = (struct weir_pairing){ .count = { count_a, count_b } };
	pairing->group[0] = calloc(count_a + 1, sizeof(uint32_t));
	pairing->group[1] = calloc(count_b + 1, sizeof(uint32_t));
	pairing->how = calloc(count_a + count_b + 1, 1);
	return pairing->group[0] && pairing->group[1] && pairing->how ?
		       0 : -ENOMEM;
}

void weir_pairing_fini(struct weir_pairing *pairing)
{
	free(pairing->group[0]);
	free(pairing->group[1]);
	free(pairing->how);
	*pairing = (struct weir_pairing){ 0 };
}

static uint32_t new_group(struct weir_pairing *pairing,
			  enum weir_pairing_how how)
{
	pairing->how[pairing->groups++] = (uint8_t)how;
	return pairing->groups;
}

static int is_free(const struct weir_pairing *pairing, int run, size_t i,
		   const uint64_t *const keys[2])
{
	return !pairing->group[run][i] && keys[run][i];
}

/* A thing of the first run; of equal keys, the first tells the group. */
struct met {
	uint64_t key;
	uint32_t thing, group; /* group 0: the second run has not got the key */
};

static int by_key(const void *left, const void *right)
{
	const struct met *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->thing > b->thing) - (a->thing < b->thing);
}

static size_t list_first(const struct weir_pairing *pairing,
			 const uint64_t *const keys[2], struct met *met)
{
	size_t count = 0;

	for (size_t i = 0; i < pairing->count[0]; i++)
		if (is_free(pairing, 0, i, keys))
			met[count++] = (struct met){ keys[0][i], (uint32_t)i,
						     0 };
	qsort(met, count, sizeof(*met), by_key);
	return count;
}

/* The first with a key; NULL: there is none. */
static struct met *find_first(struct met *met, size_t count, uint64_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (met[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && met[low].key == key ? &met[low] : NULL;
}

static void meet_second(struct weir_pairing *pairing,
			enum weir_pairing_how how,
			const uint64_t *const keys[2], struct met *met,
			size_t count)
{
	for (size_t i = 0; i < pairing->count[1]; i++) {
		struct met *first = is_free(pairing, 1, i, keys) ?
			find_first(met, count, keys[1][i]) : NULL;

		if (!first)
			continue;
		if (!first->group)
			first->group = new_group(pairing, how);
		pairing->group[1][i] = first->group;
	}
}

int weir_pairing_try(struct weir_pairing *pairing, enum weir_pairing_how how,
		     const uint64_t *const keys[2])
{
	struct met *met = malloc((pairing->count[0] + 1) * sizeof(*met));
	size_t count;

	if (!met)
		return -ENOMEM;
	count = list_first(pairing, keys, met);
	meet_second(pairing, how, keys, met, count);
	for (size_t i = 0; i < count; i++) {
		if (i && met[i].key == met[i - 1].key)
			met[i].group = met[i - 1].group;
		pairing->group[0][met[i].thing] = met[i].group;
	}
	free(met);
	return 0;
}

void weir_pairing_end(struct weir_pairing *pairing)
{
	static const enum weir_pairing_how only[] = { WEIR_PAIRED_ONLY_A,
						      WEIR_PAIRED_ONLY_B };

	for (int run = 0; run < 2; run++)
		for (size_t i = 0; i < pairing->count[run]; i++)
			if (!pairing->group[run][i])
				pairing->group[run][i] =
					new_group(pairing, only[run]);
}
