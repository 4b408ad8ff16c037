/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers numbers by keys, and forgets all but the latest. */
#ifndef WEIR_CALLS_LATELY_H
#define WEIR_CALLS_LATELY_H

#include "trace/bytes/map.h"

/* So many keys are remembered at least; a map of one less takes 1 MiB. */
#define WEIR_LATELY_KEYS ((32u << 10) - 1)

/* Zero it to begin. What comes now pushes out what came before. */
struct weir_lately {
	struct weir_map now, before;
};

static inline void weir_lately_fini(struct weir_lately *lately)
{
	weir_map_fini(&lately->now);
	weir_map_fini(&lately->before);
}

/* 0: forgotten, or never there. */
static inline uint64_t weir_lately_get(const struct weir_lately *lately,
				       uint64_t key)
{
	uint64_t value = weir_map_get(&lately->now, key);

	return value ? value : weir_map_get(&lately->before, key);
}

/* Adds or replaces, and tells what was there; the value must not be 0. */
static inline int weir_lately_swap(struct weir_lately *lately, uint64_t key,
				   uint64_t value, uint64_t *ret_before)
{
	int err;

	if (lately->now.used >= WEIR_LATELY_KEYS) {
		weir_map_fini(&lately->before);
		lately->before = lately->now;
		lately->now = (struct weir_map){ 0 };
	}
	err = weir_map_swap(&lately->now, key, value, ret_before);
	if (!err && !*ret_before)
		*ret_before = weir_map_get(&lately->before, key);
	return err;
}

#endif
