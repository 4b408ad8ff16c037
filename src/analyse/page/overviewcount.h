/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts a call in all sums of an overview that it is part of. */
#ifndef WEIR_PAGE_OVERVIEWCOUNT_H
#define WEIR_PAGE_OVERVIEWCOUNT_H

#include "analyse/calls/callviews.h"
#include "analyse/page/overview.h"

#include <stdint.h>

/* What counting needs; all is borrowed. */
struct weir_overviewcount {
	struct weir_overview *overview;
	struct weir_callviews *views;
};

/* A call, and where it stands. */
struct weir_overviewcount_call {
	const struct weir_callview *view;
	struct weir_sample_open *open;
	uint64_t start, dur; /* ns since the begin, within the span */
	uint32_t group, file;
	uint8_t class;
};

/* 0 or -ENOMEM. */
int weir_overviewcount_add(struct weir_overviewcount *count,
			   const struct weir_overviewcount_call *taken);

#endif
