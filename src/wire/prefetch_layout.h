/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out what is prefetched: blocks of files that the daemon puts into the
 * memory of a session before the program asks for them. A read that a block
 * covers is a copy in the program.
 *
 * The client leaves a request with the open file, sets the bit of that file and
 * wakes the daemon; nobody waits. The daemon writes blocks and lists them with
 * the open file. Neither believes the other: the daemon checks a copy of the
 * request and keeps its own account of blocks, and a client takes what it finds
 * for a block only when all that is said of it holds, before it is copied and
 * after.
 */
#ifndef WEIR_WIRE_PREFETCH_LAYOUT_H
#define WEIR_WIRE_PREFETCH_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

#define WEIR_PREFETCH_BYTES  (512u << 10)
#define WEIR_PREFETCH_BLOCKS 64u /* of a session */
#define WEIR_PREFETCH_LISTED 16u /* of an open file */
/* After so long (ns) it counts no more: others may have changed the file. */
#define WEIR_PREFETCH_AGE UINT64_C(1000000000)

enum weir_prefetch_state {
	WEIR_PREFETCH_EMPTY,
	WEIR_PREFETCH_COMING, /* being read; clients sleep on it */
	WEIR_PREFETCH_HERE,
};

/* Records of a file, one behind the other; in the file they lie apart. */
struct weir_prefetch_block {
	_Alignas(64) _Atomic uint32_t sequence; /* odd: being changed */
	_Atomic uint32_t state;
	_Atomic uint32_t open;	   /* whose it is, + 1; 0: nobody's */
	_Atomic uint32_t round;	   /* of the request */
	_Atomic uint32_t writings; /* of the file, before it was read */
	_Atomic uint32_t record;   /* bytes of one */
	_Atomic uint32_t bytes;	   /* of all: there, or coming */
	_Atomic uint32_t spare;
	_Atomic uint64_t offset; /* in the file, of the first */
	_Atomic int64_t stride;	 /* from one to the next; may be negative */
	_Atomic uint64_t begun;	 /* CLOCK_MONOTONIC ns: reading it was */
};
_Static_assert(sizeof(struct weir_prefetch_block) == 64, "");

#define WEIR_PREFETCH_WORDS 10

/* Of an open file, shared by all who have it. */
struct weir_prefetch_file {
	/* The request, by the client. */
	_Alignas(64) _Atomic uint32_t sequence; /* odd: being changed */
	_Atomic uint32_t round; /* blocks of other rounds do not count */
	_Atomic uint64_t from;
	_Atomic int64_t stride;
	_Atomic uint32_t record, count;
	_Atomic uint64_t place; /* where it reads now */
	/* Numbers of blocks, + 1, a byte each; 0: none. By the daemon. */
	_Atomic uint64_t list[WEIR_PREFETCH_LISTED / 8];
	_Atomic uint64_t end; /* the file was found to end there; 0: not yet */
	/* What was of use: bytes, and reads with all from blocks or not. */
	_Atomic uint64_t used, hits, misses;
	/* What the client knows of how it is read (pattern.h). */
	_Atomic uint64_t pattern[WEIR_PREFETCH_WORDS];
};
_Static_assert(sizeof(struct weir_prefetch_file) == 192, "");

/* Which open files have requests: a bit each, then the count is raised. */
struct weir_prefetch_requests {
	_Alignas(64) _Atomic uint32_t count;
	_Alignas(64) _Atomic uint64_t opens[64];
};

#endif
