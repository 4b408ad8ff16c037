/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns of what is allowed but looks like a mistake (`warn` in spec/params). */
#include "plan/plan.h"

#include "plan/complaint.h"
#include "plan/parameter.h"

#include <sys/vfs.h>
#include <unistd.h>

static bool has_value(const struct weir_plan_item *item, const char *value)
{
	return !value || weir_parameter_has(item, value);
}

/* A row names a target (any setting of it will do) or another parameter. */
static bool plan_has(const struct weir_plan *plan,
		     const struct weir_param_warning *row)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct weir_plan_item *item = &plan->items[i];

		if (row->target ? item->param->target == row->target
				: (int)item->param->param == row->other &&
					  has_value(item, row->other_value))
			return true;
	}
	return false;
}

static bool is_beyond_memory(const struct weir_plan_item *item)
{
	int64_t memory = sysconf(_SC_PHYS_PAGES) *
			 (int64_t)sysconf(_SC_PAGESIZE);

	/* of several numbers the last is the size */
	return item->count && item->number[item->count - 1] > memory / 4;
}

/* Where it cannot be known no warning is better than a wrong one. */
static bool is_on_parallel_fs(void)
{
	/* Lustre, PVFS2, PanFS, GPFS */
	static const uint32_t magics[] = { 0x0bd00bd0, 0x20030528, 0xaad7aaea,
					   0x47504653 };
	struct statfs fs;

	if (statfs(".", &fs))
		return true;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if ((uint32_t)fs.f_type == magics[i])
			return true;
	return false;
}

static bool holds(const struct weir_plan *plan,
		  const struct weir_plan_item *item,
		  const struct weir_param_warning *row)
{
	switch (row->test) {
	case WEIR_PARAM_TEST_WITHOUT:
		return !plan_has(plan, row);
	case WEIR_PARAM_TEST_WITH:
		return plan_has(plan, row);
	case WEIR_PARAM_TEST_SMALL_THRESHOLD:
		return item->number[0] < item->number[1] / 4;
	case WEIR_PARAM_TEST_BEYOND_MEMORY:
		return is_beyond_memory(item);
	case WEIR_PARAM_TEST_NO_PARALLEL_FS:
		return !is_on_parallel_fs();
	}
	return false;
}

unsigned weir_plan_warn(const struct weir_plan *plan, FILE *to)
{
	struct weir_complaints warnings = { .to = to, .path = plan->path };

	for (size_t i = 0; i < plan->count; i++)
		for (int j = 0; j < WEIR_PARAM_WARNINGS; j++) {
			const struct weir_plan_item *item = &plan->items[i];
			const struct weir_param_warning *row =
				&weir_params_warnings[j];

			if (item->param->param == row->param &&
			    has_value(item, row->value) &&
			    holds(plan, item, row))
				weir_complaint_tell(&warnings, item->line,
						    "warning: %s: %s",
						    item->param->name,
						    row->what);
		}
	weir_complaint_end(&warnings);
	return warnings.count;
}
