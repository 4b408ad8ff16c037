/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what could not be stored: each range is an entry, until it is. */
#ifndef WEIR_FAILURES_UNSTORED_H
#define WEIR_FAILURES_UNSTORED_H

#include <stdint.h>
#include <stdio.h>

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

#endif
