/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes into the trace what becomes of the bytes that programs wrote. */
#ifndef WEIR_SESSION_RECORDEVENTS_H
#define WEIR_SESSION_RECORDEVENTS_H

#include "cache/batch.h"
#include "serve/session/logrecord.h"

/* What became of bytes of a record; numbers are for ever. */
enum weir_recordevents_fate {
	WEIR_RECORDEVENTS_STORED,
	WEIR_RECORDEVENTS_AGAIN,  /* once more, as something older came late */
	WEIR_RECORDEVENTS_FAILED, /* they will be tried again */
	WEIR_RECORDEVENTS_OVERWRITTEN,
	WEIR_RECORDEVENTS_REMOVED, /* the file was cut or has no name */
	WEIR_RECORDEVENTS_GIVEN_UP,
	WEIR_RECORDEVENTS_RESCUED, /* they are in a rescue file */
};

/* A run is handed to the plug-in. */
struct weir_recordevents_run {
	struct weir_file *file;
	const struct weir_batch *batch;
	uint32_t run;
	uint64_t number; /* 0: it is not in the trace */
};
void weir_recordevents_enter_run(struct weir_recordevents_run *event);
/*
 * `left` of its bytes were not written, because of `err`; the file's lock is
 * held, and the index has not heard of it yet.
 */
void weir_recordevents_leave_run(struct weir_recordevents_run *event,
				 uint64_t left, int err, bool gives_up);

/* All that the index has is in a rescue file; the file's locks are held. */
void weir_recordevents_rescued(struct weir_file *file);

/* A record leaves the index; the file's lock is held. */
void weir_recordevents_gone(struct weir_logrecord *record);

#endif
