/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of what a trace tells besides its events. */
#ifndef WEIR_EXPORT_TABLEFACTS_H
#define WEIR_EXPORT_TABLEFACTS_H

#include "export/tablerows.h"

/* Hosts, processes, their threads, and files. */
int weir_tablefacts_before(struct weir_tablerows *rows);

/* A thread, unless it is in the table; tid 0: not known. */
int weir_tablefacts_thread(struct weir_tablerows *rows, uint32_t proc,
			   uint32_t thread, uint32_t tid);

/* The run as it was read, and what is not in the tables. */
int weir_tablefacts_after(struct weir_tablerows *rows, const char *trace);

#endif
