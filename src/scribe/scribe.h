/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of weir's own processes, for the trace of the programs that they work
 * for. A thread's calls are nested as they are made:
 *
 *	weir_scribe_enter(WEIR_CALL_SERVE_READ, handle);
 *	...
 *	event = (struct weir_scribe_event){ .call = ..., .handle = ... };
 *	weir_scribe_number(&event, cause);	(further arguments, in order)
 *	weir_scribe_leave(&event);
 *
 * What is no call of its thread, but ends now, is put beside them, as if by
 * another thread. Nothing here waits or fails: what finds no room is counted.
 */
#ifndef WEIR_SCRIBE_SCRIBE_H
#define WEIR_SCRIBE_SCRIBE_H

#include "scribe/scroll.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_SCRIBE_DETAIL 64 /* bytes */

struct weir_scribe_event {
	uint32_t call; /* enum weir_call */
	uint32_t handle;
	uint64_t start; /* of one that is put beside, ticks; 0: now */
	uint64_t size, off;
	bool has_off;
	int64_t ret; /* below 0: -errno */
	uint8_t detail[WEIR_SCRIBE_DETAIL];
	uint32_t detail_bytes;
};

extern _Atomic bool weir_scribe_is_on;

/* Events go to a live file from now on. 0 or -errno; 0 if they do already. */
int weir_scribe_begin(const struct weir_scroll_title *title);
/* Nothing more is written. */
void weir_scribe_end(void);

/* A handle for a file of this name; 0: nothing is written. */
uint32_t weir_scribe_name(const char *path);

uint64_t weir_scribe_now(void); /* ticks; 0: nothing is written */

/* Further arguments; what does not fit is left out. */
void weir_scribe_number(struct weir_scribe_event *event, uint64_t number);
void weir_scribe_text(struct weir_scribe_event *event, const char *text);

/* Whether the thread is in a call that will be told. */
bool weir_scribe_is_inside(void);

/* False: nothing is written, and there is nothing to leave. */
bool weir_scribe_enter(uint32_t call, uint32_t handle);
void weir_scribe_leave(const struct weir_scribe_event *event);

/*
 * The call was not made after all; true: but something was told of what it has
 * done, so it is still entered, and to be left.
 */
bool weir_scribe_cancel(void);

/* Beside the thread's calls: from its start until now. */
void weir_scribe_put(const struct weir_scribe_event *event);

#endif
