/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a report page does not show. */
#ifndef WEIR_PAGE_PAGELIMITS_H
#define WEIR_PAGE_PAGELIMITS_H

#include "report/page/pagesource.h"

/* `"limits":[...]` */
void weir_pagelimits_put(const struct weir_pagesource *page,
			 struct weir_text *out);

#endif
