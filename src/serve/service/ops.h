/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what clients ask in slots, and answers. */
#ifndef WEIR_SERVICE_OPS_H
#define WEIR_SERVICE_OPS_H

#include "serve/session/sessionparts.h"

/* Does what is posted, or has it done; true: there was something. */
bool weir_ops_serve(struct weir_session *session);

/*
 * Of a daemon that begins: what changes files and may have been begun is done
 * to its end, whether its client lives or not, before anybody is answered.
 */
void weir_ops_repeat(struct weir_session *session);

/* Until nothing is under way of what dead clients of it asked for. */
void weir_ops_await_abandoned(struct weir_session *session);

/* Closes what is open, as the policy says; the session is over. */
void weir_ops_end(struct weir_session *session);

#endif
