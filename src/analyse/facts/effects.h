/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what became of the settings of a plan. */
#ifndef WEIR_FACTS_EFFECTS_H
#define WEIR_FACTS_EFFECTS_H

#include "analyse/calls/callviews.h"
#include "trace/bytes/map.h"
#include "trace/control/outcome.h"

#include <stddef.h>
#include <stdint.h>

/* A setting with a value that was asked for, where the same became of it. */
struct weir_effect {
	char *setting, *asked; /* one piece of memory, at setting */
	char *effective;       /* likewise; of the file below */
	uint64_t verdict;      /* enum weir_plan_verdict, or UNTRIED */
	uint64_t count;	       /* how often, by all processes */
	uint64_t counted;      /* the same as the processes counted it */
	uint64_t files;
	uint32_t file; /* the first of them: number in the names; 0: none */
};

#define WEIR_EFFECT_UNTRIED 255 /* no call that it is for was made */

/* Zero it to begin. */
struct weir_effects {
	struct weir_effect *list;
	size_t count, room;
	struct weir_map index; /* both texts and the verdict to index + 1 */
	struct weir_map pairs; /* of an effect and a file that is counted */
};

void weir_effects_fini(struct weir_effects *effects);

/* The word for a verdict; "?": one of a later version. */
const char *weir_effects_verdict(uint64_t verdict);

/* Takes what a process tells (WEIR_CALLVIEW_PLANS). 0 or -ENOMEM. */
int weir_effects_take(struct weir_effects *effects,
		      const struct weir_callview *view,
		      const struct weir_call *call);

/* Adds those of other files; `from` is gone then. 0 or -ENOMEM. */
int weir_effects_merge(struct weir_effects *to, struct weir_effects *from);

/*
 * Adds what processes only counted: with sums there are no events, and of some
 * settings never. NULL: there was no plan. 0 or -ENOMEM.
 */
int weir_effects_complete(struct weir_effects *effects,
			  const struct weir_outcome *outcome);

/* By setting, value and verdict: one order, however they were found. */
void weir_effects_sort(struct weir_effects *effects);

/* Which settings there are, with which values; sorted. Equal: the same. */
uint64_t weir_effects_hash(const struct weir_effects *effects);

/* The same of a plan, with what its settings are for. NULL: 0. */
uint64_t weir_effects_hash_plan(const struct weir_outcome *outcome);

#endif
