/* SPDX-License-Identifier: BSD-3-Clause */
/* The head of the report page's data: what the columns are about. */
#ifndef WEIR_REPORT_PAGEHEAD_H
#define WEIR_REPORT_PAGEHEAD_H

#include "report/as_page.h"
#include "report/pagecolumns.h"

/* Most files and processes that the report in the head lists. */
#define WEIR_PAGEHEAD_LISTED 300

/*
 * Finds the order of layers, calls and sites. Wants weir_pagehead_forget(). 0
 * or -ENOMEM.
 */
int weir_pagehead_index(const struct weir_as_page *page,
			struct weir_pageindex *ret_index);
void weir_pagehead_forget(struct weir_pageindex *index);

/* All members but the columns, from the first brace on; sites too. */
int weir_pagehead_put(const struct weir_as_page *page,
		      struct weir_pageindex *index, struct weir_text *out);

#endif
