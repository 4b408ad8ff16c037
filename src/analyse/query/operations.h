/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows whose operations are that are under way. */
#ifndef WEIR_QUERY_OPERATIONS_H
#define WEIR_QUERY_OPERATIONS_H

#include "trace/event/pending.h"

#include <stdint.h>

struct weir_callunit;

/* Whose one is: of a call and a process; no call: nobody's. */
struct weir_operations_whose {
	struct weir_callunit *unit;
	uint32_t client;
};

/* Zero it to begin. */
struct weir_operations {
	struct weir_pending pending; /* is given events by who asks below */
	struct weir_operations_whose *whose; /* by index in `pending` */
	size_t room;
};

void weir_operations_fini(struct weir_operations *operations);

/* The last event has begun one. 0 or -ENOMEM. */
int weir_operations_begin(struct weir_operations *operations,
			  struct weir_operations_whose whose);

/* The last event has ended one. */
struct weir_operations_whose
weir_operations_end(struct weir_operations *operations);

#endif
