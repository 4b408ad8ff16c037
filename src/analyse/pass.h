/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over a trace, by several threads. */
#ifndef WEIR_ANALYSE_PASS_H
#define WEIR_ANALYSE_PASS_H

#include "analyse/sights.h"

/* The most threads that share the work, besides the one that reads. */
#define WEIR_PASS_WORKERS 8

/* Who gets the calls, one at a time. 0 or -errno, which ends the pass. */
typedef int weir_pass_taker(void *state, const struct weir_sight *sight);

/*
 * Hands every call to one of the states: all calls on a file to the same one,
 * in order; those on no file by their process. Details are only handed over
 * of notes. With one state, or when threads cannot be had, all is done by the
 * caller's thread. 0 or -errno.
 */
int weir_pass_run(struct weir_sights *sights, weir_pass_taker *take,
		  void *const *states, unsigned count);

#endif
