/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel when a process of this machine started. */
#ifndef WEIR_FACTS_PROCSTAT_H
#define WEIR_FACTS_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>

/* When it started, as the kernel counts; 0: there is none. */
uint64_t weir_procstat_start(uint32_t pid);

enum weir_procstat_stage {
	WEIR_PROCSTAT_NONE,   /* there is no such process any more */
	WEIR_PROCSTAT_RUNS,
	WEIR_PROCSTAT_ENDING, /* its memory is gone, or about to go */
	WEIR_PROCSTAT_ENDED,  /* nobody has waited for it yet */
};

/*
 * How far the process that started then is; of one that has ENDED also what
 * wait() will tell.
 */
enum weir_procstat_stage weir_procstat_look(uint32_t pid, uint64_t start,
					    int *ret_status);

/* The process that started then is there and has not ended. */
bool weir_procstat_runs(uint32_t pid, uint64_t start);

#endif
