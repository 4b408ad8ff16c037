/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the sums of digests.c: places for handles and files, and a lock. */
#ifndef WEIR_DIGESTS_DIGESTBOOK_H
#define WEIR_DIGESTS_DIGESTBOOK_H

#include "base/digest.h"
#include "capture/digests/written.h"
#include "trace/layout/digest_layout.h"

#include <stdatomic.h>

#define WEIR_DIGESTBOOK_PLACES	4096 /* of handles, and of files */
#define WEIR_DIGESTBOOK_NO_FILE UINT32_MAX
#define WEIR_DIGESTBOOK_FLIGHTS 64
#define WEIR_DIGESTBOOK_MANY	UINT32_MAX

struct weir_digestbook_file {
	uint64_t key; /* 0: the place is free */
	uint64_t used;
	uint64_t further, further_bytes; /* pieces beside a call's first */
	uint32_t buffered; /* handle of a stream that writes later; or MANY */
	struct weir_written written;
};

/* A thread is about to write, or at it. */
struct weir_digestbook_flight {
	const void *owner; /* the thread; NULL: the place is free */
	uint32_t file;
	bool has_met; /* another, in the same bytes */
	uint64_t from, to;
};

/* Sums are of what was not told yet. */
struct weir_digestbook_entry {
	uint32_t handle; /* 0: the place is free */
	uint32_t file;
	uint32_t doubts;
	bool is_dirty; /* said to have sums that are still to be told */
	bool is_told;  /* something was ever */
	struct weir_digest sum, cover;
	uint64_t bytes, writes, end;
	uint64_t used;
};

/* In pages that a forked child has empty. */
struct weir_digestbook {
	_Atomic uintptr_t lock;	 /* an address of the thread that has it */
	uint64_t clock;		 /* who was used last */
	_Atomic uint32_t doubts; /* of all from now on */
	bool forgot;		 /* a file had to make room */
	struct weir_digestbook_entry entries[WEIR_DIGESTBOOK_PLACES];
	struct weir_digestbook_file files[WEIR_DIGESTBOOK_PLACES];
	struct weir_digestbook_flight flights[WEIR_DIGESTBOOK_FLIGHTS];
};

/* What is told: made with the lock, said without it. */
struct weir_digestbook_report {
	struct weir_digestbook_entry entry; /* handle 0: nothing */
	uint64_t key;			    /* of its file; 0: not known */
	char extents[WEIR_DIGEST_TEXT];
};

/* NULL: not to be had, and everything told from now on says so. */
struct weir_digestbook *weir_digestbook_lock(void);
void weir_digestbook_unlock(struct weir_digestbook *book);

/* Without the lock; NULL: there is none yet. */
struct weir_digestbook *weir_digestbook_look(void);

/* The entry of a handle; NULL: none. */
struct weir_digestbook_entry *weir_digestbook_find(struct weir_digestbook *book,
						   uint32_t handle);

/* The same, made when it is not there: another may have to make room. */
struct weir_digestbook_entry *
weir_digestbook_enter(struct weir_digestbook *book, uint32_t handle,
		      struct weir_digestbook_report *ret_evicted);

/* The place of a key; and what is known to be written of an entry's file. */
uint32_t weir_digestbook_file(struct weir_digestbook *book, uint64_t key);
struct weir_written *weir_digestbook_written(struct weir_digestbook *book,
					     struct weir_digestbook_entry *e);

/* The key of an entry's file; 0: nobody has said which. */
uint64_t weir_digestbook_key(const struct weir_digestbook *book,
			     const struct weir_digestbook_entry *e);

/* What is known of an entry's file is that of another key from now on. */
void weir_digestbook_rekey(struct weir_digestbook *book,
			   struct weir_digestbook_entry *e, uint64_t key);

/* Of an entry, which then has nothing left to tell; if it had anything. */
void weir_digestbook_report(struct weir_digestbook *book,
			    struct weir_digestbook_entry *e,
			    struct weir_digestbook_report *ret);

#endif
