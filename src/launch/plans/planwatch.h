/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the trace what becomes of a plan on this node. */
#ifndef WEIR_PLANS_PLANWATCH_H
#define WEIR_PLANS_PLANWATCH_H

#include <stdbool.h>

struct weir_outcome;
struct weir_store;

struct weir_planwatch {
	struct weir_outcome *outcome; /* NULL: there is no plan */
	bool is_told; /* which settings there are */
};

/* Looks for the plan in the directory of the trace; doubtful: none. */
void weir_planwatch_open(struct weir_planwatch *watch, const char *dir);
void weir_planwatch_close(struct weir_planwatch *watch);

/* Tells the settings, once, that who finds our remains knows them. */
int weir_planwatch_begin(struct weir_planwatch *watch,
			 struct weir_store *store);

/* Tells what became of them, by the control file. */
int weir_planwatch_end(struct weir_planwatch *watch, int control_fd,
		       struct weir_store *store);

#endif
