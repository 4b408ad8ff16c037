/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the environment of a recorded program. */
#ifndef WEIR_RANKS_ENVIRONMENT_H
#define WEIR_RANKS_ENVIRONMENT_H

#include <limits.h>
#include <stdint.h>

struct weir_tracedir;

/*
 * The library to preload: WEIR_LIBRARY, or beside this tool, or where it was
 * installed. -ENOENT; -EINVAL when the dynamic linker could not take the path
 * because of a colon or space in it.
 */
int weir_environment_find_library(char path[PATH_MAX]);

/* Made before the program is started, as there may be no memory for it. */
struct weir_environment {
	char **all;    /* ends with NULL; only `ours` are not borrowed */
	char *ours[3];
};

/*
 * Our environment, changed for the program to come. `first` (may be empty)
 * is preloaded before us, what the user preloads comes behind; without a
 * library (NULL) nothing of ours is preloaded. `words` follow the directory in
 * WEIR_TRACE.
 */
int weir_environment_make(struct weir_environment *e,
			  const struct weir_tracedir *place,
			  const char *library, const char *first,
			  const char *words);
/*
 * LD_PRELOAD=LIST for us, `first` before us and what the user preloads behind;
 * to be freed. NULL: no memory.
 */
char *weir_environment_preload(const char *library, const char *first);

void weir_environment_free(struct weir_environment *e);

#endif
