/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files and processes of one run again in another. */
#ifndef WEIR_ANALYSE_MATCHING_H
#define WEIR_ANALYSE_MATCHING_H

#include "analyse/compare.h"

/*
 * Both get a pairing that was begun with the numbers of digests, and end it.
 * 0 or -errno.
 */

/* By name, by the place below where each run worked, by form. */
int weir_matching_files(struct weir_pairing *pairing,
			const struct weir_compare_run runs[2],
			struct weir_digest *const digests[2]);

/* By rank, else by program and order; digests are in the processes' order. */
int weir_matching_processes(struct weir_pairing *pairing,
			    const struct weir_compare_run runs[2],
			    struct weir_digest *const digests[2]);

#endif
