/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool of chunks. A chunk that has memory counts, lent or not. */
#include "serve/session/chunkpool.h"

#include "base/futex.h"
#include "serve/session/chunkmemory.h"
#include "serve/session/chunkowner.h"
#include "serve/session/logrecord.h"
#include "serve/state/setup.h"

#include <limits.h>

#define AT_FIRST 2 /* chunks that a new session has in advance */

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;
static struct weir_session *all;	   /* that joined */
static struct weir_session *first, **last = &first; /* that wait */
static uint32_t members;
static uint32_t cap;	/* chunks with memory, at most */
static uint32_t backed; /* that have some now */
static uint32_t lent;	/* of these, with sessions */

void weir_chunkpool_begin(void)
{
	uint64_t chunks = weir_setup_used->cache / WEIR_SESSION_CHUNK;

	if (chunks < AT_FIRST)
		chunks = AT_FIRST;
	cap = chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
}

uint32_t weir_chunkpool_chunks(void)
{
	return cap < WEIR_SESSION_CHUNKS_MOST ? cap : WEIR_SESSION_CHUNKS_MOST;
}

static void set_bit(uint64_t *bits, uint32_t chunk)
{
	bits[chunk / 64] |= UINT64_C(1) << chunk % 64;
}

/* The lowest: its memory is the warmest. -1: there is none. */
static int64_t take_lowest(uint64_t *bits, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++) {
		if (!bits[i])
			continue;
		uint32_t bit = (uint32_t)__builtin_ctzll(bits[i]);

		bits[i] &= bits[i] - 1;
		return (int64_t)i * 64 + bit;
	}
	return -1;
}

void weir_chunkpool_join(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	for (uint32_t i = 0; i < session->chunks; i++)
		set_bit(session->bare, i);
	session->joined = all;
	all = session;
	members++;
	pthread_mutex_unlock(&pool);
}

void weir_chunkpool_adopt(struct weir_session *session, uint32_t chunk)
{
	uint64_t bit = UINT64_C(1) << chunk % 64;

	pthread_mutex_lock(&pool);
	session->bare[chunk / 64] &= ~bit;
	session->lent++;
	lent++;
	backed++;
	pthread_mutex_unlock(&pool);
	atomic_store(&session->chunk[chunk].live, 1);
	atomic_fetch_or(&session->out[chunk / 64], bit);
}

/* The pool is locked. */
static void enqueue(struct weir_session *session)
{
	if (session->is_queued)
		return;
	session->is_queued = true;
	session->next = NULL;
	*last = session;
	last = &session->next;
}

static void dequeue(struct weir_session *session)
{
	struct weir_session **at = &first;

	if (!session->is_queued)
		return;
	while (*at != session)
		at = &(*at)->next;
	*at = session->next;
	if (last == &session->next)
		last = at;
	session->is_queued = false;
}

void weir_chunkpool_leave(struct weir_session *session)
{
	struct weir_session **at = &all;

	pthread_mutex_lock(&pool);
	dequeue(session);
	while (*at != session)
		at = &(*at)->joined;
	*at = session->joined;
	members--;
	backed -= session->ready_count + session->lent;
	lent -= session->lent;
	if (first)
		weir_session_wake(first);
	pthread_mutex_unlock(&pool);
}

static bool strip_one(struct weir_session *session)
{
	int64_t chunk =
		take_lowest(session->ready, weir_session_words(session));

	if (chunk < 0)
		return false;
	weir_chunkmemory_strip(session, (uint32_t)chunk);
	set_bit(session->bare, (uint32_t)chunk);
	session->ready_count--;
	backed--;
	return true;
}

static bool strip_another(const struct weir_session *session)
{
	for (struct weir_session *other = all; other; other = other->joined)
		if (other != session && other->ready_count)
			return strip_one(other);
	return false;
}

/* One session alone cannot have all: others would wait for what it keeps. */
static bool has_its_share(const struct weir_session *session)
{
	uint32_t others = (members - 1) * AT_FIRST;

	if (others > cap / 2)
		others = cap / 2;
	return session->lent >= cap - others;
}

/* What is known of records is within the size of the cache, too. */
static bool is_crowded(const struct weir_session *session)
{
	uint64_t used = (uint64_t)lent * WEIR_SESSION_CHUNK;

	return session->lent >= AT_FIRST &&
	       used + weir_logrecord_bytes() >
		       (uint64_t)cap * WEIR_SESSION_CHUNK;
}

