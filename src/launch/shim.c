/* SPDX-License-Identifier: BSD-3-Clause */
/* Between a launcher and the program it starts: recording begins here. */
#include "launch/shim.h"

#include "launch/environment.h"
#include "launch/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_FOUND      127
#define NOT_EXECUTABLE 126

/* The live directory of the node where the trace was begun is only there. */
static void choose_place(const char *trace, const char *files)
{
	const char *live = getenv("WEIR_LIVE"), *told = getenv("WEIR_TRACE");

	if (live && told && !strcmp(told, trace) && !access(live, F_OK))
		return;
	unsetenv("WEIR_LIVE");
	setenv("WEIR_TRACE", trace, 1);
	if (*files)
		setenv("WEIR_FILES", files, 1);
}

static int begin(const char *trace, const char *files, const char *command)
{
	struct weir_program program = { .first = "" };
	char library[PATH_MAX], *preload;
	int err = weir_environment_find_library(library);

	if (err)
		return err;
	if (weir_program_inspect(command, &program))
		program.first[0] = '\0'; /* exec will say what is wrong */
	preload = weir_environment_preload(library, program.first);
	if (!preload)
		return -ENOMEM;
	choose_place(trace, files);
	return putenv(preload) ? -errno : 0;
}

int weir_shim_become(const char *trace, const char *files, char **command)
{
	int err = begin(trace, files, command[0]);

	if (err)
		fprintf(stderr, "weir: warning: %s is not recorded: %s\n",
			command[0], strerror(-err));
	execvp(command[0], command);
	err = errno;
	fprintf(stderr, "weir: cannot run %s: %s\n", command[0], strerror(err));
	return err == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}
