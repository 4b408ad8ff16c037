/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges what a setting may be for, and which get on with each other. */
#include "plan/permit.h"

#include "plan/parameter.h"

#include <string.h>

/*
 * Only lists of these properties belong to a dataset; others hold for a whole
 * file.
 */
static bool is_of_datasets(int target)
{
	return target == WEIR_PLAN_DATASET_CREATE ||
	       target == WEIR_PLAN_DATASET_ACCESS ||
	       target == WEIR_PLAN_TRANSFER;
}

/*
 * The one setting that can make a correct program hang: a call that is made
 * collective waits for ranks that may never make it.
 */
static bool is_proven_kind(const struct weir_plan_item *item)
{
	return item->param->param == WEIR_PARAM_TRANSFER_MODE &&
	       weir_parameter_has(item, "collective");
}

/* How new a format of HDF5 is, of a value that begins with its name. */
static size_t age_of(const char *value)
{
	static const char *const formats[] = { "earliest", "v18", "v110",
					       "v112", "v114", "latest" };
	size_t at = 0;

	while (at < sizeof(formats) / sizeof(*formats) &&
	       strncmp(value, formats[at], strlen(formats[at])) != 0)
		at++;
	return at;
}

/* The newest format may be neither the earliest nor older than the oldest. */
static bool is_wrong_way(const struct weir_plan_item *item)
{
	const char *comma = strchr(item->value, ',');

	if (item->param->param != WEIR_PARAM_LIBVER_BOUNDS || !comma)
		return false;
	comma += 1 + strspn(comma + 1, " ");
	return !age_of(comma) || age_of(comma) < age_of(item->value);
}

/* What is wrong with it, to follow its name; NULL: nothing. */
static const char *wrong(const struct weir_plan_item *item)
{
	int target = item->param->target;

	if (*item->file && target == WEIR_PLAN_ENVIRONMENT)
		return " is a variable of the whole program; take the file "
		       "away";
	if (*item->dataset && !is_of_datasets(target))
		return " is not for single datasets; take the dataset away";
	if (is_wrong_way(item))
		return ": the newest format is the earliest, or older than "
		       "the oldest: HDF5 does not take that";
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
	const char *what = wrong(item);

	if (!what && weir_parameter_is_opt_in(item) && !opted_in) {
		weir_complaint_tell(complaints, item->line,
				    "%s with this value is not safe for every "
				    "program: %s; write opt-in=\"yes\" if it "
				    "is for yours", item->param->name,
				    item->param->risk);
		return false;
	}
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

/*
 * Two values for the same files would leave it to their order which one is
 * tried, and a plan is often put together from others.
 */
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
