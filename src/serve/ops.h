/* SPDX-License-Identifier: BSD-3-Clause */
/* What clients ask in slots. */
#ifndef WEIR_SERVE_OPS_H
#define WEIR_SERVE_OPS_H

#include "serve/sessionparts.h"
#include "spec/forward.h"

#include <errno.h>

/* A handler that would have to wait for the file system, and may not. */
#define WEIR_OPS_LATER (-EINPROGRESS)

/* The context of handlers. */
struct weir_ops_call {
	struct weir_session *session;
	uint32_t slot;
	bool may_wait;
	bool is_again; /* a daemon before may have begun it */
};

/* Does what is posted, or has it done; true: there was something. */
bool weir_ops_serve(struct weir_session *session);

/*
 * Of a daemon that begins: what changes files and may have been begun is done
 * to its end, whether its client lives or not, before anybody is answered.
 */
void weir_ops_repeat(struct weir_session *session);

/*
 * Whoever asked has died: nothing is changed any more, as those who come after
 * may rely on that. Asked when the file is changed next.
 */
bool weir_ops_is_abandoned(const struct weir_ops_call *call);

/* Until nothing is under way of what dead clients of it asked for. */
void weir_ops_await_abandoned(struct weir_session *session);

/* Closes what is open, as the policy says; the session is over. */
void weir_ops_end(struct weir_session *session);

/*
 * The file of an open, borrowed; `access`: O_RDONLY, O_WRONLY as wanted. NULL:
 * there is no such open, or it is not open for that.
 */
struct weir_file *weir_ops_borrow(struct weir_session *session, uint32_t open,
				  int access);

/* How many records of it are in the index. */
uint64_t weir_ops_count(struct weir_file *file);

#endif
