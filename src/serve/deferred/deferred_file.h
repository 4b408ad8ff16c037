/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One deferred file, for the files of this room that look after it: deferred.c
 * has the table, deferred_materialise.c creates the file, deferred_copy.c
 * copies.
 */
#ifndef WEIR_DEFERRED_DEFERRED_FILE_H
#define WEIR_DEFERRED_DEFERRED_FILE_H

#include "serve/session/sessionparts.h"

#include <fcntl.h>

/* A descriptor of the file for whoever has one of the memory. */
struct weir_deferred_given {
	uint32_t session, open;
	int fd;
	struct weir_deferred_given *next;
};

struct weir_deferred {
	pthread_mutex_t lock; /* of all below, and of what is kept */
	uint32_t place;
	bool is_claimed; /* somebody makes one here; under the table's */
	struct weir_state_deferred *kept;
	int memory, parent; /* -1: none */
	int inode; /* what it will be, if its numbers were asked for; or -1 */
	int file;  /* the file; -1: it is not */
	uint32_t opens;
	uint32_t tries;
	uint64_t retry; /* CLOCK_MONOTONIC ns: not before that */
	int error;
	struct weir_deferred_given *given;
};

/* What an open of one keeps of what the client said. */
#define WEIR_DEFERRED_FLAGS (O_ACCMODE | O_APPEND | O_NONBLOCK)

/* A name in a directory: what one is found by. */
struct weir_deferred_key {
	uint64_t dev, ino;
	const char *path, *name; /* name NULL: any */
};

/* 0 or -EBADF: it is no directory. */
int weir_deferred_key(int parent, const char *path,
		      struct weir_deferred_key *ret_key);
/* Its lock is held, or the table's. */
bool weir_deferred_is_named(const struct weir_deferred *deferred,
			    const struct weir_deferred_key *key);
/* Nothing is held: who has to know locks it then, and asks again. */
bool weir_deferred_may_be(const struct weir_deferred *deferred,
			  const struct weir_deferred_key *key);

/*
 * The one of this name, locked; NULL: none. With `ret_free` a place for it,
 * locked too (NULL: no more). Who comes second waits until it is there.
 */
struct weir_deferred *weir_deferred_find(const struct weir_deferred_key *key,
					 struct weir_deferred **ret_free);
void weir_deferred_end_claim(struct weir_deferred *deferred);

struct weir_deferred *weir_deferred_at(uint32_t place);

/* Its lock is held. */
void weir_deferred_forget(struct weir_deferred *deferred);
void weir_deferred_forget_if_over(struct weir_deferred *deferred);
/* That it could not be materialised is over. */
void weir_deferred_settle_failure(struct weir_deferred *deferred,
				  enum weir_state_fate fate);

/*
 * One was removed: its directory is another since then, for who asks. It is
 * told when somebody does.
 */
void weir_deferred_note_change(const struct weir_deferred *deferred);
void weir_deferred_tell_change(const struct weir_deferred_key *key,
			       int directory);

/* There are some: they are looked after. */
void weir_deferred_have_tended(void);

/* The part of a path behind the last slash. */
const char *weir_deferred_name(const char *path);

/* Its lock is held. 0, or why it cannot be materialised now. */
int weir_deferred_materialise(struct weir_deferred *deferred);

/*
 * Gives what is in its memory to `put`, piece by piece, up to where it ends at
 * the beginning: that is told. 0 or -errno, as `put` says or before it.
 */
struct weir_deferred_copy {
	int memory;
	int (*put)(void *arg, char *bytes, size_t size, uint64_t at);
	void *arg;
};
int weir_deferred_copy(const struct weir_deferred_copy *copy,
		       uint64_t *ret_size);

/* Its memory cannot be written as a file can: clients can seal it too. */
bool weir_deferred_is_sealed(const struct weir_deferred *deferred);

/*
 * The open that a client means, and the one that it is of, which is locked.
 * 0 or -errno.
 */
struct weir_deferred_visit {
	struct weir_session *session;
	struct weir_state_open *kept;
	struct weir_deferred *deferred;
};
int weir_deferred_visit(struct weir_deferred_visit *visit, uint32_t session,
			const uint64_t token[2], uint32_t open);
void weir_deferred_leave_visit(const struct weir_deferred_visit *visit);

/*
 * What it will be gets its name; a descriptor of it, or -errno. EOPNOTSUPP:
 * nothing was made for it, or that cannot have a name.
 */
int weir_deferred_name_inode(struct weir_deferred *deferred, const char *name);
/* One without a name, that nobody can give one to: it had this before. */
int weir_deferred_take_inode(struct weir_deferred *deferred, const char *name);
/* At its end, and when another is made in its place. */
void weir_deferred_forget_number(struct weir_deferred *deferred);

/* For an open of one that is materialised: new, or -errno. */
int weir_deferred_give(struct weir_deferred *deferred, uint32_t session,
		       uint32_t open);
/* It needs it no more. */
void weir_deferred_take_back(struct weir_deferred *deferred, uint32_t session,
			     uint32_t open);

/* What cannot be materialised goes into a file in this directory, whole. */
void weir_deferred_leave(struct weir_deferred *deferred, const char *directory);

/* Clients are told that its memory counts. */
void weir_deferred_show(const struct weir_deferred *deferred);

/* It has a name, or none any more, whatever became of it. */
void weir_deferred_enter_names(const struct weir_deferred *deferred);
void weir_deferred_leave_names(struct weir_deferred *deferred);

#endif
