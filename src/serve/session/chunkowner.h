/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whose a chunk or slot is, and whether that thread lives. */
#ifndef WEIR_SESSION_CHUNKOWNER_H
#define WEIR_SESSION_CHUNKOWNER_H

#include "wire/session_layout.h"

#include <stdbool.h>

/* A thread that marked something as its own, and has ended. */
bool weir_chunkowner_is_dead(uint32_t owner);

/* Takes a dead thread's, or our own, mark off a chunk that is free. */
void weir_chunkowner_free(struct weir_session_head *head);

#endif
