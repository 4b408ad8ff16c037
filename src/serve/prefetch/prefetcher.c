/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes prefetch requests of clients, and has threads fill the blocks. */
#include "serve/prefetch/prefetcher.h"

#include "serve/files/backends.h"
#include "serve/files/files.h"
#include "serve/prefetch/prefetchblocks.h"
#include "serve/threads/workers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define READERS	 8		      /* threads at once */
#define FAR	 (UINT64_C(1) << 43)  /* no file is so long */
#define LARGEST	 (8u << 20)	      /* bytes of a request */
#define RECORDS	 1024u		      /* of a request */
#define TOGETHER 16u /* records of a block, if they lie apart */
#define DENSE	 4 /* gaps so many times a record are read along with them */

static struct {
	pthread_mutex_t lock;
	struct weir_prefetchblocks_one *first, **last;
	struct weir_workers_task readers[READERS];
	bool is_reading[READERS];
} queue = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.last = &queue.first,
};

static struct weir_prefetchblocks_one *take_first(uint32_t reader)
{
	struct weir_prefetchblocks_one *one;

	pthread_mutex_lock(&queue.lock);
	one = queue.first;
	if (one) {
		queue.first = one->next;
		if (!queue.first)
			queue.last = &queue.first;
	} else {
		queue.is_reading[reader] = false;
	}
	pthread_mutex_unlock(&queue.lock);
	return one;
}

/* Nobody writes it, nor has since the block was taken. */
static bool is_quiet(uint32_t place, uint32_t writings)
{
	const struct weir_board_file *file = &weir_state_board->files[place];

	return !(atomic_load(&file->flags) &
		 (WEIR_FILE_WRITTEN | WEIR_FILE_BYPASS)) &&
	       atomic_load(&file->writings) == writings;
}

/* Bytes, less than asked for at the end of the file; -errno. */
static int64_t read_whole(struct weir_file *file, void *to, uint64_t size,
			  uint64_t offset)
{
	uint64_t done = 0;

	while (done < size) {
		int64_t got = weir_backends_used->read(
			weir_backends_self, file->backing,
			(unsigned char *)to + done, size - done,
			(int64_t)(offset + done));

		if (got < 0)
			return got;
		if (!got)
			break;
		done += (uint64_t)got;
	}
	return (int64_t)done;
}

/* From the first to the last record, with what lies between. */
static uint64_t span_of(const struct weir_prefetchblocks_part *part,
			uint64_t *ret_from)
{
	uint64_t gaps = part->bytes / part->record - 1;
	uint64_t stride = (uint64_t)(part->stride < 0 ? -part->stride :
							part->stride);

	*ret_from = part->stride < 0 ? part->offset - gaps * stride :
				       part->offset;
	return gaps * stride + part->record;
}

/* By one request; -1: that is not to be. */
static int64_t read_dense(struct weir_file *file,
			  const struct weir_prefetchblocks_part *part,
			  unsigned char *to)
{
	uint64_t from, span = span_of(part, &from), at = part->offset - from;
	int64_t got;
	unsigned char *all;
	uint32_t done = 0;

	if (span > WEIR_PREFETCH_BYTES || span / DENSE > part->bytes)
		return -1;
	all = malloc(span);
	if (!all)
		return -1;
	got = read_whole(file, all, span, from);
	for (; done < part->bytes; at += (uint64_t)part->stride) {
		if (got < 0 || at + part->record > (uint64_t)got)
			break;
		memcpy(to + done, all + at, part->record);
		done += part->record;
	}
	free(all);
	return got < 0 ? got : done;
}

static int64_t read_apart(struct weir_file *file,
			  const struct weir_prefetchblocks_part *part,
			  unsigned char *to)
{
	uint64_t offset = part->offset;
	uint32_t done = 0;
	int64_t got;

	while (done < part->bytes) {
		got = read_whole(file, to + done, part->record, offset);
		if (got < 0)
			return done ? done : got;
		done += (uint32_t)got;
		if (got < (int64_t)part->record)
			break;
		offset += (uint64_t)part->stride;
	}
	return done;
}

/* What is read for the first time of many is not kept in between. */
static int64_t fetch_part(struct weir_file *file,
			  const struct weir_prefetchblocks_part *part,
			  unsigned char *to)
{
	int64_t got = weir_backends_used->fetch(weir_backends_self,
						file->backing, to, part->bytes,
						(int64_t)part->offset), more;

	if (got <= 0 || got == part->bytes)
		return got;
	more = read_whole(file, to + got, part->bytes - (uint64_t)got,
			  part->offset + (uint64_t)got);
	return more < 0 ? more : got + more;
}

