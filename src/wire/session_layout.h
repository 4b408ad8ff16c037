/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out the memory that a client and the daemon share: one sealed file in
 * memory for each session, held by the supervisor. A session is one image of a
 * program and the children that it forked.
 *
 *	page | open files | slots | heads of chunks | lanes | chunks |
 *	what is prefetched: requests, open files, heads of blocks, blocks
 *
 * The log *is* the cache: a write is copied into a chunk, and what the daemon
 * hands to the file system is that copy. Everything here can be written by the
 * client: the daemon copies a header, checks the copy, and never looks twice.
 */
#ifndef WEIR_WIRE_SESSION_LAYOUT_H
#define WEIR_WIRE_SESSION_LAYOUT_H

#include "wire/prefetch_layout.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_SESSION_MAGIC UINT64_C(0x31736e7372696577) /* "weirsns1" */

#define WEIR_SESSION_OPENS 4096u	 /* open file descriptions */
#define WEIR_SESSION_SLOTS 16u		 /* calls that wait for an answer */
#define WEIR_SESSION_LANE  (512u << 10) /* data of such a call, each way */
#define WEIR_SESSION_CHUNK (256u << 10)
#define WEIR_SESSION_CHUNKS_MOST 65536u
#define WEIR_SESSION_ALIGN 4096u

struct weir_session_page {
	uint64_t magic;
	uint64_t interface; /* hash of spec/forward.ops */
	uint64_t token[2];  /* proves on the socket whose session it is */
	uint32_t session;   /* its number */
	uint32_t chunks;    /* in this file, granted or not */
	_Atomic uint32_t dead; /* the service is gone for good: -EIO */
	_Atomic uint32_t epoch; /* of the daemon; one more with each start */
	uint32_t prefetch_blocks; /* 0: nothing is prefetched */

	/*
	 * The daemon's thread for this session sleeps on `wakes`. Whoever has
	 * something for it adds one and, if it is asleep, wakes it. `armed`:
	 * records are such, as nobody looks for them now. Only the daemon
	 * clears both: a client that did, and were killed before it wakes the
	 * daemon, would silence the others.
	 */
	_Alignas(64) _Atomic uint32_t wakes;
	_Atomic uint32_t asleep;
	_Atomic uint32_t armed;

	/*
	 * Clients that find no chunk set `waiting`, wake it, and sleep on
	 * `room`. The daemon clears `waiting` before it grants, and adds one to
	 * `room`.
	 */
	_Alignas(64) _Atomic uint32_t room;
	_Atomic uint32_t waiting;

	/* One bit a chunk: granted, and not taken yet. */
	_Alignas(64) _Atomic uint64_t grants[WEIR_SESSION_CHUNKS_MOST / 64];
};

/*
 * An open file description: shared by dup and by fork, as in the kernel. The
 * daemon gives it away when a file is opened, and takes it back when the last
 * descriptor is closed (op `close`).
 */
struct weir_session_open {
	_Atomic uint64_t offset;
	_Atomic uint32_t lock;	  /* thread that moves the offset; 0: nobody */
	_Atomic uint32_t users;	  /* descriptors, of all processes */
	_Atomic uint32_t flags;	  /* O_ACCMODE, O_APPEND, ... of now */
	_Atomic uint32_t written; /* since the last commit */
	uint32_t file;		  /* place on the board */
	uint32_t turn;		  /* of this place; 0: not in use */
	uint64_t spare[2];
	/* board_layout.h: a deferred one, 1 + its place | turn << 32 */
	_Atomic uint64_t deferred;
};
_Static_assert(sizeof(struct weir_session_open) == 56, "");

/* A call that waits for an answer. Its lane is its data, in and out. */
enum weir_session_slot_state {
	WEIR_SESSION_FREE,
	WEIR_SESSION_CLAIMED, /* a client fills it in, or reads the answer */
	WEIR_SESSION_POSTED,  /* for the daemon; a new one does it again */
	WEIR_SESSION_ANSWERED,
};

#define WEIR_SESSION_ARGS    96 /* bytes; the most an op takes */
#define WEIR_SESSION_RESULTS 64

struct weir_session_slot {
	_Alignas(64) _Atomic uint32_t state; /* the client sleeps on it */
	uint32_t op;	   /* enum weir_op */
	int32_t status;	   /* 0 or -errno */
	uint32_t data;	   /* bytes in the lane: of the call, of the answer */
	_Alignas(16) uint8_t args[WEIR_SESSION_ARGS];
	uint8_t results[WEIR_SESSION_RESULTS];
	/* Among clients: the thread whose it is, and who would like to be it */
	_Atomic uint32_t owner;
	_Atomic uint32_t wanted;
	uint64_t stamp; /* of a call that is recorded (wire/cid.h); or 0 */
};
_Static_assert(sizeof(struct weir_session_slot) == 192, "");

