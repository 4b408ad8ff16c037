/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes and forgets the open files of a session. */
#ifndef WEIR_LOG_SESSIONOPENS_H
#define WEIR_LOG_SESSIONOPENS_H

#include "serve/files/file.h"
#include "serve/session/sessionparts.h"

/*
 * One more: of a file, or (NULL) of a deferred one, as session_layout.h has it.
 * Its place, or -EMFILE.
 */
int weir_sessionopens_note(struct weir_session *session, uint32_t flags,
			   const struct weir_file *file, uint64_t deferred);

/*
 * An open of this file is none any more, and its place may be another's. False:
 * it is none already.
 */
bool weir_sessionopens_forget(struct weir_session *session, uint32_t open,
			      const struct weir_file *file, bool *ret_wrote);

#endif
