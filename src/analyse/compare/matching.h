/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files and processes of one run again in another. */
#ifndef WEIR_COMPARE_MATCHING_H
#define WEIR_COMPARE_MATCHING_H

#include "analyse/compare/comparison.h"

/*
 * Both get the keys of all rows in order, and a pairing that was begun with as
 * many, and end it. 0 or -errno.
 */

/* By name, by the place below where each run worked, by form. */
int weir_matching_files(struct weir_pairing *pairing,
			const struct weir_compare_run runs[2],
			uint32_t *const rows[2]);

/* By rank, else by program and order. */
int weir_matching_processes(struct weir_pairing *pairing,
			    const struct weir_compare_run runs[2],
			    uint32_t *const rows[2]);

#endif
