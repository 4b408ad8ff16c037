/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands the rows of an export to its format. */
#include "export/tables/tableout.h"

int weir_tableout_init(struct weir_tableout *out, struct weir_reader *reader,
		       const struct weir_tableout_sink *sink)
{
	*out = (struct weir_tableout){ .sink = *sink, .reader = reader };
	return weir_text_init(&out->line, -1);
}

void weir_tableout_fini(struct weir_tableout *out)
{
	weir_map_fini(&out->threads);
	weir_text_fini(&out->line);
}

int weir_tableout_put(struct weir_tableout *out, enum weir_table table,
		      const struct weir_tables_cell *cells)
{
	return out->sink.put(out->sink.own, table, cells);
}
