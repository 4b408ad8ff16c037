/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is served: known once, however often it is open. */
#ifndef WEIR_FILES_FILE_H
#define WEIR_FILES_FILE_H

#include "cache/index.h"
#include "serve/state/state.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_file {
	uint32_t place, turn; /* on the board */
	/* of the backend; a better one may take its place: ask each time */
	_Atomic(void *) backing;
	_Atomic uint32_t handle; /* in the trace; 0: it is not told of */
	struct weir_state_file *kept; /* what a next daemon is told of it */

	pthread_mutex_t lock; /* of all below */
	struct weir_index *index;
	uint64_t records; /* writes that are in the index, seen or not */
	uint32_t users;	  /* opens, and whoever borrows it */
	uint32_t opens;
	uint32_t writers; /* opens that may write */
	uint32_t cuts;	  /* truncations that have begun or ended */
	uint32_t appends; /* that have a place, and are not there yet */
	bool is_tight;	  /* little room where it lies */
	bool is_turning;  /* it will be bypassed */
	bool is_cut;	  /* what leaves the index now was removed */
	bool can_read, can_write; /* the backing */
	void *former[2]; /* backings that were replaced */
	uint64_t changed; /* CLOCK_MONOTONIC ns of the last write; 0: none */
	uint64_t changed_wall; /* the same of CLOCK_REALTIME */
	uint64_t oldest; /* of what is not stored; 0: nothing */
	bool is_doomed;	 /* no name leads to it */
	int error;	 /* why something could not be stored; 0: all could */
	uint64_t retry;	 /* CLOCK_MONOTONIC ns: not before that */
	uint32_t tries;

	pthread_mutex_t staging; /* one at a time stores it; before `lock` */
};

/* An open of one, as it is handed over. */
struct weir_file_new {
	int fd; /* taken over when 0 is returned */
	uint64_t dev, ino;
	bool writes;		  /* this open may */
	bool can_read, can_write; /* the descriptor */
	const char *path;
};

#endif
