/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether output has colours. */
#include "cmds/colours.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AUTO, ALWAYS };

/* As other tools do: NO_COLOR counts when it is not empty. */
bool weir_colours_wanted(unsigned choice)
{
	const char *never = getenv("NO_COLOR"), *term = getenv("TERM");

	if (choice != AUTO)
		return choice == ALWAYS;
	return isatty(STDOUT_FILENO) && !(never && *never) && term &&
	       strcmp(term, "dumb");
}
