/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells how a run ended: what its command returned, what weir found, and which
 * of these `weir run` returns. As a file (--result, doc/result.schema.json) it
 * tells them apart.
 */
#ifndef WEIR_RUN_RUNRESULT_H
#define WEIR_RUN_RUNRESULT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIR_RUNRESULT_NOT_FOUND 127 /* as a shell has it */

struct weir_outcome;

struct weir_runresult {
	char **command;	    /* ends with NULL */
	bool is_started;
	int status;	    /* the command's, as a shell has it */
	int signal;	    /* that ended it, or 0 */
	unsigned reasons;   /* a bit for each that holds */
	char trace[PATH_MAX]; /* "": there is none */
	bool is_counted;    /* the two below are known */
	uint64_t recorded, missing; /* calls */
	const char *plan;   /* file, or NULL */
	struct weir_outcome *outcome; /* of the plan; NULL: not known */
	char *stored;	    /* lines about what was forwarded; NULL: nothing */
	char *verified;	    /* lines about the proof; NULL: none was asked */
};

/* Something is not as it should be: an enum weir_exit, or 0 for nothing. */
void weir_runresult_add(struct weir_runresult *result, int reason);

/*
 * What to exit with: the command's own status, if it is not 0; else the worst
 * reason: what differs goes before what is not stored, that before settings
 * and events.
 */
int weir_runresult_status(const struct weir_runresult *result);

/*
 * Writes it as JSON, with what weir exits with. Whoever looks at PATH finds
 * all of it or what was there before. 0 or -errno.
 */
int weir_runresult_write(const struct weir_runresult *result,
			 const char *path, int status);

void weir_runresult_fini(struct weir_runresult *result);

#endif
