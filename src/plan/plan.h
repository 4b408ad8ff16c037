/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a plan: which parameters programs are to have, for which files and
 * datasets. Outside only; what processes get is in plan_layout.h.
 */
#ifndef WEIR_PLAN_PLAN_H
#define WEIR_PLAN_PLAN_H

#include "plan/plan_item.h"

#include <stdio.h>

/*
 * Reads and checks a plan. 0; -EINVAL: it cannot be meant, and `complaints`
 * says where and why, all that is wrong, `FILE:LINE: what` each; or another
 * error of reading it: -EISDIR, -EFBIG, -ENOTSUP (this build reads no plans).
 */
int weir_plan_read(const char *path, struct weir_plan **ret_plan,
		   FILE *complaints);

/* The bytes of a file that could be one; they are the caller's. */
int weir_plan_load(const char *path, char **ret_bytes, size_t *ret_size);

/* Reads one from bytes; path is what complaints call them. */
int weir_plan_read_bytes(const char *path, const char *bytes, size_t size,
			 struct weir_plan **ret_plan, FILE *complaints);

void weir_plan_free(struct weir_plan *plan);

/*
 * Tells what is allowed but looks like a mistake, `FILE:LINE: warning: what`
 * each; returns how many.
 */
unsigned weir_plan_warn(const struct weir_plan *plan, FILE *to);

/* What processes get; the bytes are the caller's. 0 or -ENOMEM, -E2BIG. */
int weir_plan_flatten(const struct weir_plan *plan, void **ret_bytes,
		      size_t *ret_size);

/* Explains each setting to a person. */
void weir_plan_explain(const struct weir_plan *plan, FILE *to);

/*
 * Lists what a plan may set or may not: all whose names have this text in
 * them. Returns how many.
 */
unsigned weir_plan_list(const char *part_of_name, FILE *to);

#endif
