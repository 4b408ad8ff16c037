/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds one open to which a plan is applied, and how its settings went. */
#include "adjust/opening.h"

#include "adjust/adjust.h"
#include "base/append.h"

void weir_opening_note(struct weir_opened *plan,
		      const struct weir_plan_setting *setting,
		      enum weir_plan_verdict verdict, const char *why)
{
	struct weir_opened_effect *effect = &plan->effects[plan->count];

	if (plan->count == WEIR_OPENED_MOST) {
		weir_adjust_tell(NULL, 0, setting, verdict, why);
		return;
	}
	effect->setting = setting;
	effect->verdict = verdict;
	effect->why = why;
	plan->count++;
}

void weir_opening_measure(struct weir_opened *plan,
			 const struct weir_plan_setting *setting,
			 int64_t asked, int64_t found)
{
	struct weir_opened_effect *effect = &plan->effects[plan->count];
	enum weir_plan_verdict verdict =
		asked == found ? WEIR_VERDICT_TOOK : WEIR_VERDICT_CHANGED;
	char *at = effect->said;

	if (plan->count < WEIR_OPENED_MOST) {
		if (found < 0)
			*at++ = '-';
		weir_append_number(at, (uint64_t)(found < 0 ? -found : found));
	}
	weir_opening_note(plan, setting, verdict, NULL);
}
