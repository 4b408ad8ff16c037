/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the control file of a live directory from outside. */
#ifndef WEIR_CONTROL_CONTROLFILE_H
#define WEIR_CONTROL_CONTROLFILE_H

#include "trace/control/unrecorded.h"

#include <stdbool.h>

/*
 * It is read and written, never mapped: whoever owns it could cut it short
 * under us, and nothing in it is believed.
 */

/* What the processes are told. */
struct weir_controlfile_setup {
	uint32_t flags;	    /* WEIR_CONTROL_ALL */
	uint64_t max_bytes; /* 0: no limit */
	uint32_t manner;    /* enum weir_control_manner */
	uint64_t ring_bytes;
	const char *rules;  /* strings, each with its NUL; may be NULL */
	size_t rules_bytes;
};

/* Makes the file; NULL: no rules. -E2BIG: more rules than fit. */
int weir_controlfile_make(const char *live_dir,
			  const struct weir_controlfile_setup *setup);

/* A descriptor; for reading alone, or also to pause and to collect. */
int weir_controlfile_open(int dir_fd, bool to_write, int *ret_fd);

/* What the processes are told, WEIR_CONTROL_*; 0 when it does not tell. */
uint32_t weir_controlfile_flags(int fd);

/* How calls are kept: 0 when the file does not tell. */
uint32_t weir_controlfile_manner(int fd);

/* Recording goes on, or not, in all processes from now on. */
int weir_controlfile_pause(int fd, bool paused);

/* Who started a process tells, like those who wait for one, how it ended. */
int weir_controlfile_tell_end(const char *live_dir, uint32_t pid, int status);

/* Nobody else has it: no process of this trace is alive. */
bool weir_controlfile_is_alone(int fd);

/* Processes that could not be recorded, by the file (fd -1: there is none). */
void weir_controlfile_count(int fd, struct weir_unrecorded *ret_all);

/* Those that could tell only by a mark in the directory. */
int weir_controlfile_count_marks(int dir_fd, struct weir_unrecorded *ret_all);

/* Removes the marks; what they told is added to `all`. */
int weir_controlfile_take_marks(int dir_fd, struct weir_unrecorded *all);

#endif
