/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes plans, spaces and parameters as JSON. */
#ifndef WEIR_PLAN_PLAN_JSON_H
#define WEIR_PLAN_PLAN_JSON_H

#include "base/text.h"
#include "plan/plan.h"
#include "plan/space.h"

#include <stdbool.h>

/* What `weir plan check` found in a file. */
struct weir_plan_json_verdict {
	const char *path;
	bool is_space, is_good;
	size_t count;	      /* settings; of a space platforms */
	const char *messages; /* `FILE:LINE: what` each */
};

void weir_plan_json_check(struct weir_text *out,
			  const struct weir_plan_json_verdict *verdict);

/* Each setting of a plan, in the order of the file. */
void weir_plan_json_show(struct weir_text *out, const struct weir_plan *plan);

/* All values that each parameter of a space may have. */
void weir_plan_json_space(struct weir_text *out,
			  const struct weir_space *space);

/*
 * What a plan may set or may not: all whose names have this text in them.
 * Returns how many.
 */
unsigned weir_plan_json_params(struct weir_text *out, const char *part_of_name);

#endif