static int64_t read_part(struct weir_file *file,
			 const struct weir_prefetchblocks_one *one)
{
	const struct weir_prefetchblocks_part *part = &one->part;
	unsigned char *to = weir_prefetchblocks_bytes(one);
	int64_t got = -1;

	if (part->bytes == part->record)
		return one->is_again || !weir_backends_used->fetch
			       ? read_whole(file, to, part->bytes, part->offset)
			       : fetch_part(file, part, to);
	got = read_dense(file, part, to);
	return got < 0 ? read_apart(file, part, to) : got;
}

/* What comes back is what the block has; not all may have been there. */
static uint32_t fill_block(struct weir_prefetchblocks_one *one)
{
	struct weir_file *file = weir_files_borrow(one->file, one->turn);
	int64_t got = 0;

	if (!file)
		return 0;
	if (!atomic_load(&one->session->is_over) &&
	    is_quiet(one->file, one->writings))
		got = read_part(file, one);
	weir_files_put(file);
	if (got <= 0)
		return 0;
	atomic_fetch_add(&weir_state->prefetched_bytes, (uint64_t)got);
	return (uint32_t)got;
}

/* Where the file ends, there is nothing to request for. */
static bool is_end(const struct weir_prefetchblocks_one *one, uint32_t got)
{
	const struct weir_prefetchblocks_part *part = &one->part;

	return part->bytes == part->record && got < part->bytes &&
	       part->stride > 0 && is_quiet(one->file, one->writings);
}

static void read_one(struct weir_prefetchblocks_one *one)
{
	struct weir_session *session = one->session;
	uint32_t got = fill_block(one);

	weir_prefetchblocks_put(one, got, is_end(one, got));
	if (atomic_load(&session->is_over))
		weir_session_wake(session);
	/* it may be unmade from now on */
	atomic_fetch_sub(&session->tasks, 1);
}

static void read_queued(struct weir_workers_task *task)
{
	uint32_t reader = (uint32_t)(task - queue.readers);
	struct weir_prefetchblocks_one *one;

	while ((one = take_first(reader)))
		read_one(one);
}

/* True: one more thread is to read, of that number. */
static bool enqueue(struct weir_prefetchblocks_one *one, uint32_t *ret_reader)
{
	uint32_t reader = 0;

	pthread_mutex_lock(&queue.lock);
	one->next = NULL;
	*queue.last = one;
	queue.last = &one->next;
	while (reader < READERS && queue.is_reading[reader])
		reader++;
	if (reader < READERS)
		queue.is_reading[reader] = true;
	pthread_mutex_unlock(&queue.lock);
	*ret_reader = reader;
	return reader < READERS;
}

static bool order(struct weir_session *session,
		  const struct weir_prefetchblocks_request *request)
{
	struct weir_prefetchblocks_one *one =
		weir_prefetchblocks_take(session, request);
	uint32_t reader;

	if (!one)
		return false;
	atomic_fetch_add(&session->tasks, 1);
	if (enqueue(one, &reader)) {
		queue.readers[reader].run = read_queued;
		weir_workers_do(&queue.readers[reader]);
	}
	return true;
}

/* A copy of what the client says; false: it is being changed, or nonsense. */
struct request {
	uint64_t from, place;
	int64_t stride;
	uint32_t record, count;
};

static bool copy_request(struct weir_prefetch_file *ahead,
			 struct request *ret_request)
{
	uint32_t sequence = atomic_load(&ahead->sequence);
	struct request request = {
		.from = atomic_load(&ahead->from),
		.place = atomic_load(&ahead->place),
		.stride = atomic_load(&ahead->stride),
		.record = atomic_load(&ahead->record),
		.count = atomic_load(&ahead->count),
	};

	*ret_request = request;
	return !(sequence & 1) && atomic_load(&ahead->sequence) == sequence &&
	       request.record && request.count && request.from < FAR &&
	       request.place < FAR && request.stride &&
	       request.stride < (int64_t)FAR &&
	       request.stride > -(int64_t)FAR && request.record <= LARGEST &&
	       request.count <= RECORDS &&
	       request.count <= LARGEST / request.record;
}

/* In pieces that end where blocks would. */
static void order_all(struct weir_session *session, const struct request *asked,
		      struct weir_prefetchblocks_request *request)
{
	uint64_t end = asked->from + asked->record, at, until;

