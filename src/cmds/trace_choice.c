/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the trace that a command is about. */
#include "cmds/trace_choice.h"

#include "launch/directory/newesttrace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *weir_trace_choice(const char *verb, const char *operand)
{
	static char path[PATH_MAX];
	int err;

	if (operand)
		return operand;
	err = weir_newesttrace_find(".", path);
	if (!err) {
		fprintf(stderr, "weir: %s: the newest trace here\n", path);
		return path;
	}
	if (err == -ENOENT)
		fprintf(stderr,
			"weir %s: there is no trace in this directory or "
			"below it\nName one, or make one: weir run -- "
			"COMMAND\n",
			verb);
	else
		fprintf(stderr, "weir %s: cannot look for a trace here: %s\n",
			verb, strerror(-err));
	return NULL;
}
