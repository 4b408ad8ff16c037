/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects hints that an MPI ignored or changed. */
#ifndef WEIR_FACTS_HINTS_H
#define WEIR_FACTS_HINTS_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/clues.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

/* One that was asked for with a value, and became another, or nothing. */
struct weir_hint {
	char *name, *asked; /* one piece of memory, at name */
	char *got;	    /* likewise; NULL: the MPI does not tell of it */
	uint64_t count;	    /* how often, by all processes */
	uint64_t files;
	uint32_t file; /* the first of them: number in the names */
};

/* Zero it to begin. */
struct weir_hints {
	struct weir_hint *list;
	size_t count, room;
	struct weir_map index; /* the three texts to index + 1 */
	struct weir_map pairs; /* of a hint and a file that is counted */
};

void weir_hints_fini(struct weir_hints *hints);

/*
 * Takes a call that may ask for hints (WEIR_CALLVIEW_ASKS), with its arguments;
 * `mpi` is what the process says of its MPI, or NULL. 0 or -ENOMEM.
 */
int weir_hints_take(struct weir_hints *hints, struct weir_clues *clues,
		    const struct weir_callview *view,
		    const struct weir_call *call, const char *mpi);

/* Adds those of other files; `from` is gone then. 0 or -ENOMEM. */
int weir_hints_merge(struct weir_hints *to, struct weir_hints *from);

/* What comes most often first. */
void weir_hints_sort(struct weir_hints *hints);

/* Whether two values of a hint mean the same. */
int weir_hints_agree(const char *asked, const char *got);

#endif
