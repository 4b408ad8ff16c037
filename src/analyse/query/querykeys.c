/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells rows of an answer apart by the call that they are of. */
#include "analyse/query/querykeys.h"

#include "trace/layout/sum_layout.h"

uint64_t weir_querykeys_common(enum weir_query_key key,
			       const struct weir_callunit *unit,
			       const struct weir_querykeys_told *told)
{
	switch (key) {
	case WEIR_QUERY_ID:
		return unit->number;
	case WEIR_QUERY_CALL:
		return told->call;
	case WEIR_QUERY_FILE:
		return unit->file;
	case WEIR_QUERY_SEGMENT:
		return unit->segment;
	case WEIR_QUERY_MOUNT:
		return told->mount;
	case WEIR_QUERY_ERRNO:
		return told->error;
	case WEIR_QUERY_SIZE:
		return unit->has_size ? 1 + weir_sum_size_class(unit->size) : 0;
	default:
		return 0;
	}
}
