/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an anonymised copy of a trace. */
#ifndef WEIR_SHARE_ANON_H
#define WEIR_SHARE_ANON_H

#include "share/rewrite.h"

/* What was made. */
struct weir_anon_result {
	uint32_t files;
	uint32_t refused; /* files that are no traces */
	uint64_t bytes;
	struct weir_rewrite_account account;
};

/*
 * Writes trace, a directory or one file, to out, which must not be there or
 * be an empty directory. What could not be completed is removed. *ret_where
 * tells which of the two paths the error is about.
 */
int weir_anon_write(const struct weir_mask *mask, const char *trace,
		    const char *out, struct weir_anon_result *ret_result,
		    const char **ret_where);

/* Whether anything of the trace was damaged. */
int weir_anon_is_damaged(const struct weir_anon_result *result);

#endif
