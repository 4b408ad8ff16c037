/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the columns of numbers that the report page reads. */
#include "report/page/pagecolumns.h"

#include "report/output/jsonout.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name;
	uint8_t bytes;
} types[] = {
	[WEIR_PAGE_U8] = { "u8", 1 },	[WEIR_PAGE_U16] = { "u16", 2 },
	[WEIR_PAGE_U32] = { "u32", 4 }, [WEIR_PAGE_I32] = { "i32", 4 },
	[WEIR_PAGE_F32] = { "f32", 4 }, [WEIR_PAGE_F64] = { "f64", 8 },
};

/* Where the number of a row of a cube comes from. */
enum source { BIN, REST, LAYER, PLACED, KIND, SUM, SECONDS };

struct field {
	const char *name;
	enum weir_pagecolumns_type type;
	enum source source;
	unsigned shift; /* of a rest; or which sum */
	uint64_t mask;
};

#define FIELDS 10

static const struct {
	enum weir_overview_cube cube;
	const char *name;
	struct field fields[FIELDS];
} tables[] = {
	{ WEIR_OVERVIEW_CELLS,
	  "cells",
	  { { "bin", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "who", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "layer", WEIR_PAGE_U8, LAYER, 16, 0xff },
	    { "class", WEIR_PAGE_U8, REST, 8, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "bytes", WEIR_PAGE_F64, SUM, 1, 0 },
	    { "time", WEIR_PAGE_F32, SECONDS, 2, 0 },
	    { "own", WEIR_PAGE_F32, SECONDS, 3, 0 } } },
	{ WEIR_OVERVIEW_PATHS,
	  "paths",
	  { { "bin", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "node", WEIR_PAGE_U16, REST, 8, 0xffffff },
	    { "who", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "bytes", WEIR_PAGE_F64, SUM, 1, 0 },
	    { "time", WEIR_PAGE_F32, SECONDS, 2, 0 },
	    { "own", WEIR_PAGE_F32, SECONDS, 3, 0 } } },
	{ WEIR_OVERVIEW_SIZES,
	  "sizes",
	  { { "bin", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "layer", WEIR_PAGE_U8, LAYER, 16, 0xff },
	    { "class", WEIR_PAGE_U8, REST, 8, 0xff },
	    { "power", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "bytes", WEIR_PAGE_F64, SUM, 1, 0 } } },
	{ WEIR_OVERVIEW_SHARE,
	  "share",
	  { { "bin", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "file", WEIR_PAGE_U16, REST, 8, 0xffff },
	    { "who", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "read", WEIR_PAGE_F64, SUM, 1, 0 },
	    { "written", WEIR_PAGE_F64, SUM, 2, 0 },
	    { "time", WEIR_PAGE_F32, SECONDS, 3, 0 } } },
	{ WEIR_OVERVIEW_STEPSUM,
	  "stepsum",
	  { { "step", WEIR_PAGE_U16, REST, 24, 0xffff },
	    { "who", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "layer", WEIR_PAGE_U8, LAYER, 16, 0xff },
	    { "class", WEIR_PAGE_U8, REST, 8, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "bytes", WEIR_PAGE_F64, SUM, 1, 0 },
	    { "time", WEIR_PAGE_F32, SECONDS, 2, 0 } } },
	{ WEIR_OVERVIEW_ACCESS,
	  "access",
	  { { "time", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "file", WEIR_PAGE_U16, PLACED, 16, 0xffff },
	    { "offset", WEIR_PAGE_U8, REST, 8, 0xff },
	    { "write", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "bytes", WEIR_PAGE_F64, SUM, 1, 0 } } },
	{ WEIR_OVERVIEW_LATENCY,
	  "latency",
	  { { "bin", WEIR_PAGE_U16, BIN, 0, 0 },
	    { "call", WEIR_PAGE_U16, KIND, 8, 0x1ffff },
	    { "quarter", WEIR_PAGE_U8, REST, 0, 0xff },
	    { "calls", WEIR_PAGE_U32, SUM, 0, 0 },
	    { "time", WEIR_PAGE_F32, SECONDS, 1, 0 } } },
};

void weir_pagecolumns_fini(struct weir_pagecolumns *columns)
{
	weir_bytes_fini(&columns->bytes);
}

