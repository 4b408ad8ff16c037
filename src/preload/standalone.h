/* SPDX-License-Identifier: BSD-3-Clause */
/* Records without the launcher: plain LD_PRELOAD and WEIR_TRACE. */
#ifndef WEIR_PRELOAD_STANDALONE_H
#define WEIR_PRELOAD_STANDALONE_H

#include <stddef.h>
#include <stdint.h>

/* What WEIR_TRACE says behind the directory. */
struct weir_standalone_words {
	uint64_t buffer_bytes; /* 0: not said */
	uint64_t manner;       /* enum weir_control_manner */
	uint64_t ring_bytes;
	uint32_t flags; /* WEIR_CONTROL_* */
};

struct weir_standalone {
	const char *files; /* all, +GLOB, -GLOB, by colons; may be NULL */
	struct weir_standalone_words words;
	char trace[2048];
	char link[2048 + 300]; /* trace/HOST.live */
	char live_directory[2048];
};

/*
 * Read DIR[,WORD]...: a size, ring=SIZE, single-file, profile. What else stands
 * behind a comma belongs to DIR. Returns the length of DIR.
 */
size_t weir_standalone_split(const char *trace,
			     struct weir_standalone_words *ret_words);

/*
 * Find or make the trace directory and its live directory, and see that a
 * collector runs. 0, or -errno: no recording.
 */
int weir_standalone_prepare(struct weir_standalone *alone, const char *trace,
			    size_t len, char *const *environment);

/* After a failure: a mark in the trace directory itself has to tell it. */
void weir_standalone_give_up(const struct weir_standalone *alone, int err);

#endif
