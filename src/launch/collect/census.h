/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the processes of a live directory that could not be recorded. */
#ifndef WEIR_COLLECT_CENSUS_H
#define WEIR_COLLECT_CENSUS_H

#include "trace/control/unrecorded.h"

#include <stdbool.h>

struct weir_store;

struct weir_census {
	int dir_fd;	    /* borrowed */
	int control_fd;	    /* -1: there is no control file */
	uint64_t changed;   /* when marks were looked for */
	struct weir_unrecorded marks; /* seen in the directory then */
	struct weir_unrecorded taken; /* removed from it */
	struct weir_unrecorded told;  /* in the trace by now */
	const struct weir_unrecorded *refused; /* borrowed: by the collector */
};

void weir_census_open(struct weir_census *census, int dir_fd,
		      const struct weir_unrecorded *refused);
void weir_census_close(struct weir_census *census);

/*
 * Looks, and tells the trace what is new. `changed` is when the directory
 * changed last: marks are looked for only then.
 */
int weir_census_look(struct weir_census *census, uint64_t changed,
		     struct weir_store *store);

/* Somebody who may still begin to record, or records, is alive. */
bool weir_census_sees_life(const struct weir_census *census);

/* The same as looking, for the last time; removes the marks. */
int weir_census_end(struct weir_census *census, struct weir_store *store);

#endif
