/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the programs in the command lines of parallel launchers. */
#ifndef WEIR_PROGRAMS_LAUNCHER_H
#define WEIR_PROGRAMS_LAUNCHER_H

enum weir_launcher_dashes {
	WEIR_DASHES_ONE,
	WEIR_DASHES_BOTH,
	WEIR_DASHES_GNU,
};

/* A row of spec/launchers; lists end with NULL. */
struct weir_launcher {
	const char *name;
	const char *const *programs, *const *also;
	enum weir_launcher_dashes dashes;
	const char *next; /* between two programs, or NULL */
	const char *const *flags, *const *one, *const *two, *const *unclear;
};

extern const struct weir_launcher weir_launchers[]; /* a NULL name ends it */

/* The launcher that a command is, by its real file's name; else NULL. */
const struct weir_launcher *weir_launcher_find(const char *command);

/* Of those that may be called like this the first that knows the options. */
const struct weir_launcher *weir_launcher_guess(char *const *command);

/*
 * Which word of the command line is the first program after word `after` (0:
 * the first of all); 0: there is no other. -ENOTSUP and -ENOEXEC as below.
 */
int weir_launcher_program(const struct weir_launcher *launcher,
			  char *const *command, int after,
			  const char **ret_word);

/*
 * The command line with `prefix` before each program: a list to be freed whose
 * words are borrowed. -ENOTSUP: the programs cannot be told; *ret_word is then
 * the word that is not understood. -ENOEXEC: there is no program.
 */
int weir_launcher_prefix(const struct weir_launcher *launcher,
			 char *const *command, char *const *prefix,
			 char ***ret_line, const char **ret_word);

#endif
