/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps what outlives a daemon, in memory that the supervisor made before it
 * forked the first one, and that each daemon inherits. Only the daemon writes
 * it. An entry counts when its `live` is set, which is the last thing that is
 * done to it; a daemon may die between any two stores.
 */
#ifndef WEIR_STATE_STATE_H
#define WEIR_STATE_STATE_H

#include "wire/direct_layout.h"
#include "wire/session_layout.h"

#include <limits.h>
#include <time.h>

#define WEIR_STATE_SESSIONS 1024u
#define WEIR_STATE_LEDGER   65536u
#define WEIR_STATE_CHANGED  256u
/* Files by number: on the board, then deferred ones. */
#define WEIR_STATE_PLACES (WEIR_BOARD_FILES + WEIR_BOARD_DEFERRED)

struct weir_state_file {
	_Atomic uint32_t live;
	uint32_t turn; /* as on the board */
	uint64_t dev, ino;
	uint32_t is_bypassed;
	uint32_t is_readable; /* the daemon's descriptor may read */
	uint32_t is_told;     /* in the trace */
	int32_t sync_error; /* -errno: the file system could not keep it */
	_Atomic uint64_t end; /* given away by appends, up to here */
	char path[PATH_MAX]; /* for people */
};

struct weir_state_open {
	_Atomic uint32_t live;
	/* turn 0: it is deferred; set after file, so read before it */
	_Atomic uint32_t file, turn;
	uint32_t flags; /* as it was opened */
	_Atomic uint32_t deferred; /* as which: place + 1; 0: none */
};

/* A deferred file, or one that has just been materialised. */
enum weir_state_deferral {
	WEIR_DEFERRED_NAMED = 1,
	WEIR_DEFERRED_NAMELESS,	    /* removed; who has it open uses it on */
	WEIR_DEFERRED_MATERIALISED, /* some still have to be given the file */
};

struct weir_state_deferred {
	_Atomic uint32_t live;
	_Atomic uint32_t phase; /* enum weir_state_deferral */
	uint32_t turn;
	_Atomic uint32_t is_materialising; /* a file of its name may be ours */
	uint32_t file, file_turn;	   /* of one that is materialised */
	uint64_t dev, ino; /* the directory */
	uint64_t since;	   /* CLOCK_MONOTONIC ns */
	_Atomic uint64_t created, unlinked; /* by which calls: nonces */
	uint64_t cid; /* of the call in the trace; 0: it is in none */
	char path[PATH_MAX];
};

/* A directory in which some were that never will be. */
struct weir_state_changed {
	_Atomic uint32_t live;
	uint64_t dev, ino;
	struct timespec when;
};

struct weir_state_session {
	_Atomic uint32_t live;
	uint32_t chunks;
	int32_t pid; /* of the image that attached */
	uint32_t started; /* seconds of CLOCK_MONOTONIC */
	uint64_t token[2];
	char presence[64]; /* a file beside the socket; who maps it lives */
	struct weir_state_open opens[WEIR_SESSION_OPENS];
	/* one more than the place that an append through a slot was given */
	_Atomic uint64_t appends[WEIR_SESSION_SLOTS];
	/* by place, the turn of the file that it may write, until it ends */
	_Atomic uint32_t writes[WEIR_BOARD_FILES];
};

/* One range of a file that could not be stored. */
enum weir_state_fate {
	WEIR_FATE_OPEN = 1,
	WEIR_FATE_RESOLVED, /* stored after all */
	WEIR_FATE_DISCARDED,
	WEIR_FATE_RESCUED, /* in a file for `weir serve recover` */
};

struct weir_state_failure {
	_Atomic uint32_t live;
	uint32_t fate; /* enum weir_state_fate */
	uint32_t file, turn;
	int32_t error; /* errno */
	uint32_t tries;
	uint64_t offset, length;
	uint64_t when; /* CLOCK_REALTIME, ns */
	char path[PATH_MAX];
	char rescue[PATH_MAX]; /* the file that it was put into */
};

struct weir_state {
	uint32_t epoch; /* how many daemons there have been */
	/*
	 * Of the last one that has taken over: its epoch, and the work that had
	 * been done by then. What comes after that is its own.
	 */
	_Atomic uint32_t up;
	_Atomic uint64_t inherited;
	_Atomic uint64_t served; /* sums for `status`, over all daemons */
	_Atomic uint64_t requests_in, requests_out, bytes_in, bytes_out;
	_Atomic uint64_t reads, hits; /* reads by op; of those, from memory */
	/* Read before it was asked for, and used of that; reads that found all
	 * they wanted there, and others. */
	_Atomic uint64_t prefetched_bytes, prefetched_used, prefetch_hits,
		prefetch_misses;
	_Atomic uint64_t refused; /* records and calls that made no sense */
	_Atomic uint64_t bypassed; /* files that were left to the kernel */
	char trace[PATH_MAX]; /* directory of live files; "": nobody records */
	_Atomic uint32_t
		deferral_ended;	    /* all are created at once from now on */
	_Atomic uint64_t deferrals; /* files that were not created at once */
	_Atomic uint64_t materialised, materialised_bytes;   /* but later */
	_Atomic uint64_t never_created, never_created_bytes; /* nor ever */
	_Atomic uint32_t failures; /* entries of the ledger ever made */
	struct weir_state_session sessions[WEIR_STATE_SESSIONS];
	struct weir_state_file files[WEIR_BOARD_FILES];
	struct weir_state_deferred deferred[WEIR_BOARD_DEFERRED];
	struct weir_state_changed changed[WEIR_STATE_CHANGED];
	struct weir_state_failure ledger[WEIR_STATE_LEDGER];
};

/* The supervisor's, mapped before the first fork. */
extern struct weir_state *weir_state;
extern struct weir_board *weir_state_board; /* writable */
extern struct weir_direct *weir_state_direct; /* clients write it too */
extern int weir_state_board_fd;		    /* to hand out: sealed */

/* Over all daemons; more when one has done something. */
uint64_t weir_state_work(void);

/* For the service of a runtime directory. 0 or -errno. */
int weir_state_make(uint64_t interface, const char *place);

/* Clients find it in the directory, as long as this process lives. */
void weir_state_name(const char *place);

#endif