/* One of its chunks, or -1; the pool is locked. */
static int64_t choose_chunk(struct weir_session *session, bool *ret_bare)
{
	uint32_t words = weir_session_words(session);
	int64_t chunk;

	if ((first && first != session) || has_its_share(session) ||
	    is_crowded(session))
		return -1;
	*ret_bare = false;
	chunk = take_lowest(session->ready, words);
	if (chunk >= 0) {
		session->ready_count--;
	} else {
		if (backed >= cap && !strip_another(session))
			return -1;
		chunk = take_lowest(session->bare, words);
		if (chunk < 0)
			return -1;
		*ret_bare = true;
		backed++;
	}
	session->lent++;
	lent++;
	return chunk;
}

bool weir_chunkpool_take(struct weir_session *session, uint32_t *ret_chunk,
			 bool *ret_bare)
{
	int64_t chunk;

	pthread_mutex_lock(&pool);
	chunk = choose_chunk(session, ret_bare);
	if (chunk >= 0 || has_its_share(session))
		dequeue(session);
	else if (session->is_waiting)
		enqueue(session);
	pthread_mutex_unlock(&pool);
	*ret_chunk = (uint32_t)chunk;
	return chunk >= 0;
}

void weir_chunkpool_withdraw(struct weir_session *session, uint32_t chunk)
{
	pthread_mutex_lock(&pool);
	set_bit(session->bare, chunk);
	session->lent--;
	lent--;
	backed--;
	if (backed >= AT_FIRST)
		cap = backed;
	if (session->is_waiting)
		enqueue(session);
	pthread_mutex_unlock(&pool);
}

/* The pool is locked. */
static void note_waiting(struct weir_session *session)
{
	if (!atomic_load(&session->page->waiting))
		return;
	atomic_store(&session->page->waiting, 0);
	session->is_waiting = true;
}

uint32_t weir_chunkpool_window(struct weir_session *session, uint32_t have,
			       uint32_t most)
{
	uint32_t window;

	pthread_mutex_lock(&pool);
	note_waiting(session);
	if (!session->window)
		session->window = AT_FIRST;
	else if (session->had_all && have < session->window / 2)
		session->window *= 2;
	session->had_all = false;
	if (session->window > most)
		session->window = most;
	window = session->window;
	pthread_mutex_unlock(&pool);
	return window > have ? window - have : 0;
}

void weir_chunkpool_satisfy(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	note_waiting(session);
	if (!session->is_waiting) {
		pthread_mutex_unlock(&pool);
		return;
	}
	session->is_waiting = false;
	dequeue(session);
	if (first)
		weir_session_wake(first);
	pthread_mutex_unlock(&pool);
	atomic_fetch_add(&session->page->room, 1);
	weir_futex_wake(&session->page->room, INT_MAX);
}

void weir_chunkpool_wake_others(const struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	for (struct weir_session *other = all; other; other = other->joined)
		if (other != session && other->lent)
			weir_session_wake(other);
	pthread_mutex_unlock(&pool);
}

void weir_chunkpool_shrink(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	session->window = 0;
	pthread_mutex_unlock(&pool);
}

void weir_chunkpool_expect(struct weir_session *session)
{
	session->is_waiting = true;
}

void weir_chunkpool_stir(void)
{
	pthread_mutex_lock(&pool);
	for (struct weir_session *other = all; other; other = other->joined) {
		atomic_fetch_add(&other->page->room, 1);
		weir_futex_wake(&other->page->room, INT_MAX);
	}
	pthread_mutex_unlock(&pool);
}

void weir_chunkpool_let_go(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];

	if (atomic_fetch_sub(&session->chunk[chunk].live, 1) != 1)
		return;
	weir_logrecord_clear(&session->chunk[chunk]);
	atomic_store(&head->used, 0);
	atomic_store(&head->phase, WEIR_CHUNK_FREE);
	weir_chunkowner_free(head);
	pthread_mutex_lock(&pool);
	set_bit(session->ready, chunk);
	session->ready_count++;
	session->lent--;
	lent--;
	if (first)
		weir_session_wake(first);
	if (session->is_waiting || atomic_load(&session->is_over))
		weir_session_wake(session);
	pthread_mutex_unlock(&pool);
}

bool weir_chunkpool_are_back(struct weir_session *session)
{
	bool back;

	pthread_mutex_lock(&pool);
	back = !session->lent;
	pthread_mutex_unlock(&pool);
	return back;
}

/* Also who has its share: that is full of what is not stored. */
uint32_t weir_chunkpool_waiting(void)
{
	uint32_t count = 0;

	pthread_mutex_lock(&pool);
	for (struct weir_session *one = all; one; one = one->joined)
		count += one->is_waiting;
	pthread_mutex_unlock(&pool);
	return count;
}

bool weir_chunkpool_are_wanted(void)
{
	return weir_chunkpool_waiting() > 0;
}

uint64_t weir_chunkpool_lent(void)
{
	uint64_t count;

	pthread_mutex_lock(&pool);
	count = lent;
	pthread_mutex_unlock(&pool);
	return count * WEIR_SESSION_CHUNK;
}
