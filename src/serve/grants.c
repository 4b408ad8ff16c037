/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool of chunks. A chunk that has memory counts, lent or not. */
#include "serve/grants.h"

#include "base/clock.h"
#include "base/futex.h"
#include "serve/ingest.h"
#include "serve/freespace.h"
#include "serve/setup.h"
#include "serve/stage.h"
#include "serve/chunkreclaim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#define AT_FIRST 2 /* chunks that a new session has in advance */
#define AT_ONCE	 4 /* it gets: then calls that wait are looked at, too */

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;
static struct weir_session *all;	   /* that joined */
static struct weir_session *first, **last = &first; /* that wait */
static uint32_t members;
static uint32_t cap;	/* chunks with memory, at most */
static uint32_t backed; /* that have some now */
static uint32_t lent;	/* of these, with sessions */

void weir_grants_begin(void)
{
	uint64_t chunks = weir_setup_used->cache / WEIR_SESSION_CHUNK;

	if (chunks < AT_FIRST)
		chunks = AT_FIRST;
	cap = chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
}

uint32_t weir_grants_chunks(void)
{
	return cap < WEIR_SESSION_CHUNKS_MOST ? cap : WEIR_SESSION_CHUNKS_MOST;
}

void weir_grants_ring(struct weir_session *session)
{
	atomic_fetch_add(&session->page->bell, 1);
	if (atomic_load(&session->page->asleep))
		weir_futex_wake(&session->page->bell, INT_MAX);
}

static void set(uint64_t *bits, uint32_t chunk)
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

void weir_grants_join(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	for (uint32_t i = 0; i < session->chunks; i++)
		set(session->bare, i);
	session->joined = all;
	all = session;
	members++;
	pthread_mutex_unlock(&pool);
}

void weir_grants_adopt(struct weir_session *session, uint32_t chunk)
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

void weir_grants_leave(struct weir_session *session)
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
		weir_grants_ring(first);
	pthread_mutex_unlock(&pool);
}

static off_t place_of(const struct weir_session *session, uint32_t chunk)
{
	return weir_session_chunk_at(session, chunk) - session->memory;
}

/* Its memory goes back to the system. */
static void strip(struct weir_session *session, uint32_t chunk)
{
	fallocate(session->memory_fd,
		  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		  place_of(session, chunk), WEIR_SESSION_CHUNK);
}

static bool strip_one(struct weir_session *session)
{
	int64_t chunk =
		take_lowest(session->ready, weir_session_words(session));

	if (chunk < 0)
		return false;
	strip(session, (uint32_t)chunk);
	set(session->bare, (uint32_t)chunk);
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
	       used + weir_ingest_bytes() > (uint64_t)cap * WEIR_SESSION_CHUNK;
}

/* One of its chunks, or -1; the pool is locked. */
static int64_t choose(struct weir_session *session, bool *ret_bare)
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

/*
 * For us too: of pages that are not mapped, what is written to a file system in
 * a process (FUSE) goes there in many short requests instead of a few long
 * ones. A kernel that is too old for it maps them when they are used.
 */
static void map(const struct weir_session *session, uint32_t chunk)
{
	madvise(weir_session_chunk_at(session, chunk), WEIR_SESSION_CHUNK,
		MADV_POPULATE_READ);
}

/*
 * Memory now, as a client that found none would be killed. Writing it is faster
 * than to allocate and then to touch it, and clients get many pages by one
 * fault after either.
 */
static int provide(struct weir_session *session, uint32_t chunk)
{
	static unsigned char nothing[WEIR_SESSION_CHUNK];
	off_t at = place_of(session, chunk);
	size_t done = 0;

	while (done < sizeof(nothing)) {
		ssize_t put = pwrite(session->memory_fd, nothing,
				     sizeof(nothing) - done,
				     at + (off_t)done);

		if (put <= 0) {
			strip(session, chunk);
			return -ENOMEM;
		}
		done += (size_t)put;
	}
	map(session, chunk);
	return 0;
}

/* There is less memory than the user thought: do with what there is. */
static void withdraw(struct weir_session *session, uint32_t chunk)
{
	pthread_mutex_lock(&pool);
	set(session->bare, chunk);
	session->lent--;
	lent--;
	backed--;
	if (backed >= AT_FIRST)
		cap = backed;
	if (session->is_thirsty)
		enqueue(session);
	pthread_mutex_unlock(&pool);
}

static void hand_over(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];
	uint64_t bit = UINT64_C(1) << chunk % 64;

	weir_chunkreclaim_free_owner(head);
	atomic_store(&head->used, 0);
	session->chunk[chunk].stirred = weir_clock_ns(CLOCK_MONOTONIC);
	atomic_store(&session->chunk[chunk].live, 1);
	atomic_store(&head->phase, WEIR_CHUNK_GRANTED);
	atomic_fetch_or(&session->out[chunk / 64], bit);
	atomic_fetch_or(&session->page->grants[chunk / 64], bit);
}

