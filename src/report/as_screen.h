/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report for people. */
#ifndef WEIR_REPORT_AS_SCREEN_H
#define WEIR_REPORT_AS_SCREEN_H

#include "analyse/findings/findings.h"
#include "base/text.h"

/* What is to be shown, and how much of it. */
struct weir_as_screen {
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
	const struct weir_reader *reader;
	uint64_t top; /* files, processes and findings that are listed */
	int details;  /* all that was counted, too */
	size_t lines; /* of a terminal, that it must not exceed; 0: any */
};

/* A verdict on one screen. 0 or -errno. */
int weir_as_screen_write(struct weir_text *out,
			 const struct weir_as_screen *what);

#endif
