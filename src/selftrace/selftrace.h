/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of weir's own processes, for the trace of the programs that they work
 * for. A thread's calls are nested as they are made:
 *
 *	weir_selftrace_enter(WEIR_CALL_SERVE_READ, handle);
 *	...
 *	event = (struct weir_selftrace_event){ .call = ..., .handle = ... };
 *	weir_selftrace_number(&event, cause);	(further arguments, in order)
 *	weir_selftrace_leave(&event);
 *
 * What is no call of its thread, but ends now, is put beside them, as if by
 * another thread. Nothing here waits or fails: what finds no room is counted.
 */
#ifndef WEIR_SELFTRACE_SELFTRACE_H
#define WEIR_SELFTRACE_SELFTRACE_H

#include "selftrace/ownlive.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_SELFTRACE_DETAIL 64 /* bytes */

struct weir_selftrace_event {
	uint32_t call; /* enum weir_call */
	uint32_t handle;
	uint64_t start; /* of one that is put beside, ticks; 0: now */
	uint64_t size, off;
	bool has_off;
	int64_t ret; /* below 0: -errno */
	uint8_t detail[WEIR_SELFTRACE_DETAIL];
	uint32_t detail_bytes;
};

extern _Atomic bool weir_selftrace_is_on;

/* Events go to a live file from now on. 0 or -errno; 0 if they do already. */
int weir_selftrace_begin(const struct weir_ownlive_title *title);
/* Nothing more is written. */
void weir_selftrace_end(void);

/* A handle for a file of this name; 0: nothing is written. */
uint32_t weir_selftrace_name(const char *path);

uint64_t weir_selftrace_now(void); /* ticks; 0: nothing is written */

/* Further arguments; what does not fit is left out. */
void weir_selftrace_number(struct weir_selftrace_event *event, uint64_t number);
void weir_selftrace_text(struct weir_selftrace_event *event, const char *text);

/* Whether the thread is in a call that will be told. */
bool weir_selftrace_is_inside(void);

/* False: nothing is written, and there is nothing to leave. */
bool weir_selftrace_enter(uint32_t call, uint32_t handle);
void weir_selftrace_leave(const struct weir_selftrace_event *event);

/*
 * The call was not made after all; true: but something was told of what it has
 * done, so it is still entered, and to be left.
 */
bool weir_selftrace_cancel(void);

/* Beside the thread's calls: from its start until now. */
void weir_selftrace_put(const struct weir_selftrace_event *event);

#endif
