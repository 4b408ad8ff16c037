/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up figures of calls in the rows of an answer. */
#include "analyse/query/queryrows.h"

#include "base/grow.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_KEPT 4096 /* rows, before those that do not matter are dropped */

void weir_queryrows_init(struct weir_queryrows *rows,
			 const struct weir_query *query,
			 const struct weir_queryrows_names *names)
{
	*rows = (struct weir_queryrows){
		.query = query,
		.names = *names,
		.is_final = weir_queryparse_groups(query, WEIR_QUERY_ID),
	};
}

void weir_queryrows_fini(struct weir_queryrows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++)
		free(rows->rows[i].figures);
	free(rows->rows);
	weir_map_fini(&rows->index);
	weir_names_fini(&rows->calls);
	*rows = (struct weir_queryrows){ 0 };
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_key(const struct weir_queryrows *rows, enum weir_query_key key,
		  uint64_t a, uint64_t b)
{
	const struct weir_queryrows_names *names = &rows->names;
	size_t len;

	if (a == b)
		return 0;
	switch (key) {
	case WEIR_QUERY_CALL:
	case WEIR_QUERY_MOUNT:
	case WEIR_QUERY_ERRNO:
		return compare_names(
			weir_names_get(&rows->calls, (uint32_t)a, &len),
			weir_names_get(&rows->calls, (uint32_t)b, &len));
	case WEIR_QUERY_LAYER:
		return weir_callfacts_is_above(names->facts, (unsigned)a,
					       (unsigned)b) ? -1 : 1;
	case WEIR_QUERY_FILE:
		return compare_names(
			weir_reader_name(names->reader, (uint32_t)a, &len),
			weir_reader_name(names->reader, (uint32_t)b, &len));
	case WEIR_QUERY_HOST:
		return compare_names(
			weir_names_get(names->hosts, (uint32_t)a, &len),
			weir_names_get(names->hosts, (uint32_t)b, &len));
	case WEIR_QUERY_PROGRAM:
		return compare_names(
			weir_names_get(names->programs, (uint32_t)a, &len),
			weir_names_get(names->programs, (uint32_t)b, &len));
	default:
		return compare_numbers(a, b);
	}
}

/* Calls in the order of time, all else in its own. */
static int by_groups(const void *left, const void *right, void *context)
{
	const struct weir_query_row *a = left, *b = right;
	const struct weir_queryrows *rows = context;
	const struct weir_query *query = rows->query;
	int order = 0;

	for (unsigned i = 0; !order && i < query->group_count; i++) {
		if (query->groups[i] == WEIR_QUERY_ID &&
		    a->keys[i] != b->keys[i])
			order = compare_numbers(a->start, b->start);
		order = order ? order : by_key(rows, query->groups[i],
					       a->keys[i], b->keys[i]);
	}
	return order;
}

/* Of rates, and of what each call has for itself, sums tell nothing. */
static double weight(const struct weir_query *query,
		     const struct weir_query_row *row)
{
	switch (query->metric) {
	case WEIR_QUERY_LATENCY:
	case WEIR_QUERY_COUNT:
	case WEIR_QUERY_BYTES:
	case WEIR_QUERY_COMM_TIME:
	case WEIR_QUERY_DISK_ACCESSES:
	case WEIR_QUERY_ENERGY:
		return row->sum;
	default:
		return row->sum / (double)row->calls;
	}
}

static int by_weight(const void *left, const void *right, void *context)
{
	const struct weir_queryrows *rows = context;
	double a = weight(rows->query, left);
	double b = weight(rows->query, right);

	if (a != b)
		return a < b ? 1 : -1;
	return by_groups(left, right, context);
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The least figure that so many per cent do not exceed. */
static double percentile(const struct weir_query_row *row, uint64_t percent)
{
	uint64_t rank = (row->calls * percent + 99) / 100;

	return row->figures[rank ? rank - 1 : 0];
}

static void tell_percentiles(struct weir_query_row *row)
{
	if (!row->figures)
		return;
	qsort(row->figures, row->calls, sizeof(*row->figures), by_size);
	row->p50 = percentile(row, 50);
	row->p90 = percentile(row, 90);
	row->p99 = percentile(row, 99);
	free(row->figures);
	row->figures = NULL;
}

void weir_queryrows_sort(struct weir_queryrows *rows)
{
	uint64_t top = rows->query->top;

	if (!rows->count)
		return;
	for (uint32_t i = 0; i < rows->count; i++)
		tell_percentiles(&rows->rows[i]);
	qsort_r(rows->rows, rows->count, sizeof(*rows->rows),
		top ? by_weight : by_groups, rows);
	if (!top || top >= rows->count)
		return;
	rows->dropped += rows->count - top;
	rows->count = (uint32_t)top;
}

/*
 * Where each call has a row, those that cannot be among the `top' go early: who
 * asks for the slowest ten of a million calls does not need memory for all.
 */
static int make_row(struct weir_queryrows *rows)
{
	uint64_t top = rows->query->top;

	if (rows->is_final && top && rows->count >= LEAST_KEPT &&
	    rows->count / 2 >= top)
		weir_queryrows_sort(rows);
	if (rows->count == WEIR_QUERYROWS_MOST)
		return -E2BIG;
	if (WEIR_GROW(rows->rows, rows->count, rows->room))
		return -ENOMEM;
	rows->rows[rows->count++] = (struct weir_query_row){ .calls = 0 };
	return 0;
}

static int find_row(struct weir_queryrows *rows, const uint64_t *keys,
		    struct weir_query_row **ret_row)
{
	size_t bytes = rows->query->group_count * sizeof(*keys);
	uint64_t hash = rows->is_final ? 0 : weir_hash_bytes(keys, bytes);
	uint64_t at = rows->is_final ? 0 : weir_map_get(&rows->index, hash);
	int err;

	if (!at) {
		err = make_row(rows);
		at = rows->count;
		if (!err && !rows->is_final)
			err = weir_map_put(&rows->index, hash, at);
		if (err)
			return err;
		memcpy(rows->rows[at - 1].keys, keys, bytes);
	}
	*ret_row = &rows->rows[at - 1];
	return 0;
}

static int keep_figure(struct weir_queryrows *rows, struct weir_query_row *row,
		       double figure)
{
	if (!rows->query->percentiles)
		return 0;
	if (++rows->figures > WEIR_QUERYROWS_FIGURES)
		return -E2BIG;
	if (WEIR_GROW(row->figures, row->calls, row->figure_room))
		return -ENOMEM;
	row->figures[row->calls] = figure;
	return 0;
}

int weir_queryrows_add(struct weir_queryrows *rows, const uint64_t *keys,
		       const struct weir_callunit *unit, double figure,
		       bool is_estimate)
{
	struct weir_query_row *row;
	int err = find_row(rows, keys, &row);

	if (err)
		return err;
	err = keep_figure(rows, row, figure);
	if (err)
		return err;
	if (!row->calls || unit->start < row->start) {
		row->start = unit->start;
		row->id = unit->id;
	}
	if (!row->calls || figure < row->least)
		row->least = figure;
	if (!row->calls || figure > row->most)
		row->most = figure;
	row->sum += figure;
	row->calls++;
	row->is_estimate |= is_estimate;
	return 0;
}
