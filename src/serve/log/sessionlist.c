/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of sessions, and what is asked of all of them. */
#include "serve/log/sessionlist.h"

#include "serve/log/ingest.h"

#include <errno.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static struct weir_session *sessions[WEIR_STATE_SESSIONS];
static bool taken[WEIR_STATE_SESSIONS]; /* numbers; some are being made */
static uint32_t bound; /* all that there ever were are below it */
static uint32_t threads;

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

void weir_sessionlist_put(struct weir_session *session)
{
	pthread_mutex_lock(&list);
	if (!--session->users)
		pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&list);
}

struct weir_session *weir_sessionlist_borrow(uint32_t number,
					     const uint64_t token[2])
{
	struct weir_session *session = borrow(number);

	if (!session || (session->kept->token[0] == token[0] &&
			 session->kept->token[1] == token[1] &&
			 !atomic_load(&session->is_over)))
		return session;
	weir_sessionlist_put(session);
	return NULL;
}

uint32_t
weir_sessionlist_borrow_all(const struct weir_file *file,
			    struct weir_session *ret_all[WEIR_STATE_SESSIONS])
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
		ret_all[count++] = session;
	}
	pthread_mutex_unlock(&list);
	return count;
}

void weir_sessionlist_ingest(struct weir_file *file)
{
	struct weir_session *all[WEIR_STATE_SESSIONS];
	uint32_t count = weir_sessionlist_borrow_all(file, all);

	for (uint32_t i = 0; i < count; i++) {
		weir_ingest_session(all[i]);
		weir_sessionlist_put(all[i]);
	}
}

void weir_sessionlist_ingest_all(void)
{
	weir_sessionlist_ingest(NULL);
}

void weir_sessionlist_retire(struct weir_session *session)
{
	pthread_mutex_lock(&list);
	sessions[session->number] = NULL;
	while (session->users)
		pthread_cond_wait(&left, &list);
	pthread_mutex_unlock(&list);
}

void weir_sessionlist_end_thread(uint32_t number, bool is_free)
{
	pthread_mutex_lock(&list);
	if (is_free)
		taken[number] = false;
	threads--;
	pthread_cond_broadcast(&left);
	pthread_mutex_unlock(&list);
}

int weir_sessionlist_start(struct weir_session *session, void *(*run)(void *))
{
	pthread_t thread;
	int err;

	pthread_mutex_lock(&list);
	sessions[session->number] = session;
	threads++;
	err = pthread_create(&thread, NULL, run, session);
	if (err) {
		sessions[session->number] = NULL;
		threads--;
	}
	pthread_mutex_unlock(&list);
	if (!err)
		pthread_detach(thread);
	return -err;
}

int weir_sessionlist_take_number(void)
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

void weir_sessionlist_free_number(uint32_t number)
{
	pthread_mutex_lock(&list);
	taken[number] = false;
	pthread_mutex_unlock(&list);
}

void weir_sessionlist_look(pid_t pid)
{
	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (sessions[i] && sessions[i]->kept->pid == pid)
			atomic_store(&sessions[i]->is_left, true);
	pthread_mutex_unlock(&list);
}

uint32_t weir_sessionlist_count(void)
{
	uint32_t count = 0;

	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		count += sessions[i] && !atomic_load(&sessions[i]->is_over);
	pthread_mutex_unlock(&list);
	return count;
}

bool weir_sessionlist_is_used(uint32_t number)
{
	bool used;

	pthread_mutex_lock(&list);
	used = sessions[number] && !atomic_load(&sessions[number]->is_over);
	pthread_mutex_unlock(&list);
	return used;
}

void weir_sessionlist_restore(struct weir_session *session)
{
	taken[session->number] = true;
	sessions[session->number] = session;
	bound = session->number + 1;
}

struct weir_session *weir_sessionlist_at(uint32_t number)
{
	return sessions[number];
}

void weir_sessionlist_join(void)
{
	pthread_mutex_lock(&list);
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (sessions[i])
			weir_session_wake(sessions[i]);
	while (threads)
		pthread_cond_wait(&left, &list);
	pthread_mutex_unlock(&list);
}
