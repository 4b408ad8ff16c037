/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the file of sums anew from time to time, while processes run. */
#ifndef WEIR_COLLECT_PROFILEFILE_H
#define WEIR_COLLECT_PROFILEFILE_H

#include <stdint.h>

struct weir_heading;
struct weir_profiling;
struct weir_roster;
struct weir_spool;

struct weir_profilefile {
	uint64_t due;	/* when it is written next, ns of CLOCK_MONOTONIC */
	uint64_t pause; /* between two times, ns */
};

struct weir_profilefile_place {
	const char *path, *new_path; /* of the file, and while it is made */
	struct weir_heading *heading;
	struct weir_roster *roster;
	struct weir_spool *spool;
};

void weir_profilefile_start(struct weir_profilefile *file);

/*
 * When it is due, writes the file anew, with what is known by now of the
 * processes that run, so that little is lost if we are killed. Each process has
 * its sums in it once, so it does not grow. When it fails the file is as it
 * was.
 */
int weir_profilefile_renew(struct weir_profilefile *file,
			   struct weir_profiling *profiling,
			   const struct weir_profilefile_place *place);

#endif
