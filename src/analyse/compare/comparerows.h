/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts files and processes of two runs side by side. */
#ifndef WEIR_COMPARE_COMPAREROWS_H
#define WEIR_COMPARE_COMPAREROWS_H

#include "analyse/compare/comparison.h"

/* Adds the figures of one run to a row. */
void weir_comparerows_add(struct weir_compare_row *row, int run,
			  const struct weir_digest *digest);

/* Finds the things of one run again in the other. 0 or -errno. */
int weir_comparerows_files(struct weir_compare *compare);
int weir_comparerows_processes(struct weir_compare *compare);

#endif
