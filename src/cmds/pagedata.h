/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what the page of a report shows. */
#ifndef WEIR_CMDS_PAGEDATA_H
#define WEIR_CMDS_PAGEDATA_H

#include "report/page/as_page.h"

/*
 * Reads the trace once more for what the page has no facts of yet: overview and
 * sites. The bytes that doc/page.md describes, to be freed. 0 or -errno.
 */
int weir_pagedata_make(const struct weir_pagesource *page,
		       struct weir_bytes *ret_bytes);

#endif
