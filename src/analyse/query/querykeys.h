/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells rows of an answer apart by the call that they are of. */
#ifndef WEIR_QUERY_QUERYKEYS_H
#define WEIR_QUERY_QUERYKEYS_H

#include "analyse/query/callunits.h"
#include "analyse/query/queryparse.h"

#include <stdint.h>

/* What a call is known by: numbers of names of the rows; 0: it has none. */
struct weir_querykeys_told {
	uint32_t call, mount, error;
};

/* What all rows of a call have; 0 for groups that are not of the call. */
uint64_t weir_querykeys_common(enum weir_query_key key,
			       const struct weir_callunit *unit,
			       const struct weir_querykeys_told *told);

#endif
