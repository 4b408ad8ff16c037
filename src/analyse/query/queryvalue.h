/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of one call, of the metric that is asked for. */
#ifndef WEIR_QUERY_QUERYVALUE_H
#define WEIR_QUERY_QUERYVALUE_H

#include "analyse/query/answer.h"

/*
 * Adds them to the answer's rows. `call' is the number of the call's name. 0
 * or -errno.
 */
int weir_queryvalue_add(struct weir_answer *answer,
			const struct weir_callunit *unit, uint32_t call);

void weir_queryvalue_free(struct weir_queryvalue_room *room);

#endif
