/* SPDX-License-Identifier: BSD-3-Clause */
/* A call in a slot of a session, and what it may do. */
#ifndef WEIR_SESSION_SLOTCALL_H
#define WEIR_SESSION_SLOTCALL_H

#include "serve/session/sessionparts.h"

#include <errno.h>

/* A handler that would have to wait for the file system, and may not. */
#define WEIR_SLOTCALL_LATER (-EINPROGRESS)

/* The context of handlers. */
struct weir_slotcall {
	struct weir_session *session;
	uint32_t slot;
	bool may_wait;
	bool is_again; /* a daemon before may have begun it */
};

/*
 * Whoever asked has died: nothing is changed any more, as those who come after
 * may rely on that. Asked when the file is changed next.
 */
bool weir_slotcall_is_abandoned(const struct weir_slotcall *call);

/*
 * The file of an open, borrowed; `access`: O_RDONLY, O_WRONLY as wanted. NULL:
 * there is no such open, or it is not open for that.
 */
struct weir_file *weir_slotcall_borrow(const struct weir_slotcall *call,
				       uint32_t open, int access);

#endif
