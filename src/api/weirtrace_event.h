/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out an event of a trace to users of the library. */
#ifndef WEIR_API_WEIRTRACE_EVENT_H
#define WEIR_API_WEIRTRACE_EVENT_H

#include "api/weirtrace_value.h"
#include "trace/read/reader.h"

#include <stdint.h>

struct weirtrace_event {
	const struct weir_reader *reader; /* borrowed */
	struct weir_event it;
	const struct weir_call *call; /* may be NULL */
	uint64_t start;               /* ns since the trace's first event */
	char unknown[16];             /* name of a call that has none */
	struct weirtrace_event_values {
		struct weirtrace_value_tree tree;
		int decoded; /* for this event */
	} *values; /* made when somebody asks for them */
};

/* Completes it when its event has been read. */
void weirtrace_event_describe(struct weirtrace_event *event);

#endif
