/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of sessions, and what others ask of all of them. */
#include "serve/sessions.h"

#include "serve/prefetcher.h"
#include "serve/grants.h"
#include "serve/ingest.h"
#include "serve/ops.h"
#include "serve/prefetchblocks.h"
#include "serve/freespace.h"
#include "serve/sessionparts.h"
#include "serve/sessionloop.h"
#include "serve/sessionmake.h"
#include "serve/setup.h"
#include "serve/chunkreclaim.h"
#include "serve/tale.h"
#include "serve/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static struct weir_session *sessions[WEIR_STATE_SESSIONS];
static bool taken[WEIR_STATE_SESSIONS]; /* numbers; some are being made */
static uint32_t bound; /* all that there ever were are below it */
static uint32_t threads;
static _Atomic bool is_stopped;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* of `opens` */

static struct weir_session *borrow(uint32_t number)
{
	struct weir_session *session = NULL;

	if (number >= WEIR_STATE_SESSIONS)
		return NULL;
	pthread_mutex_lock(&list);
	session = sessions[number];
	if (session)
		session->users++;
	pthread_mutex_unlock(&list);
	return session;
}

static void put(struct weir_session *session)
{
	pthread_mutex_lock(&list);
	if (!--session->users)
		pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&list);
}

/* Those that may write a file, or all; how many. */
static uint32_t borrow_all(const struct weir_file *file,
			   struct weir_session *all[WEIR_STATE_SESSIONS])
{
	uint32_t count = 0;

	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < bound; i++) {
		struct weir_session *session = sessions[i];

		if (!session ||
		    (file && atomic_load(&session->kept->writes[file->place]) !=
				     file->turn))
			continue;
		session->users++;
		all[count++] = session;
	}
	pthread_mutex_unlock(&list);
	return count;
}

void weir_sessions_ingest(struct weir_file *file)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = borrow_all(file, all);

	for (uint32_t i = 0; i < count; i++) {
		weir_ingest_session(all[i]);
		put(all[i]);
	}
}

void weir_sessions_ingest_all(void)
{
	weir_sessions_ingest(NULL);
}

void weir_sessions_seal(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = borrow_all(NULL, all);

	for (uint32_t i = 0; i < count; i++)
		atomic_store(&all[i]->page->dead, 1);
	weir_grants_stir();
	for (uint32_t i = 0; i < count; i++) {
		weir_chunkreclaim_all(all[i]);
		weir_ingest_session(all[i]);
		put(all[i]);
	}
}

/* Off the list; returns when nobody has it any more. */
static void retire(struct weir_session *session)
{
	pthread_mutex_lock(&list);
	sessions[session->number] = NULL;
	while (session->users)
		pthread_cond_wait(&left, &list);
	pthread_mutex_unlock(&list);
}

static void *live(void *arg)
{
	struct weir_session *session = arg;
	uint32_t number = session->number;
	bool has_ended = weir_sessionloop_run(session, &is_stopped);

	if (has_ended) {
		retire(session);
		/* what was being opened when it ended */
		weir_ops_end(session);
		weir_sessionmake_unmake(session);
	}
	pthread_mutex_lock(&list);
	if (has_ended)
		taken[number] = false;
	threads--;
	pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&list);
	return NULL;
}

static int start(struct weir_session *session)
{
	pthread_t thread;
	int err;

	pthread_mutex_lock(&list);
	sessions[session->number] = session;
	threads++;
	err = pthread_create(&thread, NULL, live, session);
	if (err) {
		sessions[session->number] = NULL;
		threads--;
	}
	pthread_mutex_unlock(&list);
	if (!err)
		pthread_detach(thread);
	return -err;
}

static int take_number(void)
{
	int number = -EUSERS;

	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS && number < 0; i++) {
		if (taken[i])
			continue;
		taken[i] = true;
		number = (int)i;
		bound = i < bound ? bound : i + 1;
	}
	pthread_mutex_unlock(&list);
	return number;
}

static void free_number(uint32_t number)
{
	pthread_mutex_lock(&list);
	taken[number] = false;
	pthread_mutex_unlock(&list);
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

	weir_sessions_look(pid);
	number = take_number();
	if (number < 0)
		return number;
	err = weir_sessionmake_new((uint32_t)number, pid, &session);
	if (err) {
		free_number((uint32_t)number);
		return err;
	}
	err = welcome(session, ret_welcome);
	if (!err) {
		err = start(session);
		if (err)
			close(ret_welcome->memory_fd);
	}
	if (err) {
		weir_sessionmake_unmake(session);
		free_number((uint32_t)number);
	}
	return err;
}

void weir_sessions_look(pid_t pid)
{
	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (sessions[i] && sessions[i]->kept->pid == pid)
			atomic_store(&sessions[i]->is_left, true);
	pthread_mutex_unlock(&list);
}

