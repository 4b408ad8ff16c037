/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the report page (doc/page.md). */
#ifndef WEIR_PAGE_AS_PAGE_H
#define WEIR_PAGE_AS_PAGE_H

#include "report/page/pagesource.h"
#include "trace/bytes/bytes.h"

/* The bytes that web/src/data.js reads; to be freed. 0 or -errno. */
int weir_as_page_make(const struct weir_pagesource *page,
		      struct weir_bytes *ret_bytes);

#endif
