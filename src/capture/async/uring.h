/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what is in the queues of a ring that liburing made. */
#ifndef WEIR_ASYNC_URING_H
#define WEIR_ASYNC_URING_H

#include "capture/async/uring_layout.h"
#include "capture/record/pass.h"

/*
 * Positions in both queues only grow, so what was told is two numbers a ring.
 * Whoever moves a number tells what lies between, so that two threads at one
 * ring tell everything once. Rings are known by their descriptor.
 */
void weir_uring_open(const struct weir_uring *ring);
void weir_uring_forget(const struct weir_uring *ring);
bool weir_uring_is_known(const struct weir_uring *ring);

/*
 * Tell the operations that are prepared, before a call that hands them over;
 * the thread is BUSY. Returns how many.
 */
uint32_t weir_uring_hand_over(struct weir_pass *pass,
			      const struct weir_uring *ring);

/*
 * Tell the completions that have come since, whether the program has taken
 * them already (which no call shows) or not. What was overwritten meanwhile
 * stays untold.
 */
void weir_uring_complete(struct weir_pass *pass, const struct weir_uring *ring);

#endif
