/* SPDX-License-Identifier: BSD-3-Clause */
/* weir plan export: a plan for others. */
#ifndef WEIR_CMDS_PLAN_EXPORT_H
#define WEIR_CMDS_PLAN_EXPORT_H

#include "base/options.h"
#include "plan/plan.h"

/* The status to exit with. */
int weir_plan_export_run(const struct weir_options *o,
			  const struct weir_plan *plan);

#endif
