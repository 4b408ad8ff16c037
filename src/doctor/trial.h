/* SPDX-License-Identifier: BSD-3-Clause */
/* Records a command only to see whether recording works. */
#ifndef WEIR_DOCTOR_TRIAL_H
#define WEIR_DOCTOR_TRIAL_H

#include "launch/run/run.h"

#include <limits.h>

struct weir_trial {
	char dir[PATH_MAX];   /* everything of it is below */
	char trace[PATH_MAX];
	char file[PATH_MAX];  /* a name that is free there */
	char said[512];	      /* first line that weir run had to say */
	int status;	      /* of weir run */
};

/* Makes the directory below `place`; 0 or -errno. */
int weir_trial_init(struct weir_trial *trial, const char *place);
void weir_trial_fini(struct weir_trial *trial);

/*
 * Does as `weir run` with this order but for its output. `is_loud`: what it
 * and its command print is seen, on standard error.
 */
int weir_trial_run(struct weir_trial *trial,
		   const struct weir_run_order *order, bool is_loud);

#endif
