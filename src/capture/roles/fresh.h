/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are not recorded but make descriptors: what was known of their
 * numbers is no longer true, if they were closed behind our back.
 */
#ifndef WEIR_ROLES_FRESH_H
#define WEIR_ROLES_FRESH_H

#include "gate/gate.h"

/* The wrappers call them when the call is over; args->ret is its result. */
void weir_fresh(const struct weir_args *args);		/* the result is one */
void weir_fresh_socket(const struct weir_args *args);	/* likewise */
void weir_fresh_event(const struct weir_args *args);	/* likewise */
void weir_fresh_pair(const struct weir_args *args);	/* args->pair */
void weir_fresh_message(const struct weir_args *args);	/* a struct msghdr */
void weir_fresh_messages(const struct weir_args *args); /* several of them */
void weir_fresh_terminal(const struct weir_args *args); /* master and slave */
void weir_fresh_login(const struct weir_args *args);	/* 0, 1, 2 and fd */

#endif
