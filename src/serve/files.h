/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that are served: each is known once, however often it is open. */
#ifndef WEIR_SERVE_FILES_H
#define WEIR_SERVE_FILES_H

#include "cache/index.h"
#include "serve/state.h"

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

int weir_files_begin(void); /* also brings back what state.h tells */

/*
 * Sessions have opened their files again, and their records are taken in. What
 * nobody uses any more is let go of.
 */
void weir_files_settle(void);
void weir_files_end(void);

struct weir_files_new {
	int fd; /* taken over when 0 is returned */
	uint64_t dev, ino;
	bool writes;		  /* this open may */
	bool can_read, can_write; /* the descriptor */
	const char *path;
};

/* Finds or makes it; one more user, and writer if it writes. */
int weir_files_open(const struct weir_files_new *new,
		    struct weir_file **ret_file);

/* At a restart: an open that there was; NULL: its file is gone. */
struct weir_file *weir_files_reopen(uint32_t place, uint32_t turn, bool writes);

/* NULL: there is none at this place, or it is another one by now. */
struct weir_file *weir_files_borrow(uint32_t place, uint32_t turn);

/* The file that an open is of; NULL: none, or not yet. */
struct weir_file *weir_files_borrow_open(const struct weir_state_open *kept);
void weir_files_put(struct weir_file *file);

/* An open is closed; the file is forgotten when nothing is left to do. */
void weir_files_close(struct weir_file *file, bool wrote);

/*
 * For who takes in what was written: the file is locked, if it is there, but
 * not borrowed. Its records keep it.
 */
struct weir_file *weir_files_lock(uint32_t place, uint32_t turn);

/*
 * Tells clients: sets and clears WEIR_FILE_* on the board, by writers, bypass,
 * records, error and is_tight. The file's lock is held.
 */
void weir_files_tell(struct weir_file *file);

/* The file system is to keep what was stored; 0, or -errno for good. */
int weir_files_sync(struct weir_file *file);

/* The kernel has it from now on, counted once; the lock is held. */
void weir_files_bypass(struct weir_file *file);

/* Each file in turn; it is borrowed while `look` runs. */
void weir_files_each(void (*look)(struct weir_file *file, void *arg),
		     void *arg);

#endif
