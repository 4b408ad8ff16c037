/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells from a program's file whether it can be recorded. */
#ifndef WEIR_PROGRAMS_PROGRAM_H
#define WEIR_PROGRAMS_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

#define WEIR_PROGRAM_LINE 256 /* of a script: what the kernel looks at */

/* For what the loader calls a program secure, and preloads nothing. */
enum weir_program_privilege {
	WEIR_PROGRAM_PLAIN,
	WEIR_PROGRAM_SETUID,
	WEIR_PROGRAM_SETGID,
	WEIR_PROGRAM_CAPABLE, /* the file has capabilities */
};

struct weir_program {
	char path[PATH_MAX]; /* of the file */
	bool is_script;	     /* then only the next two are known */
	char interpreter[WEIR_PROGRAM_LINE];
	char argument[WEIR_PROGRAM_LINE]; /* or empty */
	bool is_for_script; /* looked up as the interpreter of the command */
	bool is_static;	 /* no dynamic linker, so nothing is preloaded */
	bool is_pie;	 /* static, too: loaded at any address */
	bool is_foreign; /* another architecture than ours */
	bool is_go;	 /* makes its system calls itself */
	enum weir_program_privilege privilege;
	char architecture[32];
	char loader[PATH_MAX]; /* the dynamic linker it names, or empty */
	char first[64]; /* must be preloaded before us: libasan; or empty */
};

/* As execvp would; -EACCES: it is there, but may not be executed. */
int weir_program_find(const char *command, char ret_path[PATH_MAX]);

/* Looks at one file; -ENOEXEC when it is neither a script nor a program. */
int weir_program_look(const char *path, struct weir_program *ret);

/*
 * Looks a command up and at its file, or at that of a script's interpreter.
 * -errno when that cannot be done; then nothing is known.
 */
int weir_program_inspect(const char *command, struct weir_program *ret);

/* Why nothing of it can be recorded ("is …"), or NULL. */
const char *weir_program_obstacle(const struct weir_program *program);

#endif
