/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends sessions, and opens files for them. */
#include "serve/service/sessions.h"

#include "serve/files/fileevents.h"
#include "serve/files/files.h"
#include "serve/log/chunkreclaim.h"
#include "serve/log/freespace.h"
#include "serve/log/ingest.h"
#include "serve/log/sessionlist.h"
#include "serve/log/sessionopens.h"
#include "serve/prefetch/prefetchblocks.h"
#include "serve/service/ops.h"
#include "serve/service/sessionloop.h"
#include "serve/service/sessionmake.h"
#include "serve/session/chunkpool.h"
#include "serve/state/setup.h"
#include "serve/threads/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic bool is_stopped;

void weir_sessions_seal(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = weir_sessionlist_borrow_all(NULL, all);

	for (uint32_t i = 0; i < count; i++)
		atomic_store(&all[i]->page->dead, 1);
	weir_chunkpool_stir();
	for (uint32_t i = 0; i < count; i++) {
		weir_chunkreclaim_all(all[i]);
		weir_ingest_session(all[i]);
		weir_sessionlist_put(all[i]);
	}
}

static void *live(void *arg)
{
	struct weir_session *session = arg;
	uint32_t number = session->number;
	bool has_ended = weir_sessionloop_run(session, &is_stopped);

	if (has_ended) {
		weir_sessionlist_retire(session);
		/* what was being opened when it ended */
		weir_ops_end(session);
		weir_sessionmake_unmake(session);
	}
	weir_sessionlist_end_thread(number, has_ended);
	return NULL;
}

static int welcome(struct weir_session *session,
		   struct weir_sessions_welcome *ret_welcome)
{
	struct weir_state_session *kept = session->kept;
	int fd = fcntl(session->memory_fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	*ret_welcome = (struct weir_sessions_welcome){
		.session = session->number,
		.chunks = session->chunks,
		.token = { kept->token[0], kept->token[1] },
		.memory_fd = fd,
	};
	memcpy(ret_welcome->presence, kept->presence,
	       sizeof(ret_welcome->presence));
	return 0;
}

/* A process that attaches again has called exec: what was before has ended. */
int weir_sessions_attach(pid_t pid, struct weir_sessions_welcome *ret_welcome)
{
	struct weir_session *session;
	int number, err;

	weir_sessionlist_look(pid);
	number = weir_sessionlist_take_number();
	if (number < 0)
		return number;
	err = weir_sessionmake_new((uint32_t)number, pid, &session);
	if (err) {
		weir_sessionlist_free_number((uint32_t)number);
		return err;
	}
	err = welcome(session, ret_welcome);
	if (!err) {
		err = weir_sessionlist_start(session, live);
		if (err)
			close(ret_welcome->memory_fd);
	}
	if (err) {
		weir_sessionmake_unmake(session);
		weir_sessionlist_free_number((uint32_t)number);
	}
	return err;
}

/* True: it may end later. */
static bool look_after(struct weir_session *session)
{
	if (!atomic_load(&session->is_left) || atomic_load(&session->is_over))
		return false;
	if (!weir_sessionmake_give_up(session))
		return true;
	atomic_store(&session->is_over, true);
	weir_session_wake(session);
	return false;
}

bool weir_sessions_sweep(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = weir_sessionlist_borrow_all(NULL, all);
	bool more = false;

	for (uint32_t i = 0; i < count; i++) {
		more |= look_after(all[i]);
		weir_sessionlist_put(all[i]);
	}
	return more;
}

/* The kernel says what it is, and what it may do; the client says nothing. */
static int inspect(struct weir_file_new *new)
{
	int flags = fcntl(new->fd, F_GETFL);
	struct stat stat;

	if (flags < 0 || fstat(new->fd, &stat))
		return -errno;
	if (flags & (O_PATH | O_APPEND | O_DIRECT) || !S_ISREG(stat.st_mode) ||
	    !stat.st_ino)
		return -EINVAL;
	new->dev = stat.st_dev;
	new->ino = stat.st_ino;
	new->can_read = (flags & O_ACCMODE) != O_WRONLY;
	new->can_write = (flags & O_ACCMODE) != O_RDONLY;
	return 0;
}

static int open_for(struct weir_session *session,
		    const struct weir_op_open_in *in, struct weir_file_new *new,
		    struct weir_op_open_out *ret_out)
{
	struct weir_op_open_out made;
	struct weir_file *file;
	int open, err;

	new->writes = (in->flags & O_ACCMODE) != O_RDONLY;
	if (new->writes && !new->can_write)
		return -EACCES;
	err = weir_files_open(new, &file);
	if (err)
		return err;
	new->fd = -1; /* the file's */
	if (in->cid)
		weir_fileevents_introduce(file);
	if (new->writes)
		weir_freespace_meet(file);
	made = (struct weir_op_open_out){ .file = file->place,
					  .turn = file->turn };
	/* who has asked may be dead, and all it has open closed after this */
	open = weir_sessionopens_note(session, in->flags, file, 0);
	if (open < 0) {
		weir_files_close(file, new->writes);
		return open;
	}
	made.open = (uint32_t)open;
	*ret_out = made;
	return 0;
}

/* Who comes after a dead one must not see its last call done later. */
static void await_abandoned(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = weir_sessionlist_borrow_all(NULL, all);

	for (uint32_t i = 0; i < count; i++) {
		weir_ops_await_abandoned(all[i]);
		weir_sessionlist_put(all[i]);
	}
}

static int open_session(const struct weir_op_open_in *in, const char *path,
			int fd, struct weir_op_open_out *ret_out)
{
	const uint64_t token[2] = { in->token0, in->token1 };
	struct weir_session *session =
		weir_sessionlist_borrow(in->session, token);
	struct weir_file_new new = {.path = path, .fd = fd};
	int err = -EACCES;

	if (session) {
		err = inspect(&new);
		await_abandoned();
		if (!err)
			err = open_for(session, in, &new, ret_out);
		weir_sessionlist_put(session);
	}
	if (new.fd >= 0)
		close(new.fd);
	return err;
}

int weir_sessions_open(const struct weir_op_open_in *in, const char *path,
		       int fd, struct weir_op_open_out *ret_out)
{
	struct weir_file *file = NULL;
	int err;

	if (!in->cid || !weir_fileevents_enter_open())
		return open_session(in, path, fd, ret_out);
	err = open_session(in, path, fd, ret_out);
	if (!err)
		file = weir_files_borrow(ret_out->file, ret_out->turn);
	weir_fileevents_leave_open(file, in->cid, err);
	if (file)
		weir_files_put(file);
	return err;
}

/* What earlier daemons left is taken in before anybody is answered. */
int weir_sessions_begin(void)
{
	struct weir_session *session;
	int err = 0;

	weir_chunkpool_begin();
	weir_prefetchblocks_begin(weir_setup_used->prefetch);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++) {
		if (weir_sessionmake_back(i, &session))
			continue;
		weir_sessionlist_restore(session);
	}
	weir_sessionlist_ingest_all();
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (weir_sessionlist_at(i))
			weir_ops_repeat(weir_sessionlist_at(i));
	weir_files_settle();
	atomic_store(&weir_state->inherited, weir_state_work());
	atomic_store(&weir_state->up, weir_state->epoch);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS && !err; i++)
		if (weir_sessionlist_at(i))
			err = weir_sessionlist_start(weir_sessionlist_at(i),
						     live);
	return err;
}

void weir_sessions_end(void)
{
	atomic_store(&is_stopped, true);
	weir_sessionlist_join();
	weir_workers_end();
}
