/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lists in the page's head: processes, files, call sites. */
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
