/* SPDX-License-Identifier: BSD-3-Clause */
/* Which things of one run are which of another. */
#include "analyse/pairing.h"

#include "trace/map.h"

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

/* Values of the map: 1 where only the first run has the key, or group + 1. */
static int meet_second(struct weir_pairing *pairing, enum weir_pairing_how how,
		       const uint64_t *const keys[2], struct weir_map *met)
{
	int err = 0;

	for (size_t i = 0; !err && i < pairing->count[1]; i++) {
		uint64_t value = is_free(pairing, 1, i, keys) ?
					 weir_map_get(met, keys[1][i]) : 0;

		if (!value)
			continue;
		if (value == 1) {
			value = UINT64_C(1) + new_group(pairing, how);
			err = weir_map_put(met, keys[1][i], value);
		}
		pairing->group[1][i] = (uint32_t)(value - 1);
	}
	return err;
}

int weir_pairing_try(struct weir_pairing *pairing, enum weir_pairing_how how,
		     const uint64_t *const keys[2])
{
	struct weir_map met = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < pairing->count[0]; i++)
		if (is_free(pairing, 0, i, keys))
			err = weir_map_put(&met, keys[0][i], 1);
	err = err ? err : meet_second(pairing, how, keys, &met);
	for (size_t i = 0; !err && i < pairing->count[0]; i++)
		if (is_free(pairing, 0, i, keys))
			pairing->group[0][i] = (uint32_t)(
				weir_map_get(&met, keys[0][i]) - 1);
	weir_map_fini(&met);
	return err;
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
