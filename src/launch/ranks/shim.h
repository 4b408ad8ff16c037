/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins recording between a launcher and the program it starts. */
#ifndef WEIR_RANKS_SHIM_H
#define WEIR_RANKS_SHIM_H

#include "launch/programs/preloads.h"

struct weir_shim_order {
	const char *trace, *files; /* as WEIR_TRACE and WEIR_FILES say it */
	const char *plan; /* flat, the path of it; NULL: none */
	const char *forward; /* as in WEIR_FORWARD; NULL: files are not */
	struct weir_preloads_choice layers;
};

/*
 * Become the command, recorded. Trace and files count on a node where the trace
 * was not begun, as launchers need not pass the environment on. Returns what
 * the tool shall exit with, after it has said why. Whatever fails on our side,
 * the command is run, unless there is a plan or a service: ranks with and
 * without it do not go together.
 */
int weir_shim_become(const struct weir_shim_order *order, char **command);

#endif
