/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists in the head of the report page's data: who, files, sites. */
#ifndef WEIR_REPORT_PAGELISTS_H
#define WEIR_REPORT_PAGELISTS_H

#include "report/as_page.h"
#include "report/pagecolumns.h"

/*
 * `who`, `files`, `mounts`, `sites` and what was left out; fills the index of
 * sites. 0 or -errno.
 */
int weir_pagelists_put(const struct weir_as_page *page,
		       struct weir_pageindex *index, struct weir_text *out);

#endif
