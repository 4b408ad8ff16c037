/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the report page (doc/page.md). */
#include "report/page/as_page.h"

#include "report/output/memtext.h"
#include "report/page/pagecolumns.h"
#include "report/page/pagehead.h"

#include <errno.h>
#include <string.h>

#define MAGIC	"WEIRPAGE"
#define VERSION 1
#define FIXED	16 /* bytes before the head */
#define COLUMN	128 /* of JSON for a column, at most */

static void put_u32(uint8_t *to, uint32_t number)
{
	for (int i = 0; i < 4; i++, number >>= 8)
		to[i] = (uint8_t)number;
}

/*
 * The head tells where columns are, and so how long it is itself: room is
 * left for that, and filled with spaces.
 */
static int put_head(struct weir_memtext *text, struct weir_bytes *data,
		    const struct weir_pagecolumns *columns)
{
	size_t begin = data->used, start;
	uint8_t *fixed;
	int err = weir_bytes_add(data, MAGIC "\0\0\0\0\0\0\0\0", FIXED);

	err = err ? err : weir_memtext_take(text, data);
	if (err)
		return err;
	start = (data->used - begin + columns->count * COLUMN + 64) & ~7ul;
	weir_pagecolumns_put_json(columns, &text->out, start);
	weir_text_char(&text->out, '}');
	err = weir_memtext_take(text, data);
	if (err)
		return err;
	if (data->used - begin > start || start - FIXED > UINT32_MAX)
		return -E2BIG;
	err = weir_bytes_reserve(data, start);
	if (err)
		return err;
	memset(data->data + data->used, ' ', begin + start - data->used);
	data->used = begin + start;
	fixed = data->data + begin;
	put_u32(fixed + 8, VERSION);
	put_u32(fixed + 12, (uint32_t)(start - FIXED));
	return 0;
}

static int put_all(const struct weir_pagesource *page,
		   struct weir_pageindex *index, struct weir_bytes *data)
{
	struct weir_pagecolumns columns = { 0 };
	struct weir_memtext text;
	int err = weir_memtext_init(&text);

	if (err)
		return err;
	err = weir_pagehead_put(page, index, &text.out);
	err = err ? err : weir_pagecolumns_fill(&columns, page, index);
	err = err ? err : put_head(&text, data, &columns);
	err = err ? err : weir_bytes_add(data, columns.bytes.data,
					 columns.bytes.used);
	weir_pagecolumns_fini(&columns);
	weir_memtext_fini(&text);
	return err;
}

int weir_as_page_make(const struct weir_pagesource *page,
		      struct weir_bytes *ret_bytes)
{
	struct weir_bytes data = { 0 };
	struct weir_pageindex index;
	int err = weir_pageindex_init(&index, page);

	if (err)
		return err;
	err = put_all(page, &index, &data);
	weir_pageindex_fini(&index);
	if (err)
		weir_bytes_fini(&data);
	else
		*ret_bytes = data;
	return err;
}
