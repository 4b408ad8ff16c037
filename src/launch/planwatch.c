/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a plan on this node, told to the trace. */
#include "launch/planwatch.h"

#include "launch/runplan.h"
#include "trace/outcome.h"

#include <errno.h>
#include <stddef.h>

static int name_settings(struct weir_outcome *outcome,
			 const struct weir_slip *slip)
{
	int err = 0;

	outcome->check = slip->check;
	for (uint32_t i = 0; !err && i < slip->count; i++) {
		const struct weir_plan_setting *setting = &slip->settings[i];
		struct weir_outcome_words words = {
			.name = weir_slip_text(slip, setting->name),
			.value = weir_slip_text(slip, setting->value),
			.file = weir_slip_text(slip, setting->file),
			.dataset = weir_slip_text(slip, setting->dataset),
			.layer = setting->layer,
		};

		err = weir_outcome_name(outcome, &words);
	}
	return err;
}

void weir_planwatch_open(struct weir_planwatch *watch, const char *dir)
{
	struct weir_runplan plan;

	*watch = (struct weir_planwatch){0};
	if (weir_runplan_find(&plan, dir))
		return;
	watch->outcome = weir_outcome_new();
	if (watch->outcome && name_settings(watch->outcome, &plan.slip))
		weir_planwatch_close(watch);
	weir_runplan_fini(&plan);
}

void weir_planwatch_close(struct weir_planwatch *watch)
{
	weir_outcome_free(watch->outcome);
	watch->outcome = NULL;
}

int weir_planwatch_begin(struct weir_planwatch *watch,
			 struct weir_store *store)
{
	int err;

	if (!watch->outcome || watch->is_told)
		return 0;
	err = weir_outcome_put(watch->outcome, store);
	watch->is_told = !err;
	return err;
}

int weir_planwatch_end(struct weir_planwatch *watch, int control_fd,
		       struct weir_store *store)
{
	if (!watch->outcome) /* of processes that could not take it either */
		watch->outcome = weir_outcome_new();
	if (!watch->outcome)
		return -ENOMEM;
	weir_outcome_count(watch->outcome, control_fd);
	return weir_outcome_put(watch->outcome, store);
}