/* True: it may end later. */
static bool look_after(struct weir_session *session)
{
	if (!atomic_load(&session->is_left) || atomic_load(&session->is_over))
		return false;
	if (!weir_sessionmake_give_up(session))
		return true;
	atomic_store(&session->is_over, true);
	weir_grants_ring(session);
	return false;
}

bool weir_sessions_sweep(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = borrow_all(NULL, all);
	bool more = false;

	for (uint32_t i = 0; i < count; i++) {
		more |= look_after(all[i]);
		put(all[i]);
	}
	return more;
}

uint32_t weir_sessions_count(void)
{
	uint32_t count = 0;

	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		count += sessions[i] && !atomic_load(&sessions[i]->is_over);
	pthread_mutex_unlock(&list);
	return count;
}

bool weir_sessions_is_used(uint32_t number)
{
	bool used;

	pthread_mutex_lock(&list);
	used = sessions[number] && !atomic_load(&sessions[number]->is_over);
	pthread_mutex_unlock(&list);
	return used;
}

uint64_t weir_sessions_granted(void)
{
	return weir_grants_lent();
}

uint64_t weir_sessions_waiting(void)
{
	return weir_grants_waiting();
}

/* The kernel says what it is, and what it may do; the client says nothing. */
static int inspect(struct weir_files_new *new)
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
	atomic_store(&open->unborn, deferred);
}

/* Of a file, or (NULL) of one that is not born. */
static int note_open(struct weir_session *session, uint32_t flags,
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
bool weir_sessions_forget(struct weir_session *session, uint32_t open,
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

static int open_for(struct weir_session *session,
		    const struct weir_op_open_in *in,
		    struct weir_files_new *new,
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
		weir_tale_introduce(file);
	if (new->writes)
		weir_freespace_meet(file);
	made = (struct weir_op_open_out){ .file = file->place,
					  .turn = file->turn };
	/* who has asked may be dead, and all it has open closed after this */
	open = note_open(session, in->flags, file, 0);
	if (open < 0) {
		weir_files_close(file, new->writes);
		return open;
	}
	made.open = (uint32_t)open;
	*ret_out = made;
	return 0;
}

int weir_sessions_note(struct weir_session *session, uint32_t flags,
		       uint64_t deferred)
{
	return note_open(session, flags, NULL, deferred);
}

struct weir_session *weir_sessions_borrow(uint32_t number,
					  const uint64_t token[2])
{
	struct weir_session *session = borrow(number);

	if (!session ||
	    (session->kept->token[0] == token[0] &&
	     session->kept->token[1] == token[1] &&
	     !atomic_load(&session->is_over)))
		return session;
	put(session);
	return NULL;
}

void weir_sessions_put(struct weir_session *session)
{
	put(session);
}

/* Who comes after a dead one must not see its last call done later. */
static void await_abandoned(void)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = borrow_all(NULL, all);

	for (uint32_t i = 0; i < count; i++) {
		weir_ops_await_abandoned(all[i]);
		put(all[i]);
	}
}

static int open_session(const struct weir_op_open_in *in, const char *path,
			int fd, struct weir_op_open_out *ret_out)
{
	const uint64_t token[2] = { in->token0, in->token1 };
	struct weir_session *session = weir_sessions_borrow(in->session, token);
	struct weir_files_new new = { .path = path, .fd = fd };
	int err = -EACCES;

	if (session) {
		err = inspect(&new);
		await_abandoned();
		if (!err)
			err = open_for(session, in, &new, ret_out);
		put(session);
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

	if (!in->cid || !weir_tale_enter_open())
		return open_session(in, path, fd, ret_out);
	err = open_session(in, path, fd, ret_out);
	if (!err)
		file = weir_files_borrow(ret_out->file, ret_out->turn);
	weir_tale_leave_open(file, in->cid, err);
	if (file)
		weir_files_put(file);
	return err;
}

/* What earlier daemons left is taken in before anybody is answered. */
int weir_sessions_begin(void)
{
	struct weir_session *session;
	int err = 0;

	weir_grants_begin();
	weir_prefetchblocks_begin(weir_setup_used->prefetch);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++) {
		if (weir_sessionmake_back(i, &session))
			continue;
		taken[i] = true;
		sessions[i] = session;
		bound = i + 1;
	}
	weir_sessions_ingest_all();
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (sessions[i])
			weir_ops_repeat(sessions[i]);
	weir_files_settle();
	atomic_store(&weir_state->inherited, weir_state_work());
	atomic_store(&weir_state->up, weir_state->epoch);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS && !err; i++)
		if (sessions[i])
			err = start(sessions[i]);
	return err;
}

void weir_sessions_end(void)
{
	atomic_store(&is_stopped, true);
	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (sessions[i])
			weir_grants_ring(sessions[i]);
	while (threads)
		pthread_cond_wait(&left, &list);
	pthread_mutex_unlock(&list);
	weir_workers_end();
}
