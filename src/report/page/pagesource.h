/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds all that the report page is made from. */
#ifndef WEIR_PAGE_PAGESOURCE_H
#define WEIR_PAGE_PAGESOURCE_H

#include "analyse/findings/findings.h"
#include "analyse/page/overview.h"
#include "base/text.h"

/* Most files and processes that the report in the page lists. */
#define WEIR_PAGESOURCE_LISTED 300

/* All borrowed. */
struct weir_pagesource {
	const char *path; /* of the trace */
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
	struct weir_reader *reader;
	const struct weir_callviews_filter *filter;
	const struct weir_overview *overview; /* of the same */
	/*
	 * Writes `,"site":[...]` for an event that has one, as `weir dump`
	 * does; NULL: the page shows no sites.
	 */
	void (*put_site)(void *context, struct weir_text *out,
			 const struct weir_event *event);
	void *context;
};

#endif
