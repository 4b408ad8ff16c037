/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists in the head of the report page's data: who, files, sites. */
#ifndef WEIR_PAGE_PAGELISTS_H
#define WEIR_PAGE_PAGELISTS_H

#include "report/page/pageindex.h"

/*
 * `who`, `files`, `mounts`, `sites` and what was left out; fills the index of
 * sites. 0 or -errno.
 */
int weir_pagelists_put(const struct weir_pagesource *page,
		       struct weir_pageindex *index, struct weir_text *out);

#endif
