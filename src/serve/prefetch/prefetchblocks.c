/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes prefetch blocks, shows them to clients, and gives them back. */
#include "serve/prefetch/prefetchblocks.h"

#include "base/clock.h"
#include "base/futex.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

#define NOBODYS                                                                \
	UINT32_MAX /* of a block that is read, and not wanted any more */

struct weir_prefetchblocks {
	struct weir_prefetchblocks_one all[WEIR_PREFETCH_BLOCKS];
	uint64_t passed[WEIR_SESSION_OPENS]; /* ordered up to there */
	struct weir_prefetchblocks *next;    /* of another session */
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct weir_prefetchblocks *first;
static uint64_t cap, backed; /* blocks that may have memory, and that have */

void weir_prefetchblocks_begin(uint64_t bytes)
{
	cap = bytes / WEIR_PREFETCH_BYTES;
}

unsigned char *
weir_prefetchblocks_bytes(const struct weir_prefetchblocks_one *one)
{
	return one->session->block_bytes +
	       (uint64_t)one->number * WEIR_PREFETCH_BYTES;
}

static struct weir_prefetch_block *
head_of(const struct weir_prefetchblocks_one *one)
{
	return &one->session->block_heads[one->number];
}

/* Who looks at it meanwhile sees that it has changed. */
static void show_block(const struct weir_prefetchblocks_one *one,
		       uint32_t state)
{
	struct weir_prefetch_block *head = head_of(one);
	uint32_t sequence = atomic_load(&head->sequence) & ~1u;

	atomic_store(&head->sequence, sequence + 1);
	atomic_store(&head->open, one->open);
	atomic_store(&head->round, one->round);
	atomic_store(&head->writings, one->writings);
	atomic_store(&head->record, one->part.record);
	atomic_store(&head->bytes, one->part.bytes);
	atomic_store(&head->offset, one->part.offset);
	atomic_store(&head->stride, one->part.stride);
	atomic_store(&head->begun, one->begun);
	atomic_store(&head->state, state);
	atomic_store(&head->sequence, sequence + 2);
	weir_futex_wake(&head->state, INT_MAX);
}

/* Those of an open file, told to who has it. */
static void list(struct weir_session *session, uint32_t open)
{
	uint64_t words[WEIR_PREFETCH_LISTED / 8] = {0};
	uint32_t count = 0;

	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
		if (session->blocks->all[i].open != open + 1 ||
		    count == WEIR_PREFETCH_LISTED)
			continue;
		words[count / 8] |= (uint64_t)(i + 1) << count % 8 * 8;
		count++;
	}
	for (uint32_t i = 0; i < WEIR_PREFETCH_LISTED / 8; i++)
		atomic_store(&session->prefetches[open].list[i], words[i]);
}

int weir_prefetchblocks_join(struct weir_session *session)
{
	struct weir_prefetchblocks *blocks;

	if (!cap)
		return 0;
	blocks = calloc(1, sizeof(*blocks));
	if (!blocks)
		return -ENOMEM;
	session->blocks = blocks;
	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
		blocks->all[i].session = session;
		blocks->all[i].number = i;
		show_block(&blocks->all[i], WEIR_PREFETCH_EMPTY);
	}
	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i++)
		if (atomic_load(&session->kept->opens[i].live))
			list(session, i);
	pthread_mutex_lock(&guard);
	blocks->next = first;
	first = blocks;
	pthread_mutex_unlock(&guard);
	return 0;
}

/* Nothing is being read for it any more. */
void weir_prefetchblocks_leave(struct weir_session *session)
{
	struct weir_prefetchblocks **at = &first, *blocks = session->blocks;

	if (!blocks)
		return;
	pthread_mutex_lock(&guard);
	while (*at != blocks)
		at = &(*at)->next;
	*at = blocks->next;
	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++)
		backed -= blocks->all[i].has_memory;
	pthread_mutex_unlock(&guard);
	session->blocks = NULL;
	free(blocks);
}

static bool strip(struct weir_prefetchblocks *blocks)
{
	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
		struct weir_prefetchblocks_one *one = &blocks->all[i];

		if (one->open || !one->has_memory)
			continue;
		fallocate(one->session->memory_fd,
			  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  weir_prefetchblocks_bytes(one) - one->session->memory,
			  WEIR_PREFETCH_BYTES);
		one->has_memory = false;
		backed--;
		return true;
	}
	return false;
}

/* Memory for one more, of the system or of who does not use his. */
static bool provide(struct weir_prefetchblocks_one *one)
{
	bool may = backed < cap;

	if (one->has_memory)
		return true;
	for (struct weir_prefetchblocks *at = first; at && !may; at = at->next)
		may = strip(at);
	if (!may ||
	    fallocate(one->session->memory_fd, 0,
		      weir_prefetchblocks_bytes(one) - one->session->memory,
		      WEIR_PREFETCH_BYTES))
		return false;
	one->has_memory = true;
	backed++;
	return true;
}

/* How well one can be done without; 0: not at all. */
static uint64_t dispensable(const struct weir_prefetchblocks_one *one,
			    const struct weir_prefetchblocks_request *request,
			    uint64_t now)
{
	const struct weir_prefetchblocks_part *part = &one->part;
	uint64_t age = now - one->begun + 1;
	bool is_behind = part->stride > 0 &&
			 part->offset + part->bytes <= request->place &&
			 part->stride == part->record;

	if (one->is_coming)
		return 0;
	if (!one->open)
		return one->has_memory ? UINT64_MAX - 1 : 1;
	if (one->open == request->open + 1)
		return is_behind || one->round != request->round ? UINT64_MAX
								 : 2 + age;
	return age > WEIR_PREFETCH_AGE ? 2 : 0;
}