/* Columns begin at multiples of 8, so that arrays may lie over them. */
static int begin_column(struct weir_pagecolumns *columns, const char *table,
			const char *name, enum weir_pagecolumns_type type,
			uint32_t count)
{
	static const uint8_t zeros[8];
	struct weir_pagecolumn *column = &columns->list[columns->count];
	size_t gap = -columns->bytes.used & 7;
	int err = weir_bytes_add(&columns->bytes, zeros, gap);

	if (columns->count == WEIR_PAGECOLUMNS_MOST)
		return -E2BIG;
	err = err ? err : weir_bytes_reserve(&columns->bytes,
					     (size_t)count * types[type].bytes);
	if (err)
		return err;
	*column = (struct weir_pagecolumn){ .table = table, .name = name,
					    .type = type,
					    .at = columns->bytes.used,
					    .count = count };
	columns->count++;
	return 0;
}

/*
 * Counts beyond 32 bits are shown as the largest: the page draws, it does not
 * add them up.
 */
static uint32_t within(double value)
{
	return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX :
						    (uint32_t)value;
}

/*
 * Typed arrays of browsers are those of the machine, which are little-endian
 * and IEEE everywhere.
 */
static uint64_t bits_of(double value, enum weir_pagecolumns_type type)
{
	float single = (float)value;
	uint64_t bits = 0;
	uint32_t half;

	if (type == WEIR_PAGE_F64) {
		memcpy(&bits, &value, sizeof(bits));
	} else if (type == WEIR_PAGE_F32) {
		memcpy(&half, &single, sizeof(half));
		bits = half;
	} else if (type == WEIR_PAGE_I32) {
		bits = (uint32_t)(int32_t)value;
	} else {
		bits = within(value);
	}
	return bits;
}

/* The lowest byte first, on every machine. There is room for it. */
static void put_value(struct weir_pagecolumns *columns, double value)
{
	enum weir_pagecolumns_type type =
		columns->list[columns->count - 1].type;
	uint64_t bits = bits_of(value, type);

	for (uint8_t i = 0; i < types[type].bytes; i++, bits >>= 8)
		columns->bytes.data[columns->bytes.used++] = (uint8_t)bits;
}

static double cube_value(const struct weir_cube_row *row,
			 const struct field *field,
			 const struct weir_pageindex *index)
{
	uint64_t rest = weir_cube_rest(row) >> field->shift & field->mask;

	switch (field->source) {
	case BIN:
		return (double)weir_cube_bin(row);
	case LAYER:
		return index->layer_of[rest];
	case KIND:
		return index->call_of[rest];
	case PLACED:
		return index->placed_of[rest];
	case SUM:
		return (double)row->sums[field->shift];
	case SECONDS:
		return (double)row->sums[field->shift] / 1e9;
	default:
		return (double)rest;
	}
}

static int put_cube(struct weir_pagecolumns *columns, const char *table,
		    const struct weir_cube *cube, const struct field *fields,
		    const struct weir_pageindex *index)
{
	int err = 0;

	for (; !err && fields->name; fields++) {
		err = begin_column(columns, table, fields->name, fields->type,
				   cube->count);
		for (uint32_t i = 0; !err && i < cube->count; i++)
			put_value(columns,
				  cube_value(&cube->rows[i], fields, index));
	}
	return err;
}

/* What a column tells of a call of the sample. */
enum part {
	START, DUR, WHO, PROCESS, THREAD, INDEX, CALL, FILE_OF, LAYER_OF,
	CLASS, DEPTH, FLAGS, WHY, OFF, SIZE, RET, ORDER, PARENT, BELOW, SITE,
};

static const struct {
	const char *name;
	enum weir_pagecolumns_type type;
} parts[] = {
	[START] = { "start", WEIR_PAGE_F64 },
	[DUR] = { "dur", WEIR_PAGE_F64 },
	[WHO] = { "who", WEIR_PAGE_U8 },
	[PROCESS] = { "process", WEIR_PAGE_U32 },
	[THREAD] = { "thread", WEIR_PAGE_U32 },
	[INDEX] = { "number", WEIR_PAGE_F64 },
	[CALL] = { "call", WEIR_PAGE_U16 },
	[FILE_OF] = { "file", WEIR_PAGE_I32 },
	[LAYER_OF] = { "layer", WEIR_PAGE_U8 },
	[CLASS] = { "class", WEIR_PAGE_U8 },
	[DEPTH] = { "depth", WEIR_PAGE_U8 },
	[FLAGS] = { "flags", WEIR_PAGE_U8 },
	[WHY] = { "why", WEIR_PAGE_U8 },
	[OFF] = { "off", WEIR_PAGE_F64 },
	[SIZE] = { "size", WEIR_PAGE_F64 },
	[RET] = { "ret", WEIR_PAGE_F64 },
	[ORDER] = { "order", WEIR_PAGE_U32 },
	[PARENT] = { "parent", WEIR_PAGE_I32 },
	[BELOW] = { "below", WEIR_PAGE_U32 },
	[SITE] = { "site", WEIR_PAGE_I32 },
};

