/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what this process finds of the variables that a plan sets. */
#include "adjust/variables.h"

#include "adjust/adjust.h"
#include "capture/memory/control.h"

#include <string.h>

/* Whether both begin with the same NAME=. */
static bool is_same_variable(const char *one, const char *other)
{
	while (*one && *one == *other && *one != '=')
		one++, other++;
	return *one == '=' && *other == '=';
}

static const char *find_variable(char *const *environment, const char *wanted)
{
	for (; environment && *environment; environment++)
		if (is_same_variable(*environment, wanted))
			return *environment;
	return NULL;
}

static enum weir_plan_verdict judge_variable(const char *found,
					     const char *wanted)
{
	if (!found)
		return WEIR_VERDICT_REFUSED;
	return strcmp(found, wanted) ? WEIR_VERDICT_KEPT : WEIR_VERDICT_GIVEN;
}

void weir_variables_count(char *const *environment)
{
	const struct weir_plan_setting *setting = NULL;

	if (!weir_adjust_is_on())
		atomic_fetch_add(&weir_control->unplanned, 1);
	while ((setting = weir_adjust_next(WEIR_PLAN_ENVIRONMENT, NULL, NULL,
					   setting))) {
		const char *wanted = weir_adjust_value(setting);

		weir_adjust_tell(
			NULL, 0, setting,
			judge_variable(find_variable(environment, wanted),
				       wanted),
			"");
	}
}
