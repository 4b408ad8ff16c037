/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of the tables that a trace is exported as. */
#ifndef WEIR_TABLES_TABLEROWS_H
#define WEIR_TABLES_TABLEROWS_H

#include "export/callbook.h"
#include "export/dump/dump.h"
#include "export/tables/tableout.h"
#include "trace/bytes/map.h"

struct weir_tablerows {
	struct weir_tableout out;
	struct weir_callbook calls;
	struct weir_map open; /* operations under way, to their events */
};

/* 0 or -ENOMEM; wants weir_tablerows_fini either way. */
int weir_tablerows_init(struct weir_tablerows *rows, struct weir_reader *reader,
			const struct weir_tableout_sink *sink);
void weir_tablerows_fini(struct weir_tablerows *rows);

/* What is known before events: hosts, processes, threads, files. */
int weir_tablerows_begin(struct weir_tablerows *rows);

/* An event with its relation, whose frames it numbers. */
int weir_tablerows_event(struct weir_tablerows *rows,
			 const struct weir_dump_event *event);

/* What is known after the last: the run, and what is missing. */
int weir_tablerows_end(struct weir_tablerows *rows, const char *trace);

#endif
