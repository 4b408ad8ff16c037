/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows what a process's handles stand for: descriptor and file name. */
#ifndef WEIR_EVENT_HANDLES_H
#define WEIR_EVENT_HANDLES_H

#include "trace/bytes/map.h"
#include "trace/event/dictionary.h"
#include "trace/event/names.h"
#include "trace/layout/event.h"

#include <stdint.h>

/* Zero it to begin, then set names. */
struct weir_handles {
	struct weir_names *names; /* borrowed; where paths get numbers */
	struct weir_handles_entry *entries;
	uint32_t count, room;
	struct weir_map index; /* handle to entry + 1 */
	struct weir_bytes scratch;
};

void weir_handles_fini(struct weir_handles *handles);

/*
 * Learns what an event tells about a handle: a HANDLE note, or a call that
 * made one. call may be NULL. 0 or -ENOMEM.
 */
int weir_handles_learn(struct weir_handles *handles,
		       const struct weir_event *event,
		       const struct weir_call *call);

/* Whether the handle and all it builds on are known. 0 is always known. */
int weir_handles_knows(struct weir_handles *handles, uint32_t handle);

/*
 * Sets fd and file of an event. What is not known stays -1 and 0, and a path
 * relative to something unknown is kept as it was given. 0 or -errno.
 */
int weir_handles_apply(struct weir_handles *handles, struct weir_event *event,
		       const struct weir_call *call);

#endif
