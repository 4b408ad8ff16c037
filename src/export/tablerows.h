/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of the tables that a trace is exported as. */
#ifndef WEIR_EXPORT_TABLEROWS_H
#define WEIR_EXPORT_TABLEROWS_H

#include "export/callbook.h"
#include "export/dump.h"
#include "export/tables.h"
#include "trace/map.h"

#include <stdint.h>

/* Who takes the rows. The cells are those of the table's columns. */
struct weir_tablerows_sink {
	int (*put)(void *own, enum weir_table table,
		   const struct weir_tables_cell *cells); /* 0 or -errno */
	void *own;
};

struct weir_tablerows {
	struct weir_tablerows_sink sink;
	struct weir_reader *reader;
	struct weir_callbook calls;
	struct weir_map threads; /* those that are in the table */
	struct weir_map open;	 /* operations under way, to their events */
	struct weir_text line;	 /* goes nowhere: to take its bytes from */
	uint64_t events;	 /* so far */
};

/* 0 or -ENOMEM; wants weir_tablerows_fini either way. */
int weir_tablerows_init(struct weir_tablerows *rows,
			struct weir_reader *reader,
			const struct weir_tablerows_sink *sink);
void weir_tablerows_fini(struct weir_tablerows *rows);

/* What is known before events: hosts, processes, threads, files. */
int weir_tablerows_begin(struct weir_tablerows *rows);

/* An event with its relation, whose frames it numbers. */
int weir_tablerows_event(struct weir_tablerows *rows,
			 const struct weir_dump_event *event);

/* What is known after the last: the run, and what is missing. */
int weir_tablerows_end(struct weir_tablerows *rows, const char *trace);

#endif
