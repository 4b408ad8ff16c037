/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up how long each process is in calls, as far as that bounds savings. */
#ifndef WEIR_FACTS_SPENDING_H
#define WEIR_FACTS_SPENDING_H

#include "analyse/calls/callviews.h"

#include <stddef.h>
#include <stdint.h>

/* Times are ns, of all threads; calls are those that count as I/O. */
struct weir_spent {
	uint64_t calls;	 /* that the program makes itself */
	uint64_t system; /* for whom ever: no rank does them for another */
	uint64_t moved;	 /* bytes, by those */
	uint64_t alone, alone_time; /* but for collective calls */
};

/* By number of the process in the trace. Zero it to begin. */
struct weir_spending {
	struct weir_spent *list;
	size_t count, room;
};

void weir_spending_fini(struct weir_spending *spending);

/* Adds a call of which the process is told. 0 or -ENOMEM. */
int weir_spending_take(struct weir_spending *spending,
		       const struct weir_callview *view);
int weir_spending_merge(struct weir_spending *to,
			const struct weir_spending *from);

/* Nothing of processes that made no calls. */
struct weir_spent weir_spending_of(const struct weir_spending *spending,
				   uint32_t proc);

#endif