/*
 * A chunk is FREE (the daemon's), GRANTED, TAKEN (by a client that appends
 * records while it has set `owner`), then SEALED. Records are true up to
 * `used`: the store to it is the acknowledgement of a write. Anybody may die
 * at any moment: what is below `used` counts, nothing else.
 */
enum weir_session_phase {
	WEIR_CHUNK_FREE,
	WEIR_CHUNK_GRANTED,
	WEIR_CHUNK_TAKEN,
	WEIR_CHUNK_SEALED,
};

#define WEIR_SESSION_DAEMON UINT32_MAX /* owner: taken back from the client */

struct weir_session_head {
	_Alignas(64) _Atomic uint32_t phase;
	_Atomic uint32_t owner; /* thread that appends; 0: nobody now */
	_Atomic uint32_t used;	/* bytes of whole records */
	uint32_t spare;
};

/*
 * In a chunk: this, then `length` bytes, then padding to 8. A record that a
 * daemon has put into its file (or that a later one hides whole) is DONE. One
 * that is TRACED has an event in the trace of its program, with its number.
 */
#define WEIR_RECORD_DONE 1u
#define WEIR_RECORD_TRACED 2u

struct weir_session_record {
	uint32_t length;
	uint32_t file;	 /* place on the board */
	uint64_t offset; /* in the file */
	uint64_t stamp;	 /* CLOCK_MONOTONIC, within the call that wrote it */
	_Atomic uint32_t state;
	uint32_t turn;	 /* of the place on the board */
};
_Static_assert(sizeof(struct weir_session_record) == 32, "");

#define WEIR_SESSION_PAYLOAD                                                  \
	(WEIR_SESSION_CHUNK - (uint32_t)sizeof(struct weir_session_record))

static inline uint64_t weir_session_round(uint64_t bytes, uint64_t to)
{
	return (bytes + to - 1) / to * to;
}

/* What a record takes in a chunk. */
static inline uint32_t weir_session_record_size(uint32_t length)
{
	return (uint32_t)weir_session_round(
		sizeof(struct weir_session_record) + (uint64_t)length, 8);
}

static inline uint64_t weir_session_opens_at(void)
{
	return weir_session_round(sizeof(struct weir_session_page),
				  WEIR_SESSION_ALIGN);
}

static inline uint64_t weir_session_slots_at(void)
{
	uint64_t opens = WEIR_SESSION_OPENS * sizeof(struct weir_session_open);

	return weir_session_round(weir_session_opens_at() + opens,
				  WEIR_SESSION_ALIGN);
}

static inline uint64_t weir_session_heads_at(void)
{
	uint64_t slots = WEIR_SESSION_SLOTS * sizeof(struct weir_session_slot);

	return weir_session_round(weir_session_slots_at() + slots,
				  WEIR_SESSION_ALIGN);
}

static inline uint64_t weir_session_lanes_at(uint32_t chunks)
{
	uint64_t heads = chunks * sizeof(struct weir_session_head);

	return weir_session_round(weir_session_heads_at() + heads,
				  WEIR_SESSION_ALIGN);
}

static inline uint64_t weir_session_chunks_at(uint32_t chunks)
{
	return weir_session_lanes_at(chunks) +
	       (uint64_t)WEIR_SESSION_SLOTS * WEIR_SESSION_LANE;
}

static inline uint64_t weir_session_requests_at(uint32_t chunks)
{
	return weir_session_chunks_at(chunks) +
	       (uint64_t)chunks * WEIR_SESSION_CHUNK;
}

static inline uint64_t weir_session_prefetch_at(uint32_t chunks)
{
	return weir_session_requests_at(chunks) +
	       weir_session_round(sizeof(struct weir_prefetch_requests),
				  WEIR_SESSION_ALIGN);
}

static inline uint64_t weir_session_block_heads_at(uint32_t chunks)
{
	return weir_session_prefetch_at(chunks) +
	       WEIR_SESSION_OPENS * sizeof(struct weir_prefetch_file);
}

static inline uint64_t weir_session_blocks_at(uint32_t chunks)
{
	return weir_session_block_heads_at(chunks) +
	       WEIR_PREFETCH_BLOCKS * sizeof(struct weir_prefetch_block);
}

static inline uint64_t weir_session_bytes(uint32_t chunks)
{
	return weir_session_blocks_at(chunks) +
	       (uint64_t)WEIR_PREFETCH_BLOCKS * WEIR_PREFETCH_BYTES;
}

#endif
