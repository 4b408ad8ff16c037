/* SPDX-License-Identifier: BSD-3-Clause */
/* weir report --html and --serve. */
#ifndef WEIR_CMDS_REPORT_PAGE_H
#define WEIR_CMDS_REPORT_PAGE_H

#include "desk/server.h"
#include "report/as_page.h"

/* 0, or what to exit with after telling that there is no page to write. */
int weir_report_page_check(void);

/* What to exit with; whatever went wrong was told. */
int weir_report_page_write(const struct weir_as_page *page, const char *to);
/* The same without the page around it. */
int weir_report_page_data(const struct weir_as_page *page, const char *to);
int weir_report_page_serve(const struct weir_as_page *page,
			   struct weir_server *server);

#endif
