/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps live files of processes that ended for processes to come. */
#ifndef WEIR_COLLECT_RESERVE_H
#define WEIR_COLLECT_RESERVE_H

#include "trace/live/live.h"

#include <stdbool.h>

/*
 * Most of what a short process pays for being recorded is memory: a MiB that
 * the kernel finds and clears for each. A file that is wiped and used again
 * costs the few pages that were written.
 */
struct weir_control;

struct weir_reserve {
	int dir_fd;		      /* of the live files; borrowed */
	struct weir_control *control; /* NULL: none are kept */
};

/* The control file is that of the directory; -1: there is none. */
void weir_reserve_open(struct weir_reserve *reserve, int dir_fd,
		       int control_fd);
void weir_reserve_close(struct weir_reserve *reserve);

/*
 * Takes the live file `name` in `dir_fd`, of a process whose records have been
 * stored; false: it is not kept.
 */
bool weir_reserve_keep(struct weir_reserve *reserve, int dir_fd,
		       const char *name, struct weir_live_view *view);

/*
 * Gives out no more, and removes those that are left. To be called again when
 * the directory turns out not to be empty.
 */
void weir_reserve_end(struct weir_reserve *reserve);

/* Removes what a killed collector left. */
void weir_reserve_remove(int dir_fd);

#endif
