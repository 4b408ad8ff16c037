/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands the rows of an export to its format. */
#ifndef WEIR_TABLES_TABLEOUT_H
#define WEIR_TABLES_TABLEOUT_H

#include "base/text.h"
#include "export/tables/tables.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* A row in the making. */
typedef struct weir_tables_cell weir_tableout_row[WEIR_TABLES_MOST_COLUMNS];

/* Takes the rows. The cells are those of the table's columns. */
struct weir_tableout_sink {
	int (*put)(void *own, enum weir_table table,
		   const struct weir_tables_cell *cells); /* 0 or -errno */
	void *own;
};

struct weir_tableout {
	struct weir_tableout_sink sink;
	struct weir_reader *reader;
	struct weir_map threads; /* those that are in the table */
	struct weir_text line;	 /* goes nowhere: to take its bytes from */
	uint64_t events;	 /* so far */
};

/* 0 or -ENOMEM; wants weir_tableout_fini either way. */
int weir_tableout_init(struct weir_tableout *out, struct weir_reader *reader,
		       const struct weir_tableout_sink *sink);
void weir_tableout_fini(struct weir_tableout *out);

int weir_tableout_put(struct weir_tableout *out, enum weir_table table,
		      const struct weir_tables_cell *cells);

#endif
