/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the head of the page's data: what its columns are about. */
#ifndef WEIR_PAGE_PAGEHEAD_H
#define WEIR_PAGE_PAGEHEAD_H

#include "report/page/pageindex.h"

/* All members but the columns, from the first brace on; sites too. */
int weir_pagehead_put(const struct weir_pagesource *page,
		      struct weir_pageindex *index, struct weir_text *out);

#endif
