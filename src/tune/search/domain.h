/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers the configurations that a search may try: axes with levels, and
 * points with one level of each axis. Which settings they stand for is the
 * caller's.
 */
#ifndef WEIR_SEARCH_DOMAIN_H
#define WEIR_SEARCH_DOMAIN_H

#include "tune/search/dice.h"

#include <stdbool.h>
#include <stdint.h>

#define WEIR_DOMAIN_AXES 64

struct weir_domain_axis {
	uint16_t levels; /* at least 1 */
	/*
	 * From this level on they are steps of a quantity, and neighbours do
	 * alike; those before stand for themselves. Equal to `levels`: all do.
	 */
	uint16_t steps_from;
};

struct weir_domain {
	struct weir_domain_axis axes[WEIR_DOMAIN_AXES];
	uint32_t count;
};

struct weir_domain_point {
	uint16_t level[WEIR_DOMAIN_AXES];
};

/* More than UINT64_MAX is told as that. */
uint64_t weir_domain_size(const struct weir_domain *domain);

bool weir_domain_same(const struct weir_domain *domain,
		      const struct weir_domain_point *a,
		      const struct weir_domain_point *b);

void weir_domain_draw(const struct weir_domain *domain, struct weir_dice *dice,
		      struct weir_domain_point *ret_point);

/* Another level of this axis, any with the same chance. */
void weir_domain_mutate(const struct weir_domain *domain,
			struct weir_dice *dice, uint32_t axis,
			struct weir_domain_point *point);

/* Whether this axis can be anything else than it is. */
bool weir_domain_is_free(const struct weir_domain *domain, uint32_t axis);

#endif
