/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins recording between a launcher and the program it starts. */
#include "launch/ranks/shim.h"

#include "launch/plans/runplan.h"
#include "launch/programs/program.h"
#include "launch/ranks/environment.h"
#include "launch/ranks/forwarding.h"
#include "spec/exits.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_FOUND      127
#define NOT_EXECUTABLE 126

/*
 * The live directory of the node where the trace was begun is only there. False
 * elsewhere.
 */
static bool choose_place(const char *trace, const char *files)
{
	const char *live = getenv("WEIR_LIVE"), *told = getenv("WEIR_TRACE");

	if (live && told && !strcmp(told, trace) && !access(live, F_OK))
		return true;
	unsetenv("WEIR_LIVE");
	setenv("WEIR_TRACE", trace, 1);
	if (*files)
		setenv("WEIR_FILES", files, 1);
	return false;
}

/* 0 if there is none. */
static int follow_plan(const char *path)
{
	struct weir_runplan plan;
	int err;

	if (!path)
		return 0;
	err = weir_runplan_load(&plan, path);
	if (!err)
		err = weir_runplan_export(&plan);
	weir_runplan_fini(&plan);
	return err;
}

/* By the library that also records: without it nothing is forwarded. */
static int forward(const char *text, const char *command, int err)
{
	if (!err)
		return weir_forwarding_enter(command, text);
	fprintf(stderr, "weir: cannot forward the files of %s: %s\n", command,
		strerror(-err));
	return err;
}

/*
 * A rank without the plan that the others have would end the whole program as
 * it opens a file: an MPI wants the same hints of all.
 */
static int refuse_program(const char *command, const char *plan, int err)
{
	fprintf(stderr, "weir: cannot run %s by the plan %s: %s; let every "
		"host see the directory of the trace\n", command, plan,
		strerror(-err));
	return WEIR_EXIT_REFUSED;
}

/* What is missing where the trace was begun has been told there, once. */
static int begin_rank(const struct weir_shim_order *order, const char *command)
{
	struct weir_program program = { .first = "" };
	char library[PATH_MAX], *list, *preload;
	weir_preloads_set wanted, missing;
	int err = weir_environment_find_library(library);

	if (err)
		return err;
	err = weir_program_inspect(command, &program);
	if (err)
		program.first[0] = '\0'; /* exec will say what is wrong */
	wanted = weir_preloads_wanted(&order->layers, &program, err);
	list = weir_preloads_list(library, wanted, &missing);
	preload = list ? weir_environment_preload(list, program.first) : NULL;
	free(list);
	if (!preload)
		return -ENOMEM;
	if (!choose_place(order->trace, order->files))
		weir_preloads_tell_missing(missing, library);
	return putenv(preload) ? -errno : 0;
}

int weir_shim_become(const struct weir_shim_order *order, char **command)
{
	int err = begin_rank(order, command[0]);
	int unplanned =
		order->plan && err ? err : follow_plan(order->plan);

	if (order->forward && forward(order->forward, command[0], err))
		return WEIR_EXIT_REFUSED;
	if (unplanned)
		return refuse_program(command[0], order->plan, unplanned);
	if (err)
		fprintf(stderr, "weir: warning: %s is not recorded: %s\n",
			command[0], strerror(-err));
	execvp(command[0], command);
	err = errno;
	fprintf(stderr, "weir: cannot run %s: %s\n", command[0], strerror(err));
	return err == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}
