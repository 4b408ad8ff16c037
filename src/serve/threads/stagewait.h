/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts threads that store files to sleep. One of those that have nothing to do
 * keeps watch: until the next file is due, or somebody kicks. The others sleep
 * until one that begins to store calls the next. With nothing to store nobody
 * wakes up.
 */
#ifndef WEIR_THREADS_STAGEWAIT_H
#define WEIR_THREADS_STAGEWAIT_H

#include <stdbool.h>
#include <stdint.h>

/* `is_short`: whether memory is; it may be asked by any thread. */
int weir_stagewait_begin(bool (*is_short)(void));
void weir_stagewait_end(void); /* wakes all; nobody sleeps any more */
bool weir_stagewait_is_over(void);

/*
 * Something was written, or memory is short: a stager looks soon. Any thread;
 * costs next to nothing when there is no reason to.
 */
void weir_stagewait_kick(void);
void weir_stagewait_wake(void); /* whatever it waits for */
void weir_stagewait_call(void); /* the next thread, if nobody watches */

/* What a thread has seen that has nothing to do. */
struct weir_stagewait_view {
	uint32_t kicks; /* weir_stagewait_kicks() before it looked */
	uint64_t next; /* CLOCK_MONOTONIC: when something is due */
	bool is_fresh; /* there is something to store; a kick is no news */
};
uint32_t weir_stagewait_kicks(void);
void weir_stagewait_doze(const struct weir_stagewait_view *view);

#endif
