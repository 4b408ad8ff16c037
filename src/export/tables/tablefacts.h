/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of all but events: hosts, processes, files, losses. */
#ifndef WEIR_TABLES_TABLEFACTS_H
#define WEIR_TABLES_TABLEFACTS_H

#include "export/tables/tableout.h"

/* Hosts, processes, their threads, and files. */
int weir_tablefacts_before(struct weir_tableout *out);

/* A thread, unless it is in the table; tid 0: not known. */
int weir_tablefacts_thread(struct weir_tableout *out, uint32_t proc,
			   uint32_t thread, uint32_t tid);

/* The run as it was read, and what is not in the tables. */
int weir_tablefacts_after(struct weir_tableout *out, const char *trace);

#endif
