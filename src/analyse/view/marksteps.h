/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides time by the phases and steps that programs mark. */
#ifndef WEIR_VIEW_MARKSTEPS_H
#define WEIR_VIEW_MARKSTEPS_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"

#include <stdint.h>

#define WEIR_MARKSTEPS_MOST (1u << 20)

/* A phase and a time step in it; processes in the same share the row. */
struct weir_markstep {
	uint32_t phase; /* number of its name; 0: none yet */
	int has_step;
	int64_t step;
	uint64_t start; /* of the first process in it, ns */
};

/* Wants weir_marksteps_fini. */
struct weir_marksteps {
	struct weir_names names;    /* of phases */
	struct weir_markstep *rows; /* by start; [0]: before any mark */
	uint32_t count;
	size_t room;
	struct weir_map index; /* what a row is to its number + 1 */
	uint32_t *row_of;      /* by number of the process: where it is */
	uint32_t processes;
};

/* 0 or -ENOMEM. */
int weir_marksteps_init(struct weir_marksteps *steps, uint32_t processes);
void weir_marksteps_fini(struct weir_marksteps *steps);

/*
 * A mark of a process: from now on it is in another row, unless it is a mark
 * of another kind. 0, -ENOMEM or -E2BIG.
 */
int weir_marksteps_take(struct weir_marksteps *steps,
			const struct weir_event *event,
			const struct weir_call *call, uint64_t start);

/* Where a process is. */
static inline uint32_t weir_marksteps_row(const struct weir_marksteps *steps,
					  uint32_t proc)
{
	return proc <= steps->processes ? steps->row_of[proc] : 0;
}

#endif
