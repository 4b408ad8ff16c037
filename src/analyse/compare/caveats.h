/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what makes it doubtful to compare two runs. */
#ifndef WEIR_COMPARE_CAVEATS_H
#define WEIR_COMPARE_CAVEATS_H

#include "analyse/compare/comparison.h"

#define WEIR_CAVEATS_MOST 24

struct weir_caveat {
	const char *id;
	const char *text;    /* what is counted, or is so */
	int is_count;	     /* else the text is true of runs that have a 1 */
	struct weir_figure figure;
};

/* Those that are to be told; returns how many. */
unsigned weir_caveats_find(const struct weir_compare *compare,
			   struct weir_caveat ret_caveats[WEIR_CAVEATS_MOST]);

#endif