static bool give_one(struct weir_session *session)
{
	bool is_bare = false;
	int64_t chunk;

	pthread_mutex_lock(&pool);
	chunk = choose(session, &is_bare);
	if (chunk >= 0 || has_its_share(session))
		dequeue(session);
	else if (session->is_thirsty)
		enqueue(session);
	pthread_mutex_unlock(&pool);
	if (chunk < 0)
		return false;
	if (is_bare && provide(session, (uint32_t)chunk)) {
		withdraw(session, (uint32_t)chunk);
		return false;
	}
	hand_over(session, (uint32_t)chunk);
	return true;
}

static uint32_t count_granted(const struct weir_session *session)
{
	uint32_t words = weir_session_words(session), count = 0;

	for (uint32_t i = 0; i < words; i++)
		count += (uint32_t)__builtin_popcountll(
			atomic_load(&session->page->grants[i]));
	return count;
}

/* The pool is locked. */
static void hear(struct weir_session *session)
{
	if (!atomic_load(&session->page->waiting))
		return;
	atomic_store(&session->page->waiting, 0);
	session->is_thirsty = true;
}

/* How many it gets now. It has `have`; if these are few, it uses them up. */
static uint32_t decide(struct weir_session *session, uint32_t have)
{
	uint32_t most = weir_freespace_window(), window;

	pthread_mutex_lock(&pool);
	hear(session);
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

/* It has some: who waits is woken. */
static void quench(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	hear(session);
	if (!session->is_thirsty) {
		pthread_mutex_unlock(&pool);
		return;
	}
	session->is_thirsty = false;
	dequeue(session);
	if (first)
		weir_grants_ring(first);
	pthread_mutex_unlock(&pool);
	atomic_fetch_add(&session->page->room, 1);
	weir_futex_wake(&session->page->room, INT_MAX);
}

/* Others may have chunks that they do not use; stored ones are free. */
static void seek_memory(const struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	for (struct weir_session *other = all; other; other = other->joined)
		if (other != session && other->lent)
			weir_grants_ring(other);
	pthread_mutex_unlock(&pool);
	weir_stage_kick();
}

/* Waking somebody for each would take longer than to fill it. */
static void quench_by(struct weir_session *session, uint32_t have)
{
	if (have && have >= session->window / 4)
		quench(session);
}

/* New memory takes its time: what is there is of use before all are. */
static uint32_t give_some(struct weir_session *session, uint32_t have,
			  uint32_t want)
{
	uint32_t most = want < AT_ONCE ? want : AT_ONCE, given = 0;

	quench_by(session, have);
	while (given < most && give_one(session))
		quench_by(session, have + ++given);
	if (given < most && have + given)
		quench(session); /* these are all that it can have */
	session->had_all = given == want;
	return given;
}

bool weir_grants_give(struct weir_session *session)
{
	uint32_t have = count_granted(session), given;
	uint32_t want = decide(session, have);
	bool was_queued = session->is_queued;

	if (want)
		weir_freespace_look();
	given = give_some(session, have, want);
	if (session->is_queued && !was_queued)
		seek_memory(session);
	else if (session->is_thirsty && !given)
		weir_stage_kick(); /* it has its share, and has used it up */
	return given > 0;
}

/* It holds more than it uses. */
void weir_grants_shrink(struct weir_session *session)
{
	pthread_mutex_lock(&pool);
	session->window = 0;
	pthread_mutex_unlock(&pool);
}

void weir_grants_expect(struct weir_session *session)
{
	session->is_thirsty = true;
}

void weir_grants_stir(void)
{
	pthread_mutex_lock(&pool);
	for (struct weir_session *other = all; other; other = other->joined) {
		atomic_fetch_add(&other->page->room, 1);
		weir_futex_wake(&other->page->room, INT_MAX);
	}
	pthread_mutex_unlock(&pool);
}

void weir_grants_let_go(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];

	if (atomic_fetch_sub(&session->chunk[chunk].live, 1) != 1)
		return;
	weir_ingest_clear(session, chunk);
	atomic_store(&head->used, 0);
	atomic_store(&head->phase, WEIR_CHUNK_FREE);
	weir_chunkreclaim_free_owner(head);
	pthread_mutex_lock(&pool);
	set(session->ready, chunk);
	session->ready_count++;
	session->lent--;
	lent--;
	if (first)
		weir_grants_ring(first);
	if (session->is_thirsty || atomic_load(&session->is_over))
		weir_grants_ring(session);
	pthread_mutex_unlock(&pool);
}

bool weir_grants_are_back(struct weir_session *session)
{
	bool back;

	pthread_mutex_lock(&pool);
	back = !session->lent;
	pthread_mutex_unlock(&pool);
	return back;
}

/* Also who has its share: that is full of what is not stored. */
uint32_t weir_grants_waiting(void)
{
	uint32_t count = 0;

	pthread_mutex_lock(&pool);
	for (struct weir_session *one = all; one; one = one->joined)
		count += one->is_thirsty;
	pthread_mutex_unlock(&pool);
	return count;
}

bool weir_grants_are_wanted(void)
{
	return weir_grants_waiting() > 0;
}

uint64_t weir_grants_lent(void)
{
	uint64_t count;

	pthread_mutex_lock(&pool);
	count = lent;
	pthread_mutex_unlock(&pool);
	return count * WEIR_SESSION_CHUNK;
}
