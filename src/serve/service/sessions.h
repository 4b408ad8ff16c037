/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: each has a thread that sleeps until its client rings, takes records
 * off the client's log into the files' indexes, grants chunks, and does what is
 * asked in slots.
 */
#ifndef WEIR_SERVICE_SESSIONS_H
#define WEIR_SERVICE_SESSIONS_H

#include "spec/forward.h"

#include <stdbool.h>
#include <sys/types.h>

int weir_sessions_begin(void); /* also brings back what state.h tells */
void weir_sessions_end(void);

/* Asked on the socket, by the daemon's first thread; descriptors are new. */
struct weir_sessions_welcome {
	uint32_t session, chunks;
	uint64_t token[2];
	int memory_fd; /* to be closed by the caller */
	char presence[64];
};
int weir_sessions_attach(pid_t pid, struct weir_sessions_welcome *ret_welcome);
/* The descriptor is taken over, whatever is returned. */
int weir_sessions_open(const struct weir_op_open_in *in, const char *path,
		       int fd, struct weir_op_open_out *ret_out);

/* Ends those that nobody uses; true: some are still in use that may be. */
bool weir_sessions_sweep(void);
/*
 * Nothing more is acknowledged: clients are told that the service is gone,
 * their chunks are taken back, and all that was acknowledged is taken in.
 */
void weir_sessions_seal(void);

#endif
