/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the daemon does, told in the trace of the programs that it does it for
 * (spec/serve.calls): by files that a recorded program has opened. Of others,
 * and without a trace, nothing is told, and all of this costs a look at a word.
 */
#ifndef WEIR_SERVE_TALE_H
#define WEIR_SERVE_TALE_H

#include "cache/batch.h"
#include "serve/ingest.h"
#include "serve/ops.h"

/* What became of bytes of a record; numbers are for ever. */
enum weir_tale_fate {
	WEIR_TALE_STORED,
	WEIR_TALE_AGAIN, /* once more, as something older came late */
	WEIR_TALE_FAILED, /* they will be tried again */
	WEIR_TALE_OVERWRITTEN,
	WEIR_TALE_REMOVED, /* the file was cut, or has no name any more */
	WEIR_TALE_GIVEN_UP,
	WEIR_TALE_RESCUED, /* they are in a file beside, see lifeboat.h */
};

/* From now on, and in later daemons; 0 or -errno. */
int weir_tale_begin(const char *directory);
/* In a daemon that begins: if an earlier one was told to. */
void weir_tale_resume(void);
void weir_tale_end(void);

/* A file is to be told of. Nobody has it yet, or its lock is held. */
void weir_tale_name(struct weir_file *file);
/* The same, and those who have it know; its lock is not held. */
void weir_tale_introduce(struct weir_file *file);

/* A file is opened for a call with this number; the descriptor is ours. */
bool weir_tale_enter_open(void);
void weir_tale_leave_open(struct weir_file *file, uint64_t cid, int err);

/* A file is created late, for a call with this number. */
struct weir_tale_birth {
	struct weir_file *file;
	uint64_t cid;
	bool is_told;
};
void weir_tale_enter_birth(struct weir_tale_birth *tale);
void weir_tale_leave_birth(struct weir_tale_birth *tale, uint64_t bytes,
			   int err);

/* A call by slot. */
struct weir_tale_op {
	bool is_told;
	uint32_t handle;
	uint64_t cause;
	uint64_t args[WEIR_SESSION_ARGS / sizeof(uint64_t)];
};
void weir_tale_enter_op(struct weir_tale_op *tale,
			const struct weir_ops_call *call,
			const struct weir_op_call *op);
/* WEIR_OPS_LATER: another thread goes on with it. */
void weir_tale_leave_op(struct weir_tale_op *tale,
			const struct weir_op_call *op, int status);

/* A run is handed to the plug-in. */
struct weir_tale_run {
	struct weir_file *file;
	const struct weir_batch *batch;
	uint32_t run;
	uint64_t number; /* 0: it is not told */
};
void weir_tale_enter_run(struct weir_tale_run *tale);
/*
 * `left` of its bytes were not written, because of `err`; the file's lock is
 * held, and the index has not heard of it yet.
 */
void weir_tale_leave_run(struct weir_tale_run *tale, uint64_t left, int err,
			 bool gives_up);

/* All that the index has is in a rescue file; the file's locks are held. */
void weir_tale_rescued(struct weir_file *file);

/* A record leaves the index; the file's lock is held. */
void weir_tale_gone(struct weir_record *record);

#endif
