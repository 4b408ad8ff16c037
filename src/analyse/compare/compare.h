/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two runs. */
#ifndef WEIR_COMPARE_COMPARE_H
#define WEIR_COMPARE_COMPARE_H

#include "analyse/compare/comparison.h"

/*
 * A profile does not tell which call made which. With one, times of both runs
 * are those of all their calls, so that they can be compared; else they are
 * those of calls that the application made itself, and layers' own times.
 * 0 or -errno; wants weir_compare_fini either way.
 */
int weir_compare_make(struct weir_compare *compare,
		      const struct weir_compare_run runs[2], uint64_t least);
void weir_compare_fini(struct weir_compare *compare);

#endif
