/* SPDX-License-Identifier: BSD-3-Clause */
/* weir run --forward: runs the service that files go through. */
#ifndef WEIR_CMDS_FORWARD_RUN_H
#define WEIR_CMDS_FORWARD_RUN_H

#include "base/options.h"
#include "launch/run/runresult.h"
#include "serve/supervisor/supervisor.h"

struct weir_forward_run {
	struct weir_supervisor *supervisor; /* NULL: it is not ours, or over */
	char *text; /* for programs; NULL: nothing is forwarded */
	char place[PATH_MAX]; /* of one that others started; "": none */
	char own[PATH_MAX]; /* of ours */
	bool is_quiet;
};

/* As the options of weir run say. 0, or what the tool shall exit with. */
int weir_forward_run_begin(const struct weir_options *o,
			   struct weir_forward_run *ret_run);

/*
 * The command is recorded, and about to begin: so is what our service does for
 * it, by a live file in this directory. Others' services work for others too.
 */
void weir_forward_run_follow(void *run, const char *live);

/*
 * The command has ended: all is stored (0), or what is not is told; then what
 * to exit with is returned. `run` is a struct weir_forward_run. What was done
 * is not done twice.
 */
int weir_forward_run_finish(void *run, struct weir_runresult *result);

#endif
