/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes records off a session's log into the files' indexes. */
#ifndef WEIR_LOG_INGEST_H
#define WEIR_LOG_INGEST_H

#include "cache/index.h"
#include "serve/session/sessionparts.h"

/* All that was acknowledged; true: there was something. */
bool weir_ingest_session(struct weir_session *session);

/* The same of one chunk; `taking` is held. */
bool weir_ingest_chunk(struct weir_session *session, uint32_t chunk);

/* For indexes: a write has left; its record is done, its chunk perhaps free.
 * The file's lock is held. */
void weir_ingest_gone(void *unused, struct weir_write *write);

#endif
