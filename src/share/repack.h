/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes and packs traces, in place or as a copy. */
#ifndef WEIR_SHARE_REPACK_H
#define WEIR_SHARE_REPACK_H

#include "launch/collect/leftover.h"
#include "share/rewrite.h"

#include <limits.h>
#include <stdbool.h>

struct weir_repack {
	int level; /* of zstd; 0: as it is, or usual when it was raw */
	char where[PATH_MAX];		/* what an error is about */
	bool writing;			/* it is one of the output */
	struct weir_leftover_busy busy; /* who records, after -EBUSY */
	uint64_t before, after;		/* bytes */
	uint32_t files, packed;		/* of the trace; written anew */
	uint32_t refused;		/* files that are no traces */
	struct weir_rewrite_account account;
};

/* Writes a packed copy; `out` must not be there. */
int weir_repack_copy(struct weir_repack *job, const char *trace,
		     const char *out);

/*
 * Completes a trace where it is. A file is replaced by rename: whatever
 * happens there is always one that is whole. Beside the errors of
 * weir_leftover_take, -ENOTEMPTY: a process has just come.
 */
int weir_repack_in_place(struct weir_repack *job, const char *trace);

#endif
