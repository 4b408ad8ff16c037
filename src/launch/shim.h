/* SPDX-License-Identifier: BSD-3-Clause */
/* Between a launcher and the program it starts: recording begins here. */
#ifndef WEIR_LAUNCH_SHIM_H
#define WEIR_LAUNCH_SHIM_H

/*
 * Become the command, recorded. `trace` and `files` are what WEIR_TRACE and
 * WEIR_FILES would say: they count on a node where the trace was not begun,
 * and launchers need not pass the environment on. Returns what the tool shall
 * exit with, after it has said why. Whatever fails on our side, the command
 * is run.
 */
int weir_shim_become(const char *trace, const char *files, char **command);

#endif
