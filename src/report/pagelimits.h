/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report page does not show, in words. */
#ifndef WEIR_REPORT_PAGELIMITS_H
#define WEIR_REPORT_PAGELIMITS_H

#include "report/as_page.h"

/* `"limits":[...]` */
void weir_pagelimits_put(const struct weir_as_page *page,
			 struct weir_text *out);

#endif
