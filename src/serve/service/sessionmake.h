/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a session: its memory, and the file by which it is seen that it lives.
 */
#ifndef WEIR_SERVICE_SESSIONMAKE_H
#define WEIR_SERVICE_SESSIONMAKE_H

#include "serve/session/sessionparts.h"

#include <sys/types.h>

int weir_sessionmake_new(uint32_t number, pid_t pid,
			 struct weir_session **ret_session);

/* What an earlier daemon left; its chunks and opens are known again. */
int weir_sessionmake_back(uint32_t number, struct weir_session **ret_session);

/* For good: the supervisor forgets it too. Nobody has it any more. */
void weir_sessionmake_unmake(struct weir_session *session);

/* Takes its file away, unless some process still maps that: then false. */
bool weir_sessionmake_give_up(const struct weir_session *session);

#endif
