/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins several `weir run` that are the ranks of one job. */
#ifndef WEIR_DIRECTORY_JOB_H
#define WEIR_DIRECTORY_JOB_H

#include <stdbool.h>

struct weir_job {
	char name[192]; /* the same in all ranks; empty: we are in none */
	char rank[16];	/* of this process; 0 speaks for all */
};

void weir_job_find(struct weir_job *ret_job);

/*
 * Makes the directory, or finds that another rank has made it. -EEXIST: there
 * is something else in it, or this rank has had it already.
 */
int weir_job_claim(const struct weir_job *job, const char *dir);

/* We are in a job, and another rank speaks for it. */
bool weir_job_is_silent(const struct weir_job *job);

#endif