static bool is_full(struct weir_session *session, uint32_t open)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++)
		count += session->blocks->all[i].open == open + 1;
	return count >= WEIR_PREFETCH_LISTED;
}

/*
 * What the file has and does not need, then what is free, then what is old: a
 * file that has all it may have takes its oldest.
 */
static struct weir_prefetchblocks_one *
choose_block(struct weir_session *session,
	     const struct weir_prefetchblocks_request *request, uint64_t now)
{
	struct weir_prefetchblocks_one *best = NULL, *bare = NULL;
	bool full = is_full(session, request->open);
	uint64_t worth, most = 0;

	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
		struct weir_prefetchblocks_one *one = &session->blocks->all[i];

		worth = dispensable(one, request, now);
		if (worth == 1 && !full)
			bare = bare ? bare : one;
		if (worth <= most || (full && one->open != request->open + 1))
			continue;
		best = one;
		most = worth;
	}
	/* its own that it may want still is the last resort */
	if (bare && most < UINT64_MAX - 1 && provide(bare))
		return bare;
	return best && provide(best) ? best : NULL;
}

static void assign_block(struct weir_prefetchblocks_one *one,
			 const struct weir_prefetchblocks_request *request,
			 uint64_t now)
{
	uint32_t before = one->open;

	one->open = request->open + 1;
	one->round = request->round;
	one->writings = request->writings;
	one->file = request->file;
	one->turn = request->turn;
	one->part = request->part;
	one->is_again = request->is_again;
	one->begun = now;
	one->is_coming = true;
	show_block(one, WEIR_PREFETCH_COMING);
	if (before == one->open)
		return;
	if (before)
		list(one->session, before - 1);
	list(one->session, request->open);
}

struct weir_prefetchblocks_one *
weir_prefetchblocks_take(struct weir_session *session,
			 const struct weir_prefetchblocks_request *request)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);
	struct weir_prefetchblocks_one *one;

	pthread_mutex_lock(&guard);
	one = choose_block(session, request, now);
	if (one)
		assign_block(one, request, now);
	pthread_mutex_unlock(&guard);
	return one;
}

static bool has(const struct weir_prefetchblocks_one *one,
		const struct weir_prefetchblocks_request *request,
		uint64_t place, uint64_t now)
{
	return one->open == request->open + 1 && one->round == request->round &&
	       one->writings == request->writings &&
	       one->part.stride == one->part.record &&
	       one->part.offset <= place &&
	       place < one->part.offset + one->part.bytes &&
	       now - one->begun < WEIR_PREFETCH_AGE / 2;
}

uint64_t
weir_prefetchblocks_reach(struct weir_session *session,
			  const struct weir_prefetchblocks_request *request)
{
	uint64_t place = request->part.offset, before;
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);

	pthread_mutex_lock(&guard);
	do {
		before = place;
		for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
			struct weir_prefetchblocks_one *one =
				&session->blocks->all[i];

			if (has(one, request, place, now))
				place = one->part.offset + one->part.bytes;
		}
	} while (place != before);
	pthread_mutex_unlock(&guard);
	return place;
}

bool weir_prefetchblocks_pass(struct weir_session *session, uint32_t open,
			      uint64_t from, uint64_t end)
{
	uint64_t *passed = &session->blocks->passed[open];
	bool is_again;

	pthread_mutex_lock(&guard);
	is_again = from < *passed;
	if (!is_again)
		*passed = end;
	pthread_mutex_unlock(&guard);
	return is_again;
}

/* The lock is held. */
static void release(struct weir_prefetchblocks_one *one, uint32_t open)
{
	one->open = open;
	show_block(one, WEIR_PREFETCH_EMPTY);
}

void weir_prefetchblocks_put(struct weir_prefetchblocks_one *one,
			     uint32_t bytes, bool is_end)
{
	uint32_t open;

	pthread_mutex_lock(&guard);
	open = one->open;
	one->is_coming = false;
	one->part.bytes = bytes;
	if (is_end && open != NOBODYS)
		atomic_store(&one->session->prefetches[open - 1].end,
			     one->part.offset + bytes);
	if (bytes && open != NOBODYS) {
		show_block(one, WEIR_PREFETCH_HERE);
	} else {
		release(one, 0);
		if (open != NOBODYS)
			list(one->session, open - 1);
	}
	pthread_mutex_unlock(&guard);
}

void weir_prefetchblocks_close(struct weir_session *session, uint32_t open)
{
	if (!session->blocks)
		return;
	pthread_mutex_lock(&guard);
	for (uint32_t i = 0; i < WEIR_PREFETCH_BLOCKS; i++) {
		struct weir_prefetchblocks_one *one = &session->blocks->all[i];

		if (one->open == open + 1)
			release(one, one->is_coming ? NOBODYS : 0);
	}
	for (uint32_t i = 0; i < WEIR_PREFETCH_LISTED / 8; i++)
		atomic_store(&session->prefetches[open].list[i], 0);
	session->blocks->passed[open] = 0;
	pthread_mutex_unlock(&guard);
}
