/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends the recording of this process. */
#ifndef WEIR_CAPTURE_SESSION_H
#define WEIR_CAPTURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_session_request {
	const char *live_directory;
	uint64_t buffer_bytes; /* 0: the default */
	bool may_try_again;    /* -ENOENT is not the last word */
	int argc;
	char *const *argv;
};

/*
 * Start recording this process. 0, or -errno: it is not recorded, which is
 * counted in the control file.
 */
int weir_session_start(const struct weir_session_request *request);

/* The process is about to exit: a hint for the collector. */
void weir_session_hint_exit(void);

#endif
