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

/* 0, or -errno of an entry that is open for this file. */
int weir_unstored_error(const struct weir_file *file);

/* Entries that are open, of all files. Also for the supervisor. */
uint32_t weir_unstored_count(void);

/* Those that are open of the files of this name, or of all (""). */
uint64_t weir_unstored_matching(const char *path);
/* They are given up. What the files' indexes hold is not changed. */
void weir_unstored_forget(const char *path);

/*
 * {"weir_errors":1,"entries":[{"path", "offset", "length", "error", "tries",
 * "when" (ns since 1970), "fate", "rescue" (if it is in a file)}, ...]}, to be
 * freed; NULL: no memory.
 */
char *weir_unstored_json(void);

/*
 * For people: `PATH: bytes FIRST-LAST: why`, one line a range, but not of more
 * than 20 of a file; and where they are kept.
 */
void weir_unstored_print(FILE *out);

/*
 * What is left at the end goes into files in a directory, one for each file
 * that it is of; see lifeboat.h. "": it is not kept. Returns the entries that
 * are open after it.
 */
uint32_t weir_unstored_rescue(const char *directory);

#endif
