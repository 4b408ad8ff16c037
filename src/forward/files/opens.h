/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks, moves and counts open files of the session, as the kernel does: an
 * offset that is shared by dup and fork and moved by one at a time, and how
 * many descriptors there are of it.
 */
#ifndef WEIR_FILES_OPENS_H
#define WEIR_FILES_OPENS_H

#include "wire/session_layout.h"

#include <stdbool.h>

/*
 * Before the offset is used and until it is moved. False: this thread has it
 * already, as a signal handler interrupts it there: go on, and do not unlock.
 * The lock of one who has died is taken over.
 */
bool weir_opens_lock(struct weir_session_open *open);
void weir_opens_unlock(struct weir_session_open *open);

/*
 * Under the lock: the offset, which moves on by `count`. It moves first, so
 * that a signal handler that does the same gets another place.
 */
static inline uint64_t weir_opens_advance(struct weir_session_open *open,
					  uint64_t count)
{
	return atomic_fetch_add(&open->offset, count);
}

/* Less was moved than thought: back to there, if nobody has moved it since. */
static inline void weir_opens_retreat(struct weir_session_open *open,
				      uint64_t from, uint64_t to)
{
	atomic_compare_exchange_strong(&open->offset, &from, to);
}

/* One descriptor more. */
static inline void weir_opens_share(struct weir_session_open *open)
{
	atomic_fetch_add(&open->users, 1);
}

/* The same of one that another thread may be closing; false: it is closed. */
static inline bool weir_opens_share_living(struct weir_session_open *open)
{
	uint32_t users = atomic_load(&open->users);

	while (users)
		if (atomic_compare_exchange_weak(&open->users, &users,
						 users + 1))
			return true;
	return false;
}

/* One less; true: it was the last one. */
static inline bool weir_opens_drop(struct weir_session_open *open)
{
	return atomic_fetch_sub(&open->users, 1) == 1;
}

#endif
