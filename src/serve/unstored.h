/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges that could not be stored: each is an entry, once, until it is. */
#ifndef WEIR_SERVE_UNSTORED_H
#define WEIR_SERVE_UNSTORED_H

#include "serve/files.h"

#include <stdio.h>

/* What is there already is not told again. The file's lock is held. */
void weir_unstored_fail(struct weir_file *file, uint64_t offset,
			uint64_t length, int error);

/* Stored after all, cut off, or given up; the file's lock is held. */
void weir_unstored_settle(struct weir_file *file, uint64_t offset,
			uint64_t length, enum weir_state_fate fate);

/* 0, or the error of the first entry that is open for this file. */
int weir_unstored_error(const struct weir_file *file);

/* Entries that are open, of all files. Also for the supervisor. */
uint32_t weir_unstored_count(void);

/* To be freed; NULL: no memory. */
char *weir_unstored_json(void);

/* For people: `PATH: bytes FIRST-LAST: why`, one line a range. */
void weir_unstored_print(FILE *out);

/*
 * What is left at the end goes into a file beside, which `weir serve recover`
 * stores when the reason has gone. Returns the entries that it could not take.
 */
uint32_t weir_unstored_rescue(const char *directory);
int weir_unstored_recover(const char *file);

#endif
