/* SPDX-License-Identifier: BSD-3-Clause */
/* What a setting may be for, and which settings get on with each other. */
#include "plan/permit.h"

#include "plan/parameter.h"

#include <string.h>

static bool is_of_datasets(int layer)
{
	return layer == WEIR_PLAN_DATASET_CREATE ||
	       layer == WEIR_PLAN_DATASET_ACCESS || layer == WEIR_PLAN_TRANSFER;
}

static bool is_proven_kind(const struct weir_plan_item *item)
{
	return item->param->param == WEIR_PARAM_TRANSFER_MODE &&
	       weir_parameter_has(item, "collective");
}

/* What is wrong with it, to follow its name; NULL: nothing. */
static const char *wrong(const struct weir_plan_item *item, bool opted_in)
{
	int layer = item->param->layer;

	if (*item->file && layer == WEIR_PLAN_ENVIRONMENT)
		return " is a variable of the whole program; take the file "
		       "away";
	if (*item->dataset && !is_of_datasets(layer))
		return " is not for single datasets; take the dataset away";
	if (weir_parameter_is_opt_in(item) && !opted_in)
		return " with this value is not safe for every program; "
		       "write opt-in=\"yes\" if it is for yours";
	if (is_proven_kind(item) && !item->proof)
		return ": collective wants proof=\"TRACE\", a trace of the "
		       "program made with --backtrace";
	if (item->proof && !is_proven_kind(item))
		return " needs no proof; take it away";
	return NULL;
}

bool weir_permit_setting(const struct weir_plan_item *item, bool opted_in,
		     struct weir_complaints *complaints)
{
	const char *what = wrong(item, opted_in);

	if (!what)
		return true;
	weir_complaint_tell(complaints, item->line, "%s%s", item->param->name,
			    what);
	return false;
}

static bool is_same_scope(const struct weir_plan_item *a,
			  const struct weir_plan_item *b)
{
	return !strcmp(a->file, b->file) && !strcmp(a->dataset, b->dataset);
}

static bool is_same_setting(const struct weir_plan_item *a,
			    const struct weir_plan_item *b)
{
	return !strcmp(a->value, b->value) && a->flags == b->flags;
}

bool weir_permit_beside(const struct weir_plan *plan,
		      const struct weir_plan_item *item,
		      struct weir_complaints *complaints)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct weir_plan_item *other = &plan->items[i];

		if (other->param != item->param || !is_same_scope(other, item))
			continue;
		if (!is_same_setting(other, item))
			weir_complaint_tell(complaints, item->line,
					    "%s is set already in line %u, for "
					    "the same files: %.60s; keep one "
					    "of them", item->param->name,
					    other->line, other->value);
		return false;
	}
	return true;
}
