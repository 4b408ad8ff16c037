/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for the daemon: a session's memory made by hand, and a thread that
 * grants chunks, takes them back, reads records and answers slots. Every record
 * tells by its place in the file who wrote it and what is in it.
 */
#ifndef WEIR_FORWARD_STANDIN_H
#define WEIR_FORWARD_STANDIN_H

#include "forward/link/link.h"
#include "forward/log/log.h"

#define CHUNKS	32u
#define WRITERS 24u
#define WRITES	4096u /* of each */
#define STRIDE	(UINT64_C(1) << 20) /* from one write's place to the next */
#define FILE_AT 5u  /* place on the board */
#define TURN	6u
#define APPENDS UINT64_C(1000000000000) /* where appended bytes begin */

/* What the thread is to do, and what it has seen; all shared by forks. */
struct standin {
	_Atomic uint32_t is_over;
	_Atomic uint32_t grants_most; /* chunks with clients at a time */
	_Atomic uint32_t is_mute;     /* answers nothing */
	_Atomic uint32_t flags;	      /* come up when one waits */
	_Atomic uint32_t is_mean;     /* and nothing is granted then */
	_Atomic uint32_t commits, asks; /* that were answered */
	_Atomic uint64_t end;	      /* of what was appended */
	_Atomic uint32_t faults;      /* records that make no sense */
	_Atomic uint32_t sleeps;
	_Atomic uint32_t acked[WRITERS]; /* writes that returned */
	uint32_t seen[WRITERS][WRITES];	 /* bytes of each that were found */
	uint32_t seen_appends[WRITERS];
};

extern struct standin *standin;

void standin_begin(uint32_t grants_most);
/* The thread ends, and reads what is left in the chunks. */
void standin_end(void);

/* Each is told its number, from 0; returns when all have ended. */
void standin_run_threads(uint32_t count, void *(*what)(void *));

/* How long the nth write of somebody is, and what is in it. */
uint32_t standin_length(uint32_t writer, uint32_t nth);
unsigned char standin_byte(uint32_t writer, uint32_t nth, uint32_t at);

/* By the log, in `parts` parts; what it returned. */
int64_t standin_write(uint32_t writer, uint32_t nth, uint32_t parts);

/* All that was acknowledged was found, whole; nothing else was found. */
void standin_assert_all(uint32_t writer);

#endif
