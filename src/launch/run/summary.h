/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in a few lines what a run left behind. */
#ifndef WEIR_RUN_SUMMARY_H
#define WEIR_RUN_SUMMARY_H

#include <stdint.h>

struct weir_collector_report;
struct weir_runfacts;

struct weir_summary_ask {
	const char *dir; /* the trace as the user named it */
	char **command;	 /* ends with NULL */
	/* Tells what would save most, when that is known; or NULL. */
	void (*advise)(const struct weir_runfacts *facts);
};

/* To standard error. */
void weir_summary_print(const struct weir_collector_report *report,
			const struct weir_summary_ask *ask);

/* Losses and failures alone; nothing when there were none. */
void weir_summary_warn(const struct weir_collector_report *report);

/* Calls that happened and are not in the trace. */
uint64_t weir_summary_missing(const struct weir_collector_report *report);

#endif
