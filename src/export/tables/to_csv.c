/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each table of a trace as a file of comma-separated values. */
#include "export/export.h"

#include "export/tables/tablerows.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sheets {
	struct weir_tablerows rows;
	struct weir_text files[WEIR_TABLES];
	unsigned widths[WEIR_TABLES];
};

/* Safe already: only what is special to the format has to be hidden. */
static void put_csv_text(struct weir_text *out, const char *text, size_t len)
{
	bool needs = memchr(text, ',', len) || memchr(text, '"', len);

	if (!needs) {
		weir_text_bytes(out, text, len);
		return;
	}
	weir_text_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			weir_text_char(out, '"');
		weir_text_char(out, text[i]);
	}
	weir_text_char(out, '"');
}

static void put_cell(struct weir_text *out,
		     const struct weir_tables_cell *cell)
{
	switch (cell->type) {
	case WEIR_CELL_NONE:
		break;
	case WEIR_CELL_SIGNED:
		weir_text_signed(out, (int64_t)cell->number);
		break;
	case WEIR_CELL_UNSIGNED:
		weir_text_unsigned(out, cell->number);
		break;
	case WEIR_CELL_NAME:
		weir_text_csv(out, cell->text, cell->len);
		break;
	case WEIR_CELL_TEXT:
		put_csv_text(out, cell->text, cell->len);
		break;
	}
}

static int put_csv_row(void *own, enum weir_table table,
		       const struct weir_tables_cell *cells)
{
	struct sheets *sheets = own;
	struct weir_text *out = &sheets->files[table];

	for (unsigned i = 0; i < sheets->widths[table]; i++) {
		if (i)
			weir_text_char(out, ',');
		put_cell(out, &cells[i]);
	}
	weir_text_char(out, '\n');
	return out->err;
}

static void put_heading(struct sheets *sheets, enum weir_table table)
{
	struct weir_text *out = &sheets->files[table];

	for (unsigned i = 0; i < sheets->widths[table]; i++) {
		weir_text_string(out, i ? "," : "");
		weir_text_string(out, weir_tables[table].columns[i].name);
	}
	weir_text_char(out, '\n');
}

static int open_sheet(struct sheets *sheets, const char *folder,
		      enum weir_table table)
{
	char path[PATH_MAX];
	int fd, err;

	if (snprintf(path, sizeof(path), "%s/%s.csv", folder,
		     weir_tables[table].name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = weir_text_init(&sheets->files[table], fd);
	if (err) {
		close(fd);
		return err;
	}
	sheets->widths[table] = weir_tables_width(table);
	put_heading(sheets, table);
	return 0;
}

static int begin_csv(struct weir_export *export)
{
	struct sheets *sheets = calloc(1, sizeof(*sheets));
	struct weir_tableout_sink sink = { put_csv_row, sheets };
	int err;

	if (!sheets)
		return -ENOMEM;
	export->own = sheets;
	err = weir_tablerows_init(&sheets->rows, export->reader, &sink);
	if (!err && mkdir(export->place, 0777))
		err = -errno;
	for (int i = 0; !err && i < WEIR_TABLES; i++)
		err = open_sheet(sheets, export->place, i);
	return err ? err : weir_tablerows_begin(&sheets->rows);
}

static int put_csv_event(struct weir_export *export,
			 const struct weir_dump_event *event)
{
	struct sheets *sheets = export->own;

	return weir_tablerows_event(&sheets->rows, event);
}

static int end_csv(struct weir_export *export)
{
	struct sheets *sheets = export->own;
	int err = weir_tablerows_end(&sheets->rows, export->trace);

	for (int i = 0; !err && i < WEIR_TABLES; i++)
		err = weir_text_flush(&sheets->files[i]);
	return err;
}

static void leave_csv(struct weir_export *export)
{
	struct sheets *sheets = export->own;

	if (!sheets)
		return;
	for (int i = 0; i < WEIR_TABLES; i++) {
		if (!sheets->files[i].bytes)
			continue;
		close(sheets->files[i].fd);
		weir_text_fini(&sheets->files[i]);
	}
	weir_tablerows_fini(&sheets->rows);
	free(sheets);
}

const struct weir_export_format weir_to_csv = {
	.name = "csv",
	.begin = begin_csv,
	.event = put_csv_event,
	.end = end_csv,
	.leave = leave_csv,
};
