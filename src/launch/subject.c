/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs of a command line that are to be recorded. */
#include "launch/subject.h"

#include "launch/launcher.h"
#include "launch/program.h"

#include <stdio.h>

/* What is not found here may be there where the launcher starts it. */
static weir_preloads_set look_at(const char *command,
				const struct weir_preloads_choice *choice)
{
	struct weir_program program;
	int err = weir_program_inspect(command, &program);
	const char *why = err ? NULL : weir_program_obstacle(&program);

	if (why)
		fprintf(stderr,
			"weir: warning: %s %s: nothing of it can be recorded\n",
			program.path, why);
	return weir_preloads_wanted(choice, &program, err);
}

weir_preloads_set
weir_subject_look(char **command, const struct weir_preloads_choice *choice)
{
	const struct weir_launcher *launcher = weir_launcher_find(command[0]);
	weir_preloads_set wanted = 0;
	const char *word;
	int at = 0;

	while (launcher &&
	       (at = weir_launcher_program(launcher, command, at, &word)) > 0)
		wanted |= look_at(command[at], choice);
	return launcher && !at ? wanted : look_at(command[0], choice);
}
