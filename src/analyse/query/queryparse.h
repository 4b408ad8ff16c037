/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the language of weir query. */
#ifndef WEIR_QUERY_QUERYPARSE_H
#define WEIR_QUERY_QUERYPARSE_H

#include "analyse/calls/tree.h"

#include <stdbool.h>
#include <stdint.h>

#define WEIR_QUERY_LENGTH     4096 /* bytes of a query */
#define WEIR_QUERY_CONDITIONS 16
#define WEIR_QUERY_VALUES     64 /* of a condition */

enum weir_query_metric {
	WEIR_QUERY_LATENCY,
	WEIR_QUERY_THROUGHPUT,
	WEIR_QUERY_COUNT,
	WEIR_QUERY_BYTES,
	WEIR_QUERY_AVG_LATENCY, /* those after it are not of a layer */
	WEIR_QUERY_IO_NODES,
	WEIR_QUERY_COMM_TIME,
	WEIR_QUERY_DISK_ACCESSES,
	WEIR_QUERY_POWER,
	WEIR_QUERY_ENERGY,
	WEIR_QUERY_METRICS
};

/* What rows are told apart by, and what conditions are on. */
enum weir_query_key {
	WEIR_QUERY_ID,
	WEIR_QUERY_CALL,
	WEIR_QUERY_LAYER,
	WEIR_QUERY_CLIENT,
	WEIR_QUERY_RANK,
	WEIR_QUERY_PROCESS,
	WEIR_QUERY_PROGRAM,
	WEIR_QUERY_SERVER,
	WEIR_QUERY_SEGMENT,
	WEIR_QUERY_FILE,
	WEIR_QUERY_MOUNT,
	WEIR_QUERY_SIZE,
	WEIR_QUERY_ERRNO,
	WEIR_QUERY_HOST,
	WEIR_QUERY_GROUPS, /* those after it are conditions only */
	WEIR_QUERY_OP = WEIR_QUERY_GROUPS,
	WEIR_QUERY_TIME,
	WEIR_QUERY_LINE,
	WEIR_QUERY_KEYS
};

extern const char *const weir_queryparse_metrics[WEIR_QUERY_METRICS];
extern const char *const weir_queryparse_keys[WEIR_QUERY_KEYS];

/* Which of the members count depends on the key. */
struct weir_query_value {
	const char *text;	/* layer, globs, the file of a line */
	uint64_t from, to;	/* numbers, lines: both included; ns */
	struct weir_tree_id id; /* of a call */
	int ways;		/* WEIR_TRAFFIC_* */
};

/* At least one of the values must be met. */
struct weir_query_condition {
	enum weir_query_key key;
	unsigned count;
	struct weir_query_value values[WEIR_QUERY_VALUES];
};

/* Wants weir_queryparse_fini. */
struct weir_query {
	enum weir_query_metric metric;
	bool exclusive;
	bool percentiles; /* instead of means and totals */
	const char *of; /* layer whose calls are asked about; NULL: any */
	enum weir_query_key groups[WEIR_QUERY_GROUPS];
	unsigned group_count;
	struct weir_query_condition *conditions;
	unsigned condition_count;
	uint64_t top; /* 0: all rows */
	char *words;  /* what the texts point into */
};

struct weir_query_mistake {
	unsigned column; /* from 1; 0: it is not in one place */
	char text[320];
};

/*
 * 0; -EINVAL and what is wrong in *ret_mistake; -ENOMEM. What is not said is
 * filled in.
 */
int weir_queryparse_read(const char *text, struct weir_query *ret_query,
			 struct weir_query_mistake *ret_mistake);
void weir_queryparse_fini(struct weir_query *query);

/* Whether what is below a call makes a difference: inclusive or exclusive. */
bool weir_queryparse_has_below(enum weir_query_metric metric);

/* Whether a text begins with the name of a metric, as queries do. */
bool weir_queryparse_begins(const char *text);

/* Whether rows are told apart by this. */
bool weir_queryparse_groups(const struct weir_query *query,
			    enum weir_query_key key);

/* Whether rows are told apart by who made the calls. */
bool weir_queryparse_groups_clients(const struct weir_query *query);

#endif
