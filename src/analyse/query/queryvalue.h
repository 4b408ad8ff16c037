/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the figures of one call, of the metric that is asked for. */
#ifndef WEIR_QUERY_QUERYVALUE_H
#define WEIR_QUERY_QUERYVALUE_H

#include "analyse/query/callunits.h"
#include "analyse/query/diskmodel.h"
#include "analyse/query/querykeys.h"
#include "analyse/query/queryparse.h"
#include "analyse/query/queryrows.h"

#include <stdint.h>

/* What figures are computed from. Borrowed, but for what it says it owns. */
struct weir_queryvalue {
	const struct weir_query *query;
	const struct weir_callfacts *facts;
	const struct weir_crosscause *causes;
	const struct weir_diskmodel *disk;
	struct weir_queryrows *rows;
	/* Owned, by number of the process: */
	uint32_t *host_of;	  /* number of the name */
	uint32_t *program_of;	  /* likewise */
	uint64_t *client_of;	  /* as the rows have it */
	uint8_t *servers, *where; /* whether it is wanted; or NULL */
	uint64_t layers;	  /* wanted, as bits */
	struct weir_queryvalue_room *room; /* owned */
};

void weir_queryvalue_fini(struct weir_queryvalue *all);

/* Adds them to the rows. 0 or -errno. */
int weir_queryvalue_add(struct weir_queryvalue *all,
			const struct weir_callunit *unit,
			const struct weir_querykeys_told *told);

#endif
