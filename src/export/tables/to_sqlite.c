/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of a trace into an SQLite database. */
#include "export/export.h"

#include "export/tables/tablerows.h"
#include "export/tables/tableviews.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define COMMIT_EVERY 0x20000 /* events */

struct database {
	struct weir_tablerows rows;
	struct weir_text safe; /* goes nowhere: to take its bytes from */
	sqlite3 *db;
	sqlite3_stmt *inserts[WEIR_TABLES];
	unsigned widths[WEIR_TABLES];
};

/*
 * Nobody reads it before it is whole, and what is not whole is removed: there
 * is no need for a journal.
 */
static const char settings[] = "PRAGMA journal_mode=OFF;"
			       "PRAGMA synchronous=OFF;"
			       "PRAGMA locking_mode=EXCLUSIVE;"
			       "PRAGMA cache_size=-32768;" /* KiB */
			       "PRAGMA application_id=0x77656972;"
			       "PRAGMA user_version=1;";

static int error_of(int code)
{
	static const struct {
		int code, err;
	} errors[] = {
		{ SQLITE_NOMEM, -ENOMEM },     { SQLITE_FULL, -ENOSPC },
		{ SQLITE_CANTOPEN, -EACCES },  { SQLITE_READONLY, -EROFS },
		{ SQLITE_TOOBIG, -EOVERFLOW },
	};

	if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
		return 0;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i].code == (code & 0xff))
			return errors[i].err;
	return -EIO;
}

static int run_sql(struct database *base, const char *sql)
{
	return error_of(sqlite3_exec(base->db, sql, NULL, NULL, NULL));
}

/* --- rows --------------------------------------------------------------- */

/* Integers of SQLite are signed; what is larger is text. */
static int bind_unsigned(sqlite3_stmt *insert, int at, uint64_t number)
{
	char digits[24];

	if (number <= INT64_MAX)
		return sqlite3_bind_int64(insert, at, (int64_t)number);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	return sqlite3_bind_text(insert, at, digits, -1, SQLITE_TRANSIENT);
}

static int bind_text(sqlite3_stmt *insert, int at, const char *text,
		     size_t len)
{
	return sqlite3_bind_text64(insert, at, text, len, SQLITE_TRANSIENT,
				   SQLITE_UTF8);
}

static int bind_name(struct database *base, sqlite3_stmt *insert, int at,
		     const struct weir_tables_cell *cell)
{
	struct weir_text *safe = &base->safe;

	safe->used = 0;
	weir_text_safe(safe, cell->text, cell->len);
	if (safe->err) {
		safe->err = 0;
		return SQLITE_TOOBIG;
	}
	return bind_text(insert, at, safe->bytes, safe->used);
}

static int bind_cell(struct database *base, sqlite3_stmt *insert, int at,
		     const struct weir_tables_cell *cell)
{
	switch (cell->type) {
	case WEIR_CELL_SIGNED:
		return sqlite3_bind_int64(insert, at, (int64_t)cell->number);
	case WEIR_CELL_UNSIGNED:
		return bind_unsigned(insert, at, cell->number);
	case WEIR_CELL_NAME:
		return bind_name(base, insert, at, cell);
	case WEIR_CELL_TEXT:
		return bind_text(insert, at, cell->text, cell->len);
	default:
		return sqlite3_bind_null(insert, at);
	}
}

static int put_sqlite_row(void *own, enum weir_table table,
			  const struct weir_tables_cell *cells)
{
	struct database *base = own;
	sqlite3_stmt *insert = base->inserts[table];
	int code = SQLITE_OK;

	for (unsigned i = 0; code == SQLITE_OK && i < base->widths[table]; i++)
		code = bind_cell(base, insert, (int)i + 1, &cells[i]);
	if (code == SQLITE_OK)
		code = sqlite3_step(insert);
	sqlite3_reset(insert);
	return error_of(code);
}

/* --- the database ------------------------------------------------------- */

static int make_table(struct database *base, enum weir_table table)
{
	const struct weir_tables_shape *shape = &weir_tables[table];
	char create[1024], insert[1024];
	int made, said;

	base->widths[table] = weir_tables_width(table);
	made = snprintf(create, sizeof(create), "CREATE TABLE %s(",
			shape->name);
	said = snprintf(insert, sizeof(insert), "INSERT INTO %s VALUES(",
			shape->name);
	for (unsigned i = 0; i < base->widths[table]; i++) {
		const struct weir_tables_column *column = &shape->columns[i];

		made += snprintf(create + made, sizeof(create) - (size_t)made,
				 "%s%s %s", i ? ", " : "", column->name,
				 column->type);
		said += snprintf(insert + said, sizeof(insert) - (size_t)said,
				 i ? ",?" : "?");
	}
	snprintf(create + made, sizeof(create) - (size_t)made, ")");
	snprintf(insert + said, sizeof(insert) - (size_t)said, ")");
	made = run_sql(base, create);
	return made ? made :
		      error_of(sqlite3_prepare_v2(base->db, insert, -1,
						  &base->inserts[table],
						  NULL));
}

static int open_database(struct database *base, const char *path)
{
	int err = error_of(sqlite3_open_v2(path, &base->db,
					   SQLITE_OPEN_READWRITE |
						   SQLITE_OPEN_CREATE |
						   SQLITE_OPEN_NOMUTEX,
					   NULL));

	if (!err)
		err = run_sql(base, settings);
	if (!err)
		err = run_sql(base, "BEGIN");
	for (int i = 0; !err && i < WEIR_TABLES; i++)
		err = make_table(base, i);
	return err;
}

static int told(struct weir_export *export, int err)
{
	const struct database *base = export->own;

	if (err && base && base->db)
		snprintf(export->error, sizeof(export->error), "%s",
			 sqlite3_errmsg(base->db));
	return err;
}

static int begin_sqlite(struct weir_export *export)
{
	struct database *base = calloc(1, sizeof(*base));
	struct weir_tableout_sink sink = { put_sqlite_row, base };
	int err;

	if (!base)
		return -ENOMEM;
	export->own = base;
	err = weir_tablerows_init(&base->rows, export->reader, &sink);
	if (!err)
		err = weir_text_init(&base->safe, -1);
	if (!err)
		err = open_database(base, export->place);
	return told(export, err ? err : weir_tablerows_begin(&base->rows));
}

static int put_sqlite_event(struct weir_export *export,
			    const struct weir_dump_event *event)
{
	struct database *base = export->own;
	int err = weir_tablerows_event(&base->rows, event);

	if (!err && export->events % COMMIT_EVERY == 0)
		err = run_sql(base, "COMMIT; BEGIN");
	return told(export, err);
}

static int end_sqlite(struct weir_export *export)
{
	struct database *base = export->own;
	int err = weir_tablerows_end(&base->rows, export->trace);

	if (!err)
		err = run_sql(base, weir_tableviews_sql);
	if (!err)
		err = run_sql(base, "COMMIT");
	return told(export, err);
}

static void leave_sqlite(struct weir_export *export)
{
	struct database *base = export->own;

	if (!base)
		return;
	for (int i = 0; i < WEIR_TABLES; i++)
		sqlite3_finalize(base->inserts[i]);
	sqlite3_close(base->db);
	weir_text_fini(&base->safe);
	weir_tablerows_fini(&base->rows);
	free(base);
}

const struct weir_export_format weir_to_sqlite = {
	.name = "sqlite",
	.begin = begin_sqlite,
	.event = put_sqlite_event,
	.end = end_sqlite,
	.leave = leave_sqlite,
};
