/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells people what became of the settings of a plan. */
#ifndef WEIR_PLANS_PLANRESULT_H
#define WEIR_PLANS_PLANRESULT_H

#include <stdbool.h>
#include <stdint.h>

struct weir_outcome;
struct weir_text;
struct weir_tracedir;

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

/* The settings as an array of objects, see doc/result.schema.json. */
void weir_planresult_json(struct weir_text *out,
			  const struct weir_outcome *outcome);

/* What `weir run` wants to know. */
struct weir_planresult_ask {
	const char *plan; /* as the user named it */
	bool is_job;	  /* we run one rank of it: our file alone counts */
	bool is_silent;	  /* another rank speaks */
	bool failures;	  /* nothing else is told */
};

/*
 * Sums up what the files in a trace's directory tell, and says it on stderr.
 * Whether all settings took effect. What it knows is to be freed; NULL: that
 * is nothing.
 */
bool weir_planresult_tell(const struct weir_tracedir *place,
			  const struct weir_planresult_ask *ask,
			  struct weir_outcome **ret_outcome);

#endif
