/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: each has a thread that sleeps until its client rings, takes records
 * off the client's log into the files' indexes, grants chunks, and does what is
 * asked in slots.
 */
#ifndef WEIR_SERVE_SESSIONS_H
#define WEIR_SERVE_SESSIONS_H

#include "serve/files.h"
#include "spec/forward.h"

#include <sys/types.h>

struct weir_session;

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

/* NULL: there is none, or it is another's. */
struct weir_session *weir_sessions_borrow(uint32_t number,
					  const uint64_t token[2]);
void weir_sessions_put(struct weir_session *session);
/* An open of a file that is not born, as session_layout.h has it; or -errno. */
int weir_sessions_note(struct weir_session *session, uint32_t flags,
		       uint64_t deferred);
/*
 * An open of this file is none any more, and its place may be another's. False:
 * it is none already.
 */
bool weir_sessions_forget(struct weir_session *session, uint32_t open,
			  const struct weir_file *file, bool *ret_wrote);

/* The image that attached has ended; maybe its children have not. */
void weir_sessions_look(pid_t pid);
/* Ends those that nobody uses; true: some are still in use that may be. */
bool weir_sessions_sweep(void);
bool weir_sessions_is_used(uint32_t number); /* maybe */
uint32_t weir_sessions_count(void); /* that may be used by somebody */

/*
 * Nothing more is acknowledged: clients are told that the service is gone,
 * their chunks are taken back, and all that was acknowledged is taken in.
 */
void weir_sessions_seal(void);

/* Takes in all that was acknowledged so far to a file, by any session. */
void weir_sessions_ingest(struct weir_file *file);
/* The same to all files. */
void weir_sessions_ingest_all(void);

/* For `status`. */
uint64_t weir_sessions_granted(void); /* bytes of chunks with clients */
uint64_t weir_sessions_waiting(void); /* sessions that wait for a chunk */

#endif
