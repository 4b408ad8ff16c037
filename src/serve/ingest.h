/* SPDX-License-Identifier: BSD-3-Clause */
/* Taking records off a session's log into the files' indexes. */
#ifndef WEIR_SERVE_INGEST_H
#define WEIR_SERVE_INGEST_H

#include "serve/sessionparts.h"

/* A record in an index. */
struct weir_record {
	struct weir_write write; /* the first: an index knows only this */
	struct weir_session *session;
	struct weir_file *file;
	uint32_t chunk, place; /* of its header */
	uint64_t taken; /* ticks of the trace */
	uint32_t told;	/* bytes of which the trace says what became */
};

/* All that was acknowledged; true: there was something. */
bool weir_ingest_session(struct weir_session *session);

/* The same of one chunk; `taking` is held. */
bool weir_ingest_chunk(struct weir_session *session, uint32_t chunk);

/* For indexes: a write has left; its record is done, its chunk perhaps free.
 * The file's lock is held. */
void weir_ingest_gone(void *unused, struct weir_write *write);

/* Memory for what is known of records: more than their data if those are tiny.
 */
uint64_t weir_ingest_bytes(void);

/* No record of the chunk is in an index any more. */
void weir_ingest_clear(struct weir_session *session, uint32_t chunk);

#endif
