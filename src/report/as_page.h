/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as the data of its page. */
#ifndef WEIR_REPORT_AS_PAGE_H
#define WEIR_REPORT_AS_PAGE_H

#include "analyse/findings.h"
#include "trace/bytes.h"

/* What it is about; all borrowed. */
struct weir_as_page {
	const char *path; /* of the trace */
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
	struct weir_reader *reader;
	const struct weir_sights_filter *filter;
};

/* The bytes that web/src/data.js reads; to be freed. 0 or -errno. */
int weir_as_page_make(const struct weir_as_page *page,
		      struct weir_bytes *ret_bytes);

#endif
