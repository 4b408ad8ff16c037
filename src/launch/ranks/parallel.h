/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites a launcher's command so that its programs are recorded. */
#ifndef WEIR_RANKS_PARALLEL_H
#define WEIR_RANKS_PARALLEL_H

#include <limits.h>

struct weir_rules;

struct weir_parallel {
	char **line; /* the command line to start instead; NULL: as it is */
	char *trace; /* as in WEIR_TRACE */
	char *files; /* as in WEIR_FILES */
	char *layers; /* as in --layers; NULL: as ever */
	char *plan;   /* flat, the path of it; NULL: none */
	char *forward; /* as in WEIR_FORWARD; NULL: files are not */
	char self[PATH_MAX];
};

/* What every program of the command line is to be told. */
struct weir_parallel_facts {
	const char *dir;   /* of the trace */
	const char *words; /* that follow it in WEIR_TRACE */
	const struct weir_rules *rules;
	int all; /* no rules but these */
	const char *layers; /* as --layers says it; NULL: as ever */
	const char *plan;   /* flat, the path of it; NULL: none */
	const char *forward; /* as in WEIR_FORWARD; NULL: files are not */
};

/*
 * Put `weir exec` before each program of a launcher's command line. 0, also
 * when it is none, or one that cannot be understood: that is said, and then
 * the launcher inherits what its programs need.
 */
int weir_parallel_plan(struct weir_parallel *parallel, char **command,
		       const struct weir_parallel_facts *facts);
void weir_parallel_fini(struct weir_parallel *parallel);

#endif