static double index_or_none(uint32_t number)
{
	return number == WEIR_SAMPLE_NONE ? -1.0 : number;
}

static double exemplar_part(const struct weir_exemplar *one, enum part part,
			    const struct weir_outline *outline)
{
	const double numbers[] = {
		[START] = (double)one->start,
		[DUR] = one->flags & WEIR_SAMPLE_ENTERED ? -1 :
							   (double)one->dur,
		[WHO] = one->id.proc <= outline->processes ?
				outline->group_of[one->id.proc] :
				WEIR_OUTLINE_NOBODY,
		[PROCESS] = one->id.proc,
		[THREAD] = one->id.thread,
		[INDEX] = (double)one->id.index,
		[FILE_OF] = one->file == weir_outline_none(outline) ?
				    -1 : one->file,
		[CLASS] = one->class,
		[DEPTH] = one->depth,
		[FLAGS] = one->flags,
		[WHY] = one->why,
		[OFF] = one->flags & WEIR_SAMPLE_NOOFF ? -1 :
							 (double)one->off,
		[SIZE] = (double)one->size,
		[RET] = (double)one->ret,
		[ORDER] = one->order,
		[PARENT] = index_or_none(one->parent),
		[BELOW] = (double)one->below,
	};

	return numbers[part];
}

static int put_sample(struct weir_pagecolumns *columns,
		      const struct weir_overview *overview,
		      const struct weir_pageindex *index)
{
	int err = 0;

	for (unsigned k = 0; !err && k < sizeof(parts) / sizeof(*parts); k++) {
		err = begin_column(columns, "sample", parts[k].name,
				   parts[k].type, overview->chosen_count);
		for (uint32_t i = 0; !err && i < overview->chosen_count; i++) {
			const struct weir_exemplar *one = &overview->chosen[i];

			if (k == CALL)
				put_value(columns,
					  index->call_of[weir_overview_call(
						  one->call, one->class)]);
			else if (k == LAYER_OF)
				put_value(columns, index->layer_of[one->layer]);
			else if (k == SITE)
				put_value(
					columns,
					one->site == WEIR_SAMPLE_NONE
						? -1
						: index_or_none(
							  index->site_of
								  [one->site]));
			else
				put_value(columns,
					  exemplar_part(one, (enum part)k,
							overview->outline));
		}
	}
	return err;
}

static int put_processes(struct weir_pagecolumns *columns,
			 const struct weir_outline *outline)
{
	int err = begin_column(columns, "processes", "number", WEIR_PAGE_U32,
			       outline->order_count);

	for (uint32_t i = 0; !err && i < outline->order_count; i++)
		put_value(columns, outline->order[i]);
	err = err ? err
		  : begin_column(columns, "processes", "who", WEIR_PAGE_U8,
				 outline->order_count);
	for (uint32_t i = 0; !err && i < outline->order_count; i++)
		put_value(columns, i / outline->per_group);
	return err;
}

int weir_pagecolumns_fill(struct weir_pagecolumns *columns,
			  const struct weir_pagesource *page,
			  const struct weir_pageindex *index)
{
	static const struct weir_cube nothing;
	const struct weir_overview *overview = page->overview;
	int err = put_processes(columns, overview->outline);

	for (size_t i = 0; !err && i < sizeof(tables) / sizeof(*tables); i++) {
		const struct weir_cube *cube = &overview->cubes[tables[i].cube];

		/* Who has all calls needs no map of them. */
		if ((tables[i].cube == WEIR_OVERVIEW_ACCESS &&
		     overview->outline->calls <= WEIR_SAMPLE_MOST) ||
		    (tables[i].cube == WEIR_OVERVIEW_STEPSUM &&
		     overview->steps_in_all < 2))
			cube = &nothing;
		err = put_cube(columns, tables[i].name, cube,
			       tables[i].fields, index);
	}
	return err ? err : put_sample(columns, overview, index);
}

void weir_pagecolumns_put_json(const struct weir_pagecolumns *columns,
			       struct weir_text *out, uint64_t start)
{
	weir_jsonout_key(out, "columns", 0);
	for (unsigned i = 0; i < columns->count; i++) {
		const struct weir_pagecolumn *column = &columns->list[i];

		weir_text_format(out, "%c\n\"%s.%s\":{\"type\":\"%s\"",
				 i ? ',' : '{', column->table, column->name,
				 types[column->type].name);
		weir_jsonout_number(out, "at", start + column->at);
		weir_jsonout_number(out, "count", column->count);
		weir_text_char(out, '}');
	}
	weir_text_string(out, columns->count ? "}" : "{}");
}
