/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what became of a plan. */
#ifndef WEIR_REPORT_AS_PLAN_H
#define WEIR_REPORT_AS_PLAN_H

#include "analyse/findings/runfacts.h"
#include "base/text.h"

/* Nothing where there was no plan; at most so many of its settings. */
void weir_as_plan_text(struct weir_text *out, const struct weir_runfacts *facts,
		       uint64_t most);

/* `,"plan":[...]`: of a run without one it is empty. */
void weir_as_plan_json(struct weir_text *out,
		       const struct weir_runfacts *facts);

#endif
