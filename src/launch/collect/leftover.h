/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes over what a killed collector left in a trace directory. */
#ifndef WEIR_COLLECT_LEFTOVER_H
#define WEIR_COLLECT_LEFTOVER_H

#include "launch/directory/tracedir.h"

#include <stdint.h>

#define WEIR_LEFTOVER_NAMED 8

/* Who still records: the collector and processes. */
struct weir_leftover_busy {
	uint32_t collector; /* its process; 0: none, or not known */
	uint32_t processes; /* that live */
	uint32_t pids[WEIR_LEFTOVER_NAMED]; /* of the first of them */
};

/* One host's part of a trace directory while it is being completed. */
struct weir_leftover {
	struct weir_tracedir place; /* locked; live empty: there is none */
};

/*
 * Takes over what belongs to a host: a file of the directory, and its name
 * without .weir. No collector will take it then. -EBUSY: somebody still
 * records, ret_busy tells who; -EREMOTE: its memory files are on another
 * machine; -EPERM: they are somebody else's.
 */
int weir_leftover_take(struct weir_leftover *left, const char *path,
		       const char *host, struct weir_leftover_busy *ret_busy);

/* -EBUSY and who, or 0; looks only. `path` is a file of the directory. */
int weir_leftover_look(const char *path, const char *host,
		       struct weir_leftover_busy *ret_busy);

/* Removes the memory files: all in them is stored. -ENOTEMPTY: more came. */
int weir_leftover_remove(struct weir_leftover *left);

/* Lets go. */
void weir_leftover_release(struct weir_leftover *left);

#endif
