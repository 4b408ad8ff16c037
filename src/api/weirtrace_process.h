/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out a process of a trace to users of the library. */
#ifndef WEIR_API_WEIRTRACE_PROCESS_H
#define WEIR_API_WEIRTRACE_PROCESS_H

#include "trace/facts/nodeinfo.h"
#include "trace/facts/procinfo.h"

/* Both are borrowed from the reader; node may be NULL. */
struct weirtrace_process {
	const struct weir_procinfo *info;
	const struct weir_nodeinfo *node;
};

#endif
