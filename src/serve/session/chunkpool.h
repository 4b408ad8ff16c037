/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps count of chunks: all that sessions have are within the size of the
 * cache. When there are none left, sessions wait in the order in which they
 * came.
 */
#ifndef WEIR_SESSION_CHUNKPOOL_H
#define WEIR_SESSION_CHUNKPOOL_H

#include "serve/session/sessionparts.h"

void weir_chunkpool_begin(void);
uint32_t weir_chunkpool_chunks(void); /* that a new session gets, at most */

void weir_chunkpool_join(struct weir_session *session);
void weir_chunkpool_leave(struct weir_session *session);

/* At a restart: the client has this chunk. */
void weir_chunkpool_adopt(struct weir_session *session, uint32_t chunk);
/* At a restart: perhaps somebody waits, whom the last daemon knew. */
void weir_chunkpool_expect(struct weir_session *session);

/*
 * How many the session shall be given now. It has `have`; if these are few, it
 * uses them up. `most`: in advance.
 */
uint32_t weir_chunkpool_window(struct weir_session *session, uint32_t have,
			       uint32_t most);
/* It does not use what it has: it gets fewer in advance. */
void weir_chunkpool_shrink(struct weir_session *session);

/*
 * One of its chunks is lent to it (`*ret_bare`: it has no memory); false: none,
 * and a session that waits for one is in the queue then.
 */
bool weir_chunkpool_take(struct weir_session *session, uint32_t *ret_chunk,
			 bool *ret_bare);
/* There is less memory than the user thought: do with what there is. */
void weir_chunkpool_withdraw(struct weir_session *session, uint32_t chunk);
/* The session has some: clients of it that wait are woken. */
void weir_chunkpool_satisfy(struct weir_session *session);

/* One record less, or nothing more to come; the last one frees the chunk. */
void weir_chunkpool_let_go(struct weir_session *session, uint32_t chunk);

/* Wakes clients that wait for a chunk: they look again what is to be done. */
void weir_chunkpool_stir(void);
/* Wakes the threads of other sessions that have chunks. */
void weir_chunkpool_wake_others(const struct weir_session *session);

bool weir_chunkpool_are_wanted(void);  /* somebody waits for a chunk */
uint64_t weir_chunkpool_lent(void);    /* bytes of chunks that sessions have */
uint32_t weir_chunkpool_waiting(void); /* sessions that do */
bool weir_chunkpool_are_back(struct weir_session *session); /* all of them */

#endif
