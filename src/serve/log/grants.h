/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grants chunks to a session: some in advance, more when it uses them up, and
 * one in turn with others when there are none left.
 */
#ifndef WEIR_LOG_GRANTS_H
#define WEIR_LOG_GRANTS_H

#include "serve/session/sessionparts.h"

/* By the session's thread: as many as it shall have; true: some were given. */
bool weir_grants_give(struct weir_session *session);

#endif
