/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps ends of operations that come before their begins. */
#ifndef WEIR_SUMS_EARLYENDS_H
#define WEIR_SUMS_EARLYENDS_H

#include "trace/layout/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Records come thread by thread: the end of an operation that another thread
 * has begun may be there first. Zero it to begin.
 */
struct weir_earlyends {
	struct weir_earlyends_one {
		uint64_t key, start; /* of the event that tells it */
		int64_t ret;
		uint16_t call;
	} *list; /* in the order in which they came */
	size_t count, room;
};

void weir_earlyends_fini(struct weir_earlyends *ends);

/* The oldest are forgotten when there are very many. 0 or -ENOMEM. */
int weir_earlyends_keep(struct weir_earlyends *ends, uint64_t key,
			const struct weir_event *event);

/*
 * Takes the first of this key that is no older than its begin: what is, ended
 * nothing. False: there is none.
 */
bool weir_earlyends_take(struct weir_earlyends *ends, uint64_t key,
			 uint64_t begin, struct weir_earlyends_one *ret_end);

#endif
