/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over a trace once, with several threads. */
#ifndef WEIR_FACTS_TRACESCAN_H
#define WEIR_FACTS_TRACESCAN_H

#include "analyse/calls/callviews.h"

/*
 * Into so many parts the work is divided, whoever does it: what is found never
 * depends on the number of threads.
 */
#define WEIR_PASS_STATES 8

/* Who gets the calls, one at a time. 0 or -errno, which ends the pass. */
typedef int weir_tracescan_taker(void *state, const struct weir_callview *view);

/*
 * Hands every call to one of WEIR_PASS_STATES states: all calls on a file to
 * the same one, in order; those on no file by their process. Details are only
 * handed over of notes. With one worker, or when threads cannot be had, all is
 * done by the caller's thread. 0 or -errno.
 */
int weir_tracescan_run(struct weir_callviews *views, weir_tracescan_taker *take,
		  void *const *states, unsigned workers);

#endif
