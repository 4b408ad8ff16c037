/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers requests that come through the daemon's socket. */
#ifndef WEIR_DAEMON_REQUEST_H
#define WEIR_DAEMON_REQUEST_H

#include "serve/daemon/connection.h"

/*
 * Takes over what was heard, and answers, by other threads if it may take
 * time. True: a program has attached, *ret_pid (0: not known here).
 */
bool weir_request_answer(struct weir_connection *connection, pid_t *ret_pid);

/* Whether what was heard is that a program attaches. */
bool weir_request_is_attach(const struct weir_connection *connection);

#endif
