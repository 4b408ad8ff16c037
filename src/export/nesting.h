/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns calls into entries and exits, thread by thread. */
#ifndef WEIR_EXPORT_NESTING_H
#define WEIR_EXPORT_NESTING_H

#include "export/dump/dump.h"
#include "trace/bytes/map.h"

#include <stdint.h>

/* A call that has been entered and not been left. */
struct weir_nesting_call {
	struct weir_event event; /* without its detail */
	const struct weir_call *call; /* may be NULL */
	uint64_t start, end; /* ns since the trace's begin, as to be shown */
	bool has_end;	     /* else it never returned */
	uint64_t tag[4];     /* of who enters it */
};

/*
 * Times of a thread never go back, and who was entered last is left first:
 * where a damaged trace has it otherwise, times are changed, and counted.
 */
struct weir_nesting {
	struct weir_map thread_of; /* number in `threads` + 1 */
	struct weir_nesting_thread **threads;
	size_t count, room;
	int (*leave)(void *context, const struct weir_nesting_call *call);
	void *context;
	uint64_t changed;
};

/* leave() gets calls in the order in which they end: 0 or -errno. */
void weir_nesting_init(struct weir_nesting *all,
		       int (*leave)(void *context,
				    const struct weir_nesting_call *call),
		       void *context);
void weir_nesting_fini(struct weir_nesting *all);

/*
 * Leaves what is over and enters the event, which has relation. *ret_call is
 * valid until the next is entered. 0 or -errno.
 */
int weir_nesting_enter(struct weir_nesting *all,
		       const struct weir_dump_event *event,
		       struct weir_nesting_call **ret_call);

/* What a call that was just entered lies within; NULL: nothing. */
struct weir_nesting_call *
weir_nesting_around(const struct weir_nesting *all,
		    const struct weir_nesting_call *call);

/* Leaves all that is open. */
int weir_nesting_finish(struct weir_nesting *all);

#endif
