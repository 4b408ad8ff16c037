/* SPDX-License-Identifier: BSD-3-Clause */
/* Verifies that what a run has written is in the files. */
#ifndef WEIR_VERIFY_VERIFY_H
#define WEIR_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct weir_verify;

/*
 * Reads the trace of a run that was recorded for this, and then the files. 0
 * or an error of the reader.
 */
int weir_verify_run(const char *trace, struct weir_verify **ret_verify);
void weir_verify_free(struct weir_verify *verify);

/* What was found, for people; `brief`: only what is not as it should be. */
void weir_verify_print(const struct weir_verify *verify, bool brief, FILE *to);

/* Whether anything differs. */
bool weir_verify_differs(const struct weir_verify *verify);

#endif
