/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how numbers are spread, in classes within 0.4 % of them. */
#ifndef WEIR_SUMS_SPREAD_H
#define WEIR_SUMS_SPREAD_H

#include <stdint.h>

/*
 * Each power of two is divided into 128 classes, smaller numbers are counted
 * one by one: a class's middle is off by 0.4 per cent at most. Sums of whole
 * numbers, so that any division of the work comes to the same.
 */
#define WEIR_SPREAD_PARTS   128
#define WEIR_SPREAD_CLASSES (58 * WEIR_SPREAD_PARTS)

/* Zero it to begin. */
struct weir_spread {
	uint64_t *counts; /* WEIR_SPREAD_CLASSES; NULL: none yet */
	uint64_t count, least, most;
};

void weir_spread_fini(struct weir_spread *spread);

/* 0 or -ENOMEM. */
int weir_spread_add(struct weir_spread *spread, uint64_t number);
int weir_spread_merge(struct weir_spread *to, const struct weir_spread *from);

/*
 * The number that `thousandths` of all do not exceed, up to 1000; 0 when there
 * are none. The least and the most are exact.
 */
uint64_t weir_spread_at(const struct weir_spread *spread,
			unsigned thousandths);

#endif
