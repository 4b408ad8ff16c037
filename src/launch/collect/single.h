/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends what processes left to one file that nodes and runs share. */
#ifndef WEIR_COLLECT_SINGLE_H
#define WEIR_COLLECT_SINGLE_H

#include <stdint.h>

struct weir_tracedir;

#define WEIR_SINGLE_NAME "all.weir"

struct weir_single_result {
	uint64_t bytes; /* that were written */
	int apart;	/* why there is a file for each process; 0: one */
};

/*
 * Appends the processes of a packed file to DIR/all.weir, each at once and
 * under a lock; where files cannot be locked, makes a file DIR/HOST-PID.weir
 * of each. 0, or -errno: some are not written.
 */
int weir_single_append(const struct weir_tracedir *place,
		       const char *packed_path,
		       struct weir_single_result *ret_result);

#endif
