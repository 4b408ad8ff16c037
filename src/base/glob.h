/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches paths with patterns. It neither allocates nor recurses. */
#ifndef WEIR_BASE_GLOB_H
#define WEIR_BASE_GLOB_H

#include <stdbool.h>

/*
 * Whether a pattern matches the whole of a text: * stands for any bytes, also
 * for /; ? for one byte; [a-z], [!a-z] for one of a set; \ takes away the
 * meaning of what follows. A bracket that is not closed stands for itself.
 */
bool weir_glob_matches(const char *pattern, const char *text);

/* The same of a text that ends at `end`, which may have a NUL or not. */
bool weir_glob_fits(const char *pattern, const char *text, const char *end);

/*
 * The same for a path: a pattern without / is tried on the last component
 * too.
 */
bool weir_glob_matches_path(const char *pattern, const char *path);

#endif
