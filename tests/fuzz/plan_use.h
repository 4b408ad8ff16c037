/* SPDX-License-Identifier: BSD-3-Clause */
/* What targets that read plans have in common. */
#ifndef WEIR_TESTS_PLAN_USE_H
#define WEIR_TESTS_PLAN_USE_H

#include "plan/slip.h"
#include "target.h"

const char *__lsan_default_suppressions(void);

/* Mini-XML forgets an element that the file does not end; weir ends then. */
__attribute__((visibility("default")))
const char *__lsan_default_suppressions(void)
{
	return "leak:mxml";
}

/* As a process does that was told of it; nothing lies behind `end`. */
static inline void use_slip(const struct weir_slip *slip, const char *end)
{
	for (uint32_t i = 0; i < slip->count; i++) {
		const struct weir_plan_setting *setting = &slip->settings[i];

		must(weir_slip_text(slip, setting->name) < end);
		must(strlen(weir_slip_text(slip, setting->value)) <
		     (size_t)(end - slip->strings));
		weir_slip_has_site(slip, setting, 1, 2);
		weir_slip_next(slip, setting->layer, "/a/b.h5", "/x", NULL);
	}
}

#endif
