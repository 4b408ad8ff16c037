/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a query about a trace. */
#ifndef WEIR_QUERY_ANSWER_H
#define WEIR_QUERY_ANSWER_H

#include "analyse/query/callunits.h"
#include "analyse/query/queryparse.h"
#include "analyse/query/queryrows.h"
#include "analyse/query/queryvalue.h"

/* Why a trace cannot answer. */
enum weir_query_lack {
	WEIR_QUERY_LACKS_NOTHING,
	WEIR_QUERY_LACKS_CALLS,	  /* it has sums of them */
	WEIR_QUERY_LACKS_TIMES,	  /* it has short records */
	WEIR_QUERY_LACKS_LAYER,	  /* `lacks' */
	WEIR_QUERY_LACKS_CLIENT,  /* `of' a layer that no application calls */
	WEIR_QUERY_LACKS_MARKS,
	WEIR_QUERY_LACKS_SITES,
	WEIR_QUERY_LACKS,
};

/* What is needed beside the query. */
struct weir_query_means {
	const struct weir_diskmodel *disk;
	/* Whether a call was made there; NULL: nobody asks. */
	bool (*is_at)(void *context, const struct weir_event *event,
		      const struct weir_query_value *line);
	void *context;
};

/* Wants weir_answer_fini. The reader and the query are borrowed. */
struct weir_answer {
	const struct weir_query *query;
	const struct weir_query_means *means;
	struct weir_reader *reader;
	struct weir_callfacts facts;
	struct weir_crosscause causes;
	struct weir_callunits units;
	struct weir_callunits_wish wish;
	struct weir_queryrows rows;
	struct weir_names hosts, programs;
	uint32_t *mounts; /* by number of the file's name; NULL: nobody asks */
	struct weir_queryvalue values;
	uint8_t *clients; /* by process: whether it is wanted; or NULL */
	uint8_t *files;	  /* by number of the name, likewise */
	enum weir_query_lack lack;
	const char *lacks;
};

/*
 * Reads the trace twice. 0; -ENODATA and ret_answer->lack when the trace does
 * not have what it takes; -E2BIG: more rows than can be kept; -errno. The
 * answer wants weir_answer_fini either way.
 */
int weir_answer_gather(struct weir_answer *ret_answer,
		      struct weir_reader *reader,
		      const struct weir_query *query,
		      const struct weir_query_means *means);
void weir_answer_fini(struct weir_answer *answer);

#endif
