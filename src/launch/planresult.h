/* SPDX-License-Identifier: BSD-3-Clause */
/* What became of the settings of a plan, for people. */
#ifndef WEIR_LAUNCH_PLANRESULT_H
#define WEIR_LAUNCH_PLANRESULT_H

#include <stdbool.h>
#include <stdint.h>

struct weir_outcome;
struct weir_text;
struct weir_tracedir;

/*
 * The sum of the files in a trace's directory, or of ours alone (NULL: there
 * is none). 0 or -errno; to be freed by weir_outcome_free().
 */
int weir_planresult_read(const struct weir_tracedir *place, bool ours_alone,
		      struct weir_outcome **ret_outcome);

/* How many settings took effect wherever they were tried, and were tried. */
uint32_t weir_planresult_whole(const struct weir_outcome *outcome);

/* How the lines are begun, and which are written. */
struct weir_planresult_style {
	const char *before;
	bool failures; /* alone */
};

/* A line for each setting. */
void weir_planresult_write(struct weir_text *out,
			const struct weir_outcome *outcome,
			const struct weir_planresult_style *style);

/* The same, with a heading, on stderr. `note` (may be "") ends the heading. */
void weir_planresult_print(const struct weir_outcome *outcome, const char *plan,
			const char *note, bool failures);

/* The word of a verdict in JSON. */
const char *weir_planresult_word(uint32_t verdict);

#endif
