/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel when a process of this machine started. */
#ifndef WEIR_FACTS_PROCSTAT_H
#define WEIR_FACTS_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>

/* When it started, as the kernel counts; 0: there is none. */
uint64_t weir_procstat_start(uint32_t pid);

/* The process that started then is there and has not ended. */
bool weir_procstat_runs(uint32_t pid, uint64_t start);

#endif
