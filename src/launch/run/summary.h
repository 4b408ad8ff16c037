/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in a few lines what a run left behind. */
#ifndef WEIR_RUN_SUMMARY_H
#define WEIR_RUN_SUMMARY_H

#include <stdint.h>

struct weir_collector_report;

/* To standard error. `dir` is the trace as the user named it. */
void weir_summary_print(const struct weir_collector_report *report,
			const char *dir, char **command);

/* Losses and failures alone; nothing when there were none. */
void weir_summary_warn(const struct weir_collector_report *report);

/* Calls that happened and are not in the trace. */
uint64_t weir_summary_missing(const struct weir_collector_report *report);

#endif
