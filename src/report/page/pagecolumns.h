/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the columns of numbers that the report page reads. */
#ifndef WEIR_PAGE_PAGECOLUMNS_H
#define WEIR_PAGE_PAGECOLUMNS_H

#include "base/text.h"
#include "report/page/pageindex.h"
#include "trace/bytes/bytes.h"

#include <stdint.h>

#define WEIR_PAGECOLUMNS_MOST 80

enum weir_pagecolumns_type {
	WEIR_PAGE_U8,
	WEIR_PAGE_U16,
	WEIR_PAGE_U32,
	WEIR_PAGE_I32,
	WEIR_PAGE_F32,
	WEIR_PAGE_F64,
};

struct weir_pagecolumn {
	const char *table, *name;
	enum weir_pagecolumns_type type;
	uint64_t at; /* in the bytes, which come after the head */
	uint32_t count;
};

/* Zero it to begin. */
struct weir_pagecolumns {
	struct weir_bytes bytes;
	struct weir_pagecolumn list[WEIR_PAGECOLUMNS_MOST];
	unsigned count;
};

void weir_pagecolumns_fini(struct weir_pagecolumns *columns);

/* All tables of a page. 0 or -ENOMEM. */
int weir_pagecolumns_fill(struct weir_pagecolumns *columns,
			  const struct weir_pagesource *page,
			  const struct weir_pageindex *index);

/* `"columns":{...}`, where the first byte is `start` bytes into the data. */
void weir_pagecolumns_put_json(const struct weir_pagecolumns *columns,
			       struct weir_text *out, uint64_t start);

#endif
