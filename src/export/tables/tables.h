/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the tables of an export and their columns (doc/export.md). */
#ifndef WEIR_TABLES_TABLES_H
#define WEIR_TABLES_TABLES_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum weir_table {
	WEIR_TABLE_RUNS,
	WEIR_TABLE_HOSTS,
	WEIR_TABLE_PROCESSES,
	WEIR_TABLE_THREADS,
	WEIR_TABLE_FILES,
	WEIR_TABLE_CALLS,
	WEIR_TABLE_PARAMETERS,
	WEIR_TABLE_EVENTS,
	WEIR_TABLE_ARGUMENTS,
	WEIR_TABLE_LINKS,
	WEIR_TABLE_LOSSES,
	WEIR_TABLE_MARKS,
	WEIR_TABLES,
};

#define WEIR_TABLES_MOST_COLUMNS 20

struct weir_tables_column {
	const char *name;
	const char *type; /* in SQL */
};

struct weir_tables_shape {
	const char *name;
	struct weir_tables_column columns[WEIR_TABLES_MOST_COLUMNS + 1];
};

/* Columns end with one that has no name. */
extern const struct weir_tables_shape weir_tables[WEIR_TABLES];

enum weir_tables_type {
	WEIR_CELL_NONE,
	WEIR_CELL_SIGNED,
	WEIR_CELL_UNSIGNED,
	WEIR_CELL_NAME, /* any bytes, to be written in their safe form */
	WEIR_CELL_TEXT, /* safe already */
};

struct weir_tables_cell {
	enum weir_tables_type type;
	uint64_t number;
	const char *text; /* borrowed */
	size_t len;
};

unsigned weir_tables_width(enum weir_table table);

static inline struct weir_tables_cell weir_tables_none(void)
{
	return (struct weir_tables_cell){ .type = WEIR_CELL_NONE };
}

static inline struct weir_tables_cell weir_tables_signed(int64_t number)
{
	return (struct weir_tables_cell){ .type = WEIR_CELL_SIGNED,
					  .number = (uint64_t)number };
}

static inline struct weir_tables_cell weir_tables_unsigned(uint64_t number)
{
	return (struct weir_tables_cell){ .type = WEIR_CELL_UNSIGNED,
					  .number = number };
}

static inline struct weir_tables_cell weir_tables_bytes(const void *bytes,
							size_t len)
{
	return (struct weir_tables_cell){ .type = WEIR_CELL_NAME,
					  .text = bytes, .len = len };
}

/* Both of no text are no value. */
static inline struct weir_tables_cell weir_tables_name(const char *name)
{
	if (!name)
		return weir_tables_none();
	return weir_tables_bytes(name, strlen(name));
}

static inline struct weir_tables_cell weir_tables_text(const char *text)
{
	if (!text)
		return weir_tables_none();
	return (struct weir_tables_cell){ .type = WEIR_CELL_TEXT,
					  .text = text,
					  .len = strlen(text) };
}

/* What has been put into `line`. */
static inline struct weir_tables_cell
weir_tables_line(const struct weir_text *line)
{
	return (struct weir_tables_cell){ .type = WEIR_CELL_TEXT,
					  .text = line->bytes,
					  .len = line->used };
}

#endif
