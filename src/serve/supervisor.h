/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The supervisor: holds the sockets, the sessions' memory and the files, starts
 * the daemon by fork and starts another one when it dies; kills one that does
 * not answer. It does no I/O on users' files, and has one thread.
 */
#ifndef WEIR_SERVE_SUPERVISOR_H
#define WEIR_SERVE_SUPERVISOR_H

#include "serve/setup.h"

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

struct weir_supervisor; /* as seen by who started it */

/*
 * Makes the runtime directory and starts the service in processes of its own.
 * setup->place may be empty: then it is chosen, and filled in. `detached`: it
 * outlives the caller (weir serve start); else it ends with a drain when the
 * caller dies. 0 or -errno, after saying why.
 */
int weir_supervisor_start(struct weir_setup *setup, bool detached,
			  struct weir_supervisor **ret_supervisor);

/* Drains and ends it. Returns the entries of the ledger that are open, which
 * are told on `out`; -errno when nobody can tell. */
int weir_supervisor_finish(struct weir_supervisor *supervisor,
			   FILE *out);

/* Inside: what a daemon does; never returns. */
struct weir_daemon_door {
	const struct weir_setup *setup;
	int listening; /* clients connect here */
	int above;     /* to the supervisor: holds, and its pings */
};
void weir_daemon_run(const struct weir_daemon_door *door);

#endif
