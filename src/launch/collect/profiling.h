/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls as they come, where only sums are kept, and appends the sums. */
#ifndef WEIR_COLLECT_PROFILING_H
#define WEIR_COLLECT_PROFILING_H

#include "trace/live/live.h"

#include <stdint.h>

struct weir_account;
struct weir_block;
struct weir_profiling;
struct weir_spool;
struct weir_store;

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

/*
 * Appends the sums of an account (NULL: none) to a store that need not ask for
 * room; the head says whose they are.
 */
int weir_profiling_append(struct weir_profiling *profiling,
			  struct weir_account *account, struct weir_block *head,
			  struct weir_store *store);

/* An account of a process that has not done anything yet. */
int weir_profiling_open(struct weir_profiling *profiling,
			struct weir_account **ret_account);

/* All processes have ended: appends the last block. */
int weir_profiling_end(struct weir_profiling *profiling, uint64_t processes,
		       uint64_t lost, struct weir_spool *spool);

/* Calls that are in the file. */
uint64_t weir_profiling_calls(const struct weir_profiling *profiling);

#endif
