/* SPDX-License-Identifier: BSD-3-Clause */
/* In which sums a call is counted. */
#ifndef WEIR_PAGE_OVERVIEWCOUNT_H
#define WEIR_PAGE_OVERVIEWCOUNT_H

#include "analyse/page/overviewtake.h"

/* A call, and where it stands. */
struct weir_overviewcount {
	const struct weir_callview *view;
	struct weir_sample_open *open;
	uint64_t start, dur; /* ns since the begin, within the span */
	uint32_t group, file;
	uint8_t class;
};

/* Adds it to all that it is part of. 0 or -ENOMEM. */
int weir_overviewcount_add(struct weir_overviewtake *take,
			   const struct weir_overviewcount *taken);

#endif
