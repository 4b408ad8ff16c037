/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by reason the processes that could not be recorded. */
#ifndef WEIR_CONTROL_UNRECORDED_H
#define WEIR_CONTROL_UNRECORDED_H

#include "trace/layout/control_layout.h"

#include <stddef.h>
#include <stdint.h>

struct weir_store;

struct weir_unrecorded_count {
	uint64_t processes; /* images */
	uint64_t calls;     /* of them, as far as they are known */
};

struct weir_unrecorded {
	struct weir_unrecorded_count by[WEIR_REASON_COUNT];
};

/* For people: "no descriptor was free". */
const char *weir_unrecorded_why(enum weir_control_reason reason);

void weir_unrecorded_add(struct weir_unrecorded *to,
			 const struct weir_unrecorded *more);
struct weir_unrecorded_count
weir_unrecorded_sum(const struct weir_unrecorded *all);

/* Of two counts of the same node, the one that is further: counts grow. */
void weir_unrecorded_raise(struct weir_unrecorded *to,
			   const struct weir_unrecorded *other);

/* Writes a NODE block. */
int weir_unrecorded_put(const struct weir_unrecorded *all,
			struct weir_store *store);

/* Reads one; what cannot be read is -EBADMSG. */
int weir_unrecorded_parse(const void *text, size_t size,
			  struct weir_unrecorded *ret_all);

#endif
