/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges what a setting may be for, and which get on with each other. */
#ifndef WEIR_PLAN_PERMIT_H
#define WEIR_PLAN_PERMIT_H

#include "plan/complaint.h"
#include "plan/plan_item.h"

#include <stdbool.h>

/* False after complaining: the setting cannot be meant so. */
bool weir_permit_setting(const struct weir_plan_item *item, bool opted_in,
		     struct weir_complaints *complaints);

/*
 * False: the plan cannot have it beside what it has. A setting that is there
 * already needs no second one; all else is complained of.
 */
bool weir_permit_beside(const struct weir_plan *plan,
		      const struct weir_plan_item *item,
		      struct weir_complaints *complaints);

#endif
