/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of the report page: doc/page.md says what is in it. */
#ifndef WEIR_REPORT_AS_PAGE_H
#define WEIR_REPORT_AS_PAGE_H

#include "analyse/findings/findings.h"
#include "analyse/page/overview.h"
#include "base/text.h"
#include "trace/bytes.h"

/* What it is about; all borrowed. */
struct weir_as_page {
	const char *path; /* of the trace */
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
	struct weir_reader *reader;
	const struct weir_callviews_filter *filter;
	const struct weir_overview *overview; /* of the same */
	/*
	 * Writes `,"site":[...]` for an event that has one, as `weir dump`
	 * does; NULL: sites are not told.
	 */
	void (*put_site)(void *context, struct weir_text *out,
			 const struct weir_event *event);
	void *context;
};

/* The bytes that web/src/data.js reads; to be freed. 0 or -errno. */
int weir_as_page_make(const struct weir_as_page *page,
		      struct weir_bytes *ret_bytes);

#endif
