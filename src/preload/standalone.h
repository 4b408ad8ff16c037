/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording without the launcher: plain LD_PRELOAD and WEIR_TRACE. */
#ifndef WEIR_PRELOAD_STANDALONE_H
#define WEIR_PRELOAD_STANDALONE_H

#include <stddef.h>

struct weir_standalone {
	const char *files; /* all, +GLOB, -GLOB, by colons; may be NULL */
	char trace[2048];
	char link[2048 + 300]; /* trace/HOST.live */
	char live_directory[2048];
};

/*
 * Find or make the trace directory and its live directory, and see that a
 * collector runs. 0, or -errno: no recording.
 */
int weir_standalone_prepare(struct weir_standalone *alone, const char *trace,
			    size_t len, char *const *environment);

/* After a failure: a mark in the trace directory itself has to tell it. */
void weir_standalone_give_up(const struct weir_standalone *alone, int err);

#endif
