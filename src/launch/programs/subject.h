/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the programs of a command line that are to be recorded. */
#ifndef WEIR_PROGRAMS_SUBJECT_H
#define WEIR_PROGRAMS_SUBJECT_H

#include "launch/programs/preloads.h"

/* Calls `look` for the command, or for each program that it launches. */
void weir_subject_each(char **command,
		       void (*look)(const char *program, void *arg), void *arg);

/*
 * Looks at the command, or at what it starts when it is a launcher: warns of
 * each that cannot be recorded, and returns what objects they want together.
 */
weir_preloads_set
weir_subject_look(char **command, const struct weir_preloads_choice *choice);

#endif