	request->part.offset = asked->from;
	for (at = weir_prefetchblocks_reach(session, request); at < end;
	     at = until) {
		until = (at / WEIR_PREFETCH_BYTES + 1) * WEIR_PREFETCH_BYTES;
		until = until < end ? until : end;
		request->part = (struct weir_prefetchblocks_part){
			.offset = at,
			.stride = (int64_t)(until - at),
			.record = (uint32_t)(until - at),
			.bytes = (uint32_t)(until - at),
		};
		request->is_again = weir_prefetchblocks_pass(
			session, request->open, at, until);
		if (!order(session, request))
			break;
	}
}

/* How many go together, so that several threads have something to read. */
static uint32_t share_of(const struct request *asked)
{
	uint32_t share = asked->count / READERS;

	share = share < TOGETHER ? share : TOGETHER;
	if (share > WEIR_PREFETCH_BYTES / asked->record)
		share = WEIR_PREFETCH_BYTES / asked->record;
	return share ? share : 1;
}

static void order_apart(struct weir_session *session,
			const struct request *asked,
			struct weir_prefetchblocks_request *request)
{
	uint32_t share = share_of(asked), left = asked->count;
	int64_t offset = (int64_t)asked->from, last;

	while (left) {
		uint32_t count = left < share ? left : share;

		last = offset + (int64_t)(count - 1) * asked->stride;
		if (last < 0 || last > (int64_t)FAR)
			break;
		request->part = (struct weir_prefetchblocks_part){
			.offset = (uint64_t)offset,
			.stride = asked->stride,
			.record = asked->record,
			.bytes = count * asked->record,
		};
		if (!order(session, request))
			break;
		offset = last + asked->stride;
		left -= count;
	}
}

static void fold(_Atomic uint64_t *from, _Atomic uint64_t *sum, uint64_t most)
{
	uint64_t some = atomic_exchange(from, 0);

	atomic_fetch_add(sum, some < most ? some : most);
}

/* What the client says was of use, as far as that can be. */
static void count_used(struct weir_prefetch_file *ahead)
{
	uint64_t brought = atomic_load(&weir_state->prefetched_bytes);
	uint64_t used = atomic_load(&weir_state->prefetched_used);

	fold(&ahead->used, &weir_state->prefetched_used,
	     brought > used ? brought - used : 0);
	fold(&ahead->hits, &weir_state->prefetch_hits, UINT32_MAX);
	fold(&ahead->misses, &weir_state->prefetch_misses, UINT32_MAX);
}

static void look_at_open(struct weir_session *session, uint32_t open)
{
	struct weir_prefetch_file *ahead = &session->prefetches[open];
	const struct weir_state_open *kept = &session->kept->opens[open];
	struct weir_prefetchblocks_request request = {
		.open = open,
		.round = atomic_load(&ahead->round),
	};
	struct request asked;

	if (!atomic_load(&kept->live) ||
	    (kept->flags & O_ACCMODE) == O_WRONLY ||
	    !copy_request(ahead, &asked))
		return;
	count_used(ahead);
	request.turn = atomic_load(&kept->turn);
	request.file = atomic_load(&kept->file);
	request.place = asked.place;
	request.writings =
		atomic_load(&weir_state_board->files[request.file].writings);
	if (!is_quiet(request.file, request.writings))
		return;
	if (asked.count == 1)
		order_all(session, &asked, &request);
	else if (asked.record <= WEIR_PREFETCH_BYTES)
		order_apart(session, &asked, &request);
}

bool weir_prefetcher_serve(struct weir_session *session)
{
	uint32_t requested = atomic_load(&session->prefetch_requests->count);

	if (!session->blocks || requested == session->requests_seen)
		return false;
	session->requests_seen = requested;
	for (uint32_t i = 0; i < WEIR_SESSION_OPENS / 64; i++) {
		uint64_t opens =
			atomic_load(&session->prefetch_requests->opens[i]);

		if (opens)
			opens = atomic_exchange(
				&session->prefetch_requests->opens[i], 0);
		for (; opens; opens &= opens - 1)
			look_at_open(session,
				     i * 64 + (uint32_t)__builtin_ctzll(opens));
	}
	return true;
}

void weir_prefetcher_open(struct weir_session *session, uint32_t open)
{
	struct weir_prefetch_file *ahead = &session->prefetches[open];

	if (!session->blocks)
		return;
	for (int i = 0; i < WEIR_PREFETCH_WORDS; i++)
		atomic_store(&ahead->pattern[i], 0);
	atomic_store(&ahead->end, 0);
	atomic_store(&ahead->used, 0);
	atomic_store(&ahead->hits, 0);
	atomic_store(&ahead->misses, 0);
}

void weir_prefetcher_close(struct weir_session *session, uint32_t open)
{
	if (!session->blocks)
		return;
	count_used(&session->prefetches[open]);
	weir_prefetchblocks_close(session, open);
}
