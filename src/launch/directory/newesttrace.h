/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the trace that was made last. */
#ifndef WEIR_DIRECTORY_NEWESTTRACE_H
#define WEIR_DIRECTORY_NEWESTTRACE_H

#include <limits.h>

/*
 * The newest trace in `top` or below it, a directory or a single .weir file:
 * 0 and how to name it from there, -ENOENT, or -errno of `top`. Hidden
 * directories are left out, and what lies too deep or comes after too many
 * others: nobody should wait for it.
 */
int weir_newesttrace_find(const char *top, char ret_path[PATH_MAX]);

#endif
