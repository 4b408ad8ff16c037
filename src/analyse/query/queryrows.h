/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up figures of calls in the rows of an answer. */
#ifndef WEIR_QUERY_QUERYROWS_H
#define WEIR_QUERY_QUERYROWS_H

#include "analyse/query/callunits.h"
#include "analyse/query/queryparse.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"

#define WEIR_QUERYROWS_MOST    (3u << 20)  /* about 600 MiB */
#define WEIR_QUERYROWS_FIGURES (64u << 20) /* for percentiles, 512 MiB */

/* Ranks are clients' numbers; processes without one come behind them. */
#define WEIR_QUERYROWS_NO_RANK (UINT64_C(1) << 32)

struct weir_query_row {
	/*
	 * By group, in the query's order: number of the unit, of a name, of a
	 * layer, a process; a rank, server or class of sizes + 1 (0: none).
	 */
	uint64_t keys[WEIR_QUERY_GROUPS];
	struct weir_tree_id id; /* of the first call in it, by start */
	uint64_t start;
	uint64_t calls;
	double sum, least, most;
	double p50, p90, p99; /* in the end, where they are asked for */
	double *figures;      /* of all calls until then; or NULL */
	size_t figure_room;
	bool is_estimate;
};

/* What numbers of a key stand for, for those that are sorted by their text. */
struct weir_queryrows_names {
	const struct weir_callfacts *facts;
	const struct weir_reader *reader; /* of files */
	const struct weir_names *hosts, *programs;
};

/* Wants weir_queryrows_fini. */
struct weir_queryrows {
	const struct weir_query *query;
	struct weir_query_row *rows;
	uint32_t count;
	size_t room;
	struct weir_map index;
	struct weir_names calls; /* and mounts and errors: what keys mean */
	uint64_t figures; /* that rows keep */
	struct weir_queryrows_names names;
	bool is_final;	  /* a row is of one call: it never grows */
	uint64_t dropped; /* rows that cannot be among the `top' */
};

void weir_queryrows_init(struct weir_queryrows *rows,
			 const struct weir_query *query,
			 const struct weir_queryrows_names *names);
void weir_queryrows_fini(struct weir_queryrows *rows);

/* A figure of a call. 0, -ENOMEM or -E2BIG. */
int weir_queryrows_add(struct weir_queryrows *rows, const uint64_t *keys,
		       const struct weir_callunit *unit, double figure,
		       bool is_estimate);

/* Puts them in order, and leaves the first ones where these are asked for. */
void weir_queryrows_sort(struct weir_queryrows *rows);

#endif
