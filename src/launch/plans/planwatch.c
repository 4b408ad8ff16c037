/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the trace what becomes of a plan on this node. */
#include "launch/plans/planwatch.h"

#include "launch/plans/runplan.h"
#include "trace/control/outcome.h"

#include <errno.h>
#include <stddef.h>

static int name_settings(struct weir_outcome *outcome,
			 const struct weir_flatplan *flat)
{
	int err = 0;

	outcome->check = flat->check;
	for (uint32_t i = 0; !err && i < flat->count; i++) {
		const struct weir_plan_setting *setting = &flat->settings[i];
		struct weir_outcome_words words = {
			.name = weir_flatplan_text(flat, setting->name),
			.value = weir_flatplan_text(flat, setting->value),
			.file = weir_flatplan_text(flat, setting->file),
			.dataset = weir_flatplan_text(flat, setting->dataset),
			.target = setting->target,
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
	if (watch->outcome && name_settings(watch->outcome, &plan.flat))
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
