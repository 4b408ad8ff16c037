/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the recorder of a thread, nests it for signals, and ends it. */
#ifndef WEIR_CALL_THREADLIFE_H
#define WEIR_CALL_THREADLIFE_H

#include "capture/memory/thread.h"

/*
 * Out of line: the calling thread is not READY. Starts it, or finds, for a
 * call whose wrapper is at `address`, the
 * state for a signal handler; NULL: this call is not recorded (and counted
 * when it should have been).
 */
struct weir_thread *weir_threadlife_wake(uintptr_t address);

/*
 * The same for other things than a call, which need not be counted, and only
 * for a thread that has not been started. NULL: it cannot be.
 */
struct weir_thread *weir_threadlife_begin(uintptr_t address);

/* A longjmp is about to happen, perhaps out of our own code. */
void weir_threadlife_jumped(void);

/*
 * Frames from `depth` up belong to calls that a longjmp left: record them as
 * entered and never returned.
 */
void weir_threadlife_abandon(struct weir_thread *t, uint32_t depth);

/* A call enters at `address` while others are open: some may be dead. */
uint32_t weir_threadlife_settle(struct weir_thread *t, uintptr_t address);

/* The calling thread may not even read the clock from now on. */
void weir_threadlife_leave(void);

/* Once, before the first thread starts. */
void weir_threadlife_prepare(void);

#endif
