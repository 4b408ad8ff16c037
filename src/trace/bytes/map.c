/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps numbers to numbers, for keys from files, which may be anything. */
#include "trace/bytes/map.h"

#include <errno.h>
#include <stdlib.h>

struct weir_map_slot {
	uint64_t key, value;
};

void weir_map_fini(struct weir_map *map)
{
	free(map->slots);
	*map = (struct weir_map){ 0 };
}

/*
 * Where the search for a key begins. Keys are often two numbers, one in each
 * half: both must decide.
 */
static size_t home_of(const struct weir_map *map, uint64_t key)
{
	uint64_t mixed = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);

	return (mixed >> 32) & (map->room - 1);
}

/* The slot that has the key, or the free one where it belongs. */
static struct weir_map_slot *slot_of(const struct weir_map *map, uint64_t key)
{
	size_t mask = map->room - 1;
	size_t i = home_of(map, key);

	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	return &map->slots[i];
}

uint64_t weir_map_get(const struct weir_map *map, uint64_t key)
{
	return map->room ? slot_of(map, key)->value : 0;
}

static int grow_map(struct weir_map *map)
{
	struct weir_map larger = {
		.room = map->room ? map->room * 2 : 16,
		.used = map->used,
	};

	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->room; i++)
		if (map->slots[i].value)
			*slot_of(&larger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = larger;
	return 0;
}

int weir_map_swap(struct weir_map *map, uint64_t key, uint64_t value,
		  uint64_t *ret_before)
{
	struct weir_map_slot *slot;

	if (map->used >= map->room / 2 && grow_map(map))
		return -ENOMEM;
	slot = slot_of(map, key);
	*ret_before = slot->value;
	map->used += !slot->value;
	slot->key = key;
	slot->value = value;
	return 0;
}

int weir_map_put(struct weir_map *map, uint64_t key, uint64_t value)
{
	uint64_t before;

	return weir_map_swap(map, key, value, &before);
}

/* The slots behind close the gap, so that no search ends at it too early. */
void weir_map_remove(struct weir_map *map, uint64_t key)
{
	size_t mask = map->room - 1, gap, i;

	if (!weir_map_get(map, key))
		return;
	gap = (size_t)(slot_of(map, key) - map->slots);
	for (i = (gap + 1) & mask; map->slots[i].value; i = (i + 1) & mask) {
		size_t home = home_of(map, map->slots[i].key);

		if (((i - home) & mask) < ((i - gap) & mask))
			continue;
		map->slots[gap] = map->slots[i];
		gap = i;
	}
	map->slots[gap] = (struct weir_map_slot){ 0 };
	map->used--;
}
