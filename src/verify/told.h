/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the sums of an object, of events and of all processes. */
#ifndef WEIR_VERIFY_TOLD_H
#define WEIR_VERIFY_TOLD_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"
#include "verify/output.h"

/*
 * Adds what an event `proof` tells to what its process has told before.
 * ret_doubts are those of this event alone. 0 or -ENOMEM.
 */
int weir_told_read(const struct weir_event *event,
		   const struct weir_call *call,
		   struct weir_output_object *object, uint32_t *ret_doubts);

/*
 * Processes that have written the same bytes to the same places, as all ranks
 * do with an attribute, count as one.
 */
void weir_told_merge(struct weir_output_object *object);

/* Of all processes together; `spans` and `proc` are left out. */
void weir_told_sum(const struct weir_output_object *object,
		   struct weir_told *ret_sum);

/* Each process has told exactly where it wrote. */
bool weir_told_is_exact(const struct weir_output_object *object);

/* Whether two processes have written the same bytes. */
enum weir_told_overlap {
	WEIR_TOLD_APART,
	WEIR_TOLD_OVERLAPS,
	WEIR_TOLD_UNCLEAR, /* they may have: they did not tell exactly */
};

enum weir_told_overlap
weir_told_overlap(const struct weir_output_object *object);

#endif
