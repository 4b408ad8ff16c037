/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the programs of a command line that are to be recorded. */
#include "launch/programs/subject.h"

#include "launch/programs/inside.h"
#include "launch/programs/launcher.h"
#include "launch/programs/program.h"

#include <stdio.h>

/* Which objects the programs want together. */
struct wish {
	const struct weir_preloads_choice *choice;
	weir_preloads_set wanted;
};

/* Only of what would have been recorded. */
static void warn_of_inside(const struct wish *wish, const char *path)
{
	weir_preloads_set inside = weir_inside_find(path);

	if (!wish->choice->by_program)
		inside &= wish->choice->set;
	for (unsigned i = 0; weir_preloads[i].name; i++)
		if (inside & 1u << i)
			fprintf(stderr,
				"weir: warning: %s has %s in its own file: its "
				"%s calls are not recorded, those of libc are; "
				"link it with the shared library\n",
				path, weir_preloads[i].title,
				weir_preloads[i].title);
}

/* What is not found here may be there where the launcher starts it. */
static void look_at_program(const char *command, void *arg)
{
	struct wish *wish = arg;
	struct weir_program program;
	int err = weir_program_inspect(command, &program);
	const char *why = err ? NULL : weir_program_obstacle(&program);

	if (why)
		fprintf(stderr,
			"weir: warning: %s %s: nothing of it can be recorded\n",
			program.path, why);
	else if (!err)
		warn_of_inside(wish, program.path);
	wish->wanted |= weir_preloads_wanted(wish->choice, &program, err);
}

void weir_subject_each(char **command,
		       void (*look)(const char *program, void *arg), void *arg)
{
	const struct weir_launcher *launcher = weir_launcher_find(command[0]);
	const char *word;
	int at = 0;

	while (launcher &&
	       (at = weir_launcher_program(launcher, command, at, &word)) > 0)
		look(command[at], arg);
	if (!launcher || at)
		look(command[0], arg);
}

weir_preloads_set
weir_subject_look(char **command, const struct weir_preloads_choice *choice)
{
	struct wish wish = { .choice = choice };

	weir_subject_each(command, look_at_program, &wish);
	return wish.wanted;
}
