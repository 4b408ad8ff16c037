/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores one file's bytes by the plug-in, once. */
#ifndef WEIR_STAGING_DELIVER_H
#define WEIR_STAGING_DELIVER_H

#include "serve/files/file.h"

struct weir_deliver_task {
	bool gives_up; /* what cannot be stored is dropped */
	bool (*is_enough)(void); /* asked before each run; NULL: all */
	/* set: writes that were known and are still in the index */
	uint64_t left;
};

/*
 * What was acknowledged before the call, in runs. The caller holds `staging`
 * and has the file borrowed. 0, or -errno of a run that failed; the others were
 * tried.
 */
int weir_deliver_file(struct weir_file *file, struct weir_deliver_task *task);

#endif
