/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace file of a node of which only sums are kept. */
#ifndef WEIR_LAUNCH_PROFILING_H
#define WEIR_LAUNCH_PROFILING_H

#include "trace/live.h"

#include <stdint.h>

struct weir_account;
struct weir_heading;
struct weir_profiling;
struct weir_roster;
struct weir_spool;

int weir_profiling_new(struct weir_profiling **ret_profiling);
void weir_profiling_free(struct weir_profiling *profiling);

/*
 * Counts what a chunk tells, in an account that is made when it is NULL.
 * Returns the number of records that could not be counted.
 */
uint64_t weir_profiling_take(struct weir_profiling *profiling,
			     struct weir_account **account,
			     const struct weir_live_chunk *chunk);

/* Appends the sums of process `proc`; account may be NULL. */
int weir_profiling_put(struct weir_profiling *profiling,
		       struct weir_account *account, uint32_t proc,
		       struct weir_spool *spool);

/* When the file is written anew, ns of CLOCK_MONOTONIC. */
uint64_t weir_profiling_due(const struct weir_profiling *profiling);

struct weir_profiling_place {
	const char *path, *new_path; /* of the file, and while it is made */
	struct weir_heading *heading;
	struct weir_roster *roster;
	struct weir_spool *spool;
};

/*
 * Writes the file anew, with what is known by now of the processes that run,
 * so that little is lost if we are killed. Each process has its sums in it
 * once, so it does not grow. When it fails the file is as it was.
 */
int weir_profiling_renew(struct weir_profiling *profiling,
			 const struct weir_profiling_place *place);

/* All processes have ended: appends the last block. */
int weir_profiling_end(struct weir_profiling *profiling, uint64_t processes,
		       uint64_t lost, struct weir_spool *spool);

/* Calls that are in the file. */
uint64_t weir_profiling_calls(const struct weir_profiling *profiling);

#endif
