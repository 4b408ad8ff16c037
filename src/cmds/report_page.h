/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report --html and --browse: writes or serves the page. */
#ifndef WEIR_CMDS_REPORT_PAGE_H
#define WEIR_CMDS_REPORT_PAGE_H

#include "pageserver/listener.h"
#include "report/page/as_page.h"

/* 0, or what to exit with after telling that there is no page to write. */
int weir_report_page_check(void);

/* What to exit with; whatever went wrong was told. */
int weir_report_page_write(const struct weir_pagesource *page, const char *to);
/* The same without the page around it. */
int weir_report_page_data(const struct weir_pagesource *page, const char *to);
int weir_report_page_browse(const struct weir_pagesource *page,
			    struct weir_listener *listener);

#endif
