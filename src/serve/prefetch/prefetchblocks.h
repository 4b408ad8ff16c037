/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps account of the prefetch blocks of sessions: who has which, what memory
 * they take, and what clients see of them (wire/prefetch_layout.h). This is the
 * daemon's own account: what a client may write over is never asked. A lock of
 * its own, held with none taken afterwards.
 */
#ifndef WEIR_PREFETCH_PREFETCHBLOCKS_H
#define WEIR_PREFETCH_PREFETCHBLOCKS_H

#include "serve/session/sessionparts.h"

/* Records of a file that are to be had, or are there. */
struct weir_prefetchblocks_part {
	uint64_t offset;
	int64_t stride;
	uint32_t record, bytes;
};

struct weir_prefetchblocks_one {
	struct weir_session *session;
	uint32_t number;
	uint32_t open; /* + 1; 0: nobody's */
	uint32_t round, writings;
	uint32_t file, turn; /* on the board */
	struct weir_prefetchblocks_part part;
	uint64_t begun;
	bool is_again; /* it was prefetched before */
	bool is_coming, has_memory;
	struct weir_prefetchblocks_one *next; /* to be read after it */
};

/* How much memory all may take. */
void weir_prefetchblocks_begin(uint64_t bytes);

/* Of a session that begins, or that another daemon has left: all are empty. */
int weir_prefetchblocks_join(struct weir_session *session);
void weir_prefetchblocks_leave(struct weir_session *session);

/*
 * One for a part of an open file, which clients wait for from now on; NULL:
 * there is none. `place`: what lies before it was read already.
 */
struct weir_prefetchblocks_request {
	uint32_t open, round, writings, file, turn;
	uint64_t place;
	bool is_again;
	struct weir_prefetchblocks_part part;
};
struct weir_prefetchblocks_one *
weir_prefetchblocks_take(struct weir_session *session,
			 const struct weir_prefetchblocks_request *request);

/* Up to where an open file has blocks without a gap, from a place on. */
uint64_t
weir_prefetchblocks_reach(struct weir_session *session,
			  const struct weir_prefetchblocks_request *request);

/* Whether some of an open file before this place was ordered before. */
bool weir_prefetchblocks_pass(struct weir_session *session, uint32_t open,
			      uint64_t from, uint64_t end);

/*
 * So much of it is there now; 0: nothing, and it is nobody's again. `is_end`:
 * there the file ends.
 */
void weir_prefetchblocks_put(struct weir_prefetchblocks_one *one,
			     uint32_t bytes, bool is_end);

/* The open file is closed. */
void weir_prefetchblocks_close(struct weir_session *session, uint32_t open);

unsigned char *
weir_prefetchblocks_bytes(const struct weir_prefetchblocks_one *one);

#endif
