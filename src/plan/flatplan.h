/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a flat plan without allocating; inside and outside use it. */
#ifndef WEIR_PLAN_FLATPLAN_H
#define WEIR_PLAN_FLATPLAN_H

#include "plan/plan_layout.h"

#include <stdbool.h>

struct weir_flatplan {
	const struct weir_plan_setting *settings;
	const struct weir_plan_site *sites;
	const char *strings;
	uint32_t count; /* of settings */
	uint64_t check;
};

/* 0, or -EBADMSG: it is not what the launcher wrote. */
int weir_flatplan_open(const void *bytes, size_t size,
		       struct weir_flatplan *ret_flat);

static inline const char *weir_flatplan_text(const struct weir_flatplan *flat,
					     uint32_t at)
{
	return flat->strings + at;
}

/*
 * The settings of a target for a file and dataset, each parameter once: what
 * names a dataset goes before what names a file, that before what names
 * neither, and the later of two before the earlier. `setting`: the one that
 * came before, NULL to begin. NULL: there are no more.
 */
const struct weir_plan_setting *
weir_flatplan_next(const struct weir_flatplan *flat,
		   enum weir_plan_target target, const char *file,
		   const char *dataset,
		   const struct weir_plan_setting *setting);

/* Whether all ranks are known to make the call that returns to `offset`. */
bool weir_flatplan_has_site(const struct weir_flatplan *flat,
			    const struct weir_plan_setting *setting,
			    uint64_t object, uint64_t offset);

#endif
