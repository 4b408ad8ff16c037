/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program can be recorded, told from its file. */
#ifndef WEIR_LAUNCH_PROGRAM_H
#define WEIR_LAUNCH_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct weir_program {
	char path[PATH_MAX]; /* of the ELF file: a script's interpreter */
	bool is_static;	     /* no dynamic linker, so nothing is preloaded */
	bool is_privileged;  /* set-user-ID and the like: likewise */
	bool is_foreign;     /* another architecture than ours */
	char first[64]; /* must be preloaded before us: libasan; or empty */
};

/*
 * Looks a command up as execvp would, follows `#!` once and looks at the ELF
 * file. -errno when that cannot be done; then nothing is known.
 */
int weir_program_inspect(const char *command, struct weir_program *ret);

#endif
