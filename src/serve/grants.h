/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: all chunks that sessions have are within the size of the cache. A
 * client is given some in advance, more when it uses them up; when there are
 * none left, sessions wait in the order in which they came, and each is given
 * one in turn.
 */
#ifndef WEIR_SERVE_GRANTS_H
#define WEIR_SERVE_GRANTS_H

#include "serve/sessionparts.h"

void weir_grants_begin(void);
uint32_t weir_grants_chunks(void); /* that a new session gets, at most */

void weir_grants_join(struct weir_session *session);
void weir_grants_leave(struct weir_session *session);

/* At a restart: the client has this chunk. */
void weir_grants_adopt(struct weir_session *session, uint32_t chunk);

/* By the session's thread: as many as it shall have; true: some were given. */
bool weir_grants_give(struct weir_session *session);

/* It does not use what it has: it gets fewer in advance. */
void weir_grants_shrink(struct weir_session *session);

/* At a restart: perhaps somebody waits, whom the last daemon knew. */
void weir_grants_expect(struct weir_session *session);

/* Wakes clients that wait for a chunk: they look again what is to be done. */
void weir_grants_stir(void);

/* One record less, or nothing more to come; the last one frees the chunk. */
void weir_grants_let_go(struct weir_session *session, uint32_t chunk);

/* Wakes the thread of a session. */
void weir_grants_ring(struct weir_session *session);

bool weir_grants_are_wanted(void);  /* somebody waits for a chunk */
uint64_t weir_grants_lent(void);    /* bytes of chunks that sessions have */
uint32_t weir_grants_waiting(void); /* sessions that do */
bool weir_grants_are_back(struct weir_session *session); /* all of them */

#endif
