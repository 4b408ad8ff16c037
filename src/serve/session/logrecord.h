/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what is known of records of a log, as long as indexes have them. */
#ifndef WEIR_SESSION_LOGRECORD_H
#define WEIR_SESSION_LOGRECORD_H

#include "serve/files/file.h"
#include "serve/session/sessionparts.h"

/* A record in an index. */
struct weir_logrecord {
	struct weir_write write; /* the first: an index knows only this */
	struct weir_session *session;
	struct weir_file *file;
	uint32_t chunk, place; /* of its header */
	uint64_t taken;	       /* ticks of the trace */
	uint32_t told;	       /* bytes of which the trace says what became */
};

/* One more of a chunk; NULL: no memory. */
struct weir_logrecord *weir_logrecord_new(struct weir_session_chunk *chunk);
/* The last one was not needed. */
void weir_logrecord_undo(struct weir_session_chunk *chunk);

/*
 * Memory for what is known of records: more than their data if those are tiny.
 */
uint64_t weir_logrecord_bytes(void);

/* No record of the chunk is in an index any more. */
void weir_logrecord_clear(struct weir_session_chunk *chunk);

#endif
