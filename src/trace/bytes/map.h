/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps numbers to numbers, for keys from files, which may be anything. */
#ifndef WEIR_BYTES_MAP_H
#define WEIR_BYTES_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Zero it to begin. A value of 0 means that the key is not there. */
struct weir_map {
	struct weir_map_slot *slots;
	size_t used, room; /* room is a power of two, or 0 */
};

void weir_map_fini(struct weir_map *map);
uint64_t weir_map_get(const struct weir_map *map, uint64_t key);

/* Adds or replaces; value must not be 0. 0 or -ENOMEM. */
int weir_map_put(struct weir_map *map, uint64_t key, uint64_t value);

/* Likewise; what was there before, or 0. */
int weir_map_swap(struct weir_map *map, uint64_t key, uint64_t value,
		  uint64_t *ret_before);

void weir_map_remove(struct weir_map *map, uint64_t key);

#endif
