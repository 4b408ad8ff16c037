/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks that clients have and do not use, or will never use any more. */
#ifndef WEIR_SERVE_TAKEBACK_H
#define WEIR_SERVE_TAKEBACK_H

#include "serve/sessionparts.h"

/* A thread that marked something as its own, and has ended. */
bool weir_chunkreclaim_is_dead(uint32_t owner);

/* Takes a dead thread's, or our own, mark off a chunk that is free. */
void weir_chunkreclaim_free_owner(struct weir_session_head *head);

/* What nobody has written to for a moment; true: there is more, perhaps later.
 */
bool weir_chunkreclaim_idle(struct weir_session *session);

/* All, whoever is about to write. */
void weir_chunkreclaim_all(struct weir_session *session);

#endif
