/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of calls in the picture of a run: by all but time. */
#ifndef WEIR_PAGE_OVERVIEWSUM_H
#define WEIR_PAGE_OVERVIEWSUM_H

#include "analyse/sums/row.h"
#include "analyse/page/overviewtake.h"

/* Sums of calls on a file of the outline, of which nobody knows when. */
int weir_overviewsum_add(struct weir_overviewtake *take, uint32_t proc,
			 uint32_t file, const struct weir_row *row);

#endif
