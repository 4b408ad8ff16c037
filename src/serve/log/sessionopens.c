/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes and forgets the open files of a session. */
#include "serve/log/sessionopens.h"

#include "serve/prefetch/prefetcher.h"

#include <errno.h>
#include <fcntl.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* of `opens` */

static int find_open(const struct weir_session *session)
{
	for (int i = 0; i < (int)WEIR_SESSION_OPENS; i++)
		if (!atomic_load(&session->kept->opens[i].live))
			return i;
	return -EMFILE;
}

static void fill_open(struct weir_session_open *open,
		      const struct weir_state_open *kept, uint64_t deferred)
{
	atomic_store(&open->offset, 0);
	atomic_store(&open->lock, 0);
	atomic_store(&open->users, 1);
	atomic_store(&open->flags, kept->flags);
	atomic_store(&open->written, 0);
	open->file = kept->file;
	open->turn = kept->turn;
	atomic_store(&open->deferred, deferred);
}

int weir_sessionopens_note(struct weir_session *session, uint32_t flags,
			   const struct weir_file *file, uint64_t deferred)
{
	struct weir_state_open *kept;
	int open;

	pthread_mutex_lock(&opening);
	open = find_open(session);
	if (open >= 0) {
		kept = &session->kept->opens[open];
		kept->file = file ? file->place : 0;
		kept->turn = file ? file->turn : 0;
		kept->flags = flags;
		kept->deferred = (uint32_t)deferred;
		if (file && (flags & O_ACCMODE) != O_RDONLY)
			atomic_store(&session->kept->writes[file->place],
				     file->turn);
		fill_open(&session->opens[open], kept, deferred);
		weir_prefetcher_open(session, (uint32_t)open);
		atomic_store(&kept->live, 1);
	}
	pthread_mutex_unlock(&opening);
	return open;
}

/* The program may have had it closed by several calls at once. */
bool weir_sessionopens_forget(struct weir_session *session, uint32_t open,
			      const struct weir_file *file, bool *ret_wrote)
{
	struct weir_state_open *kept = &session->kept->opens[open];
	bool is_its;

	pthread_mutex_lock(&opening);
	is_its = atomic_load(&kept->live) && kept->file == file->place &&
		 kept->turn == file->turn && !atomic_load(&kept->deferred);
	if (is_its) {
		*ret_wrote = (kept->flags & O_ACCMODE) != O_RDONLY;
		weir_prefetcher_close(session, open);
		session->opens[open].turn = 0;
		atomic_store(&kept->live, 0);
	}
	pthread_mutex_unlock(&opening);
	return is_its;
}
