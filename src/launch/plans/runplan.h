/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the plan of a run before anything else, and leaves it in the trace. */
#ifndef WEIR_PLANS_RUNPLAN_H
#define WEIR_PLANS_RUNPLAN_H

#include "launch/programs/preloads.h"
#include "plan/flatplan.h"

#include <limits.h>

struct weir_runplan {
	void *bytes; /* flat; NULL: there is none */
	size_t size;
	struct weir_flatplan flat; /* of these bytes */
	char path[PATH_MAX];	/* where processes find it; "": not there yet */
};

/*
 * Reads what the user wrote, or the flat plan of an earlier run. 0, or what
 * the tool shall exit with, after it has said what is wrong.
 */
int weir_runplan_read(struct weir_runplan *plan, const char *path);

/* Takes the flat plan in this file; 0 or -errno. */
int weir_runplan_load(struct weir_runplan *plan, const char *path);

/* The same of the one in the directory of a trace; -ENOENT: there is none. */
int weir_runplan_find(struct weir_runplan *plan, const char *dir);

/*
 * Puts it into the directory of a trace. Ranks of one job, and runs into one
 * file, share it; -EEXIST: there is another one already, which is said.
 */
int weir_runplan_leave(struct weir_runplan *plan, const char *dir);

/*
 * Changes our own environment, which programs inherit: where the plan is, and
 * the variables that it sets. What the user has set stays, unless forced.
 * Without a plan: programs are not told of one. 0 or -errno.
 */
int weir_runplan_export(const struct weir_runplan *plan);

/*
 * Says which settings cannot be applied: by what --layers lets in, and where a
 * program has the library in its own file.
 */
void weir_runplan_warn(const struct weir_runplan *plan,
		       const struct weir_preloads_choice *layers,
		       char **command);

void weir_runplan_fini(struct weir_runplan *plan);

#endif
