/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds sums of calls to an overview: by all but time. */
#ifndef WEIR_PAGE_OVERVIEWSUM_H
#define WEIR_PAGE_OVERVIEWSUM_H

#include "analyse/calls/callviews.h"
#include "analyse/page/overview.h"
#include "analyse/sums/row.h"

#include <stdint.h>

/*
 * Sums of calls on a file of the outline, of which nobody knows when; the
 * views know what calls are. 0 or -ENOMEM.
 */
int weir_overviewsum_add(struct weir_overview *overview,
			 struct weir_callviews *views, uint32_t proc,
			 uint32_t file, const struct weir_row *row);

#endif
