/* SPDX-License-Identifier: BSD-3-Clause */
/* What targets that read plans have in common. */
#ifndef WEIR_TESTS_PLAN_USE_H
#define WEIR_TESTS_PLAN_USE_H

#include "plan/flatplan.h"
#include "target.h"

const char *__lsan_default_suppressions(void);

/* Mini-XML forgets an element that the file does not end; weir ends then. */
__attribute__((visibility("default")))
const char *__lsan_default_suppressions(void)
{
	return "leak:mxml";
}

/* As a process does that was told of it; nothing lies behind `end`. */
static inline void use_flatplan(const struct weir_flatplan *flat,
				const char *end)
{
	for (uint32_t i = 0; i < flat->count; i++) {
		const struct weir_plan_setting *setting = &flat->settings[i];

		must(weir_flatplan_text(flat, setting->name) < end);
		must(strlen(weir_flatplan_text(flat, setting->value)) <
		     (size_t)(end - flat->strings));
		weir_flatplan_has_site(flat, setting, 1, 2);
		weir_flatplan_next(flat, setting->target, "/a/b.h5", "/x",
				   NULL);
	}
}

#endif
