/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace for an overview, with several threads. */
#ifndef WEIR_PAGE_OVERVIEWBUILD_H
#define WEIR_PAGE_OVERVIEWBUILD_H

#include "analyse/calls/callviews.h"
#include "analyse/page/overview.h"

/*
 * Reads the trace at `path` for an overview of all that the filter lets pass;
 * outline and facts must be of the same. `workers` as for
 * weir_runfacts_gather(). 0 or -errno.
 */
int weir_overviewbuild_read(struct weir_overview *overview, const char *path,
			 const struct weir_outline *outline,
			 const struct weir_callviews_filter *filter,
			 unsigned workers);

#endif
