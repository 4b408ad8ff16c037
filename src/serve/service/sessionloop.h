/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the thread of a session. */
#ifndef WEIR_SERVICE_SESSIONLOOP_H
#define WEIR_SERVICE_SESSIONLOOP_H

#include "serve/session/sessionparts.h"

/* Until the session has ended, and nothing of it is left (true), or until all
 * threads are to stop. */
bool weir_sessionloop_run(struct weir_session *session,
			  const _Atomic bool *is_stopped);

#endif
