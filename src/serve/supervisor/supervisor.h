/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The supervisor: holds the sockets, the sessions' memory and the files, starts
 * the daemon by fork and starts another one when it dies; kills one that does
 * not answer. It does no I/O on users' files, and has one thread.
 */
#ifndef WEIR_SUPERVISOR_SUPERVISOR_H
#define WEIR_SUPERVISOR_SUPERVISOR_H

#include "serve/daemon/startnotice.h"
#include "serve/state/setup.h"

#include <stdbool.h>
#include <stdio.h>

struct weir_supervisor; /* as seen by who started it */

/*
 * Makes the runtime directory and starts the service in processes of its own.
 * setup->place may be empty: then it is chosen, and filled in. `detached`: it
 * outlives the caller (weir serve start); else it ends with a drain when the
 * caller dies. 0 or -errno, after saying why.
 */
int weir_supervisor_start(struct weir_setup *setup, bool detached,
			  struct weir_supervisor **ret_supervisor);

/*
 * Drains it; it ends when nobody uses it any more. Returns the ranges that
 * could not be stored, which are told on `out`; -errno when nobody can tell.
 */
int weir_supervisor_finish(struct weir_supervisor *supervisor, FILE *out,
			   struct weir_startnotice *ret_notice);

/* Of one that is detached: it goes on. */
void weir_supervisor_leave(struct weir_supervisor *supervisor);

#endif
