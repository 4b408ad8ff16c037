/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes records off the log. The client can change all of it at any time: a
 * header is copied, the copy is checked, and what it says is never looked up
 * again. Wrong bytes in a record do harm to those who wrote them alone.
 */
#include "serve/log/ingest.h"

#include "base/clock.h"
#include "selftrace/selftrace.h"
#include "serve/files/fileflags.h"
#include "serve/files/files.h"
#include "serve/session/chunkpool.h"
#include "serve/session/recordevents.h"
#include "serve/threads/stagewait.h"
#include "wire/op.h"

#include <string.h>

#define AT_ONCE 256	 /* records, before others may have the file */

/* On the way through a chunk. */
struct walk {
	struct weir_session *session;
	uint32_t chunk;
	struct weir_session_chunk *own;
	struct weir_file *file; /* locked; NULL: none */
	uint32_t held;		/* records since it was locked */
	uint64_t now, wall;	/* of both clocks */
	uint64_t tick;		/* and of the trace */
	uint64_t bytes, records;
};

static void leave_file(struct walk *walk)
{
	if (!walk->file)
		return;
	weir_fileflags_show(walk->file);
	pthread_mutex_unlock(&walk->file->lock);
	walk->file = NULL;
}

/* NULL: there is no such file, or this session may not write it. */
static struct weir_file *enter_file(struct walk *walk,
				    const struct weir_session_record *head)
{
	struct weir_state_session *kept = walk->session->kept;

	if (walk->file && walk->file->place == head->file &&
	    walk->file->turn == head->turn && ++walk->held < AT_ONCE)
		return walk->file;
	leave_file(walk);
	if (head->file >= WEIR_BOARD_FILES || !head->turn ||
	    atomic_load(&kept->writes[head->file]) != head->turn)
		return NULL;
	walk->file = weir_files_lock(head->file, head->turn);
	walk->held = 0;
	return walk->file;
}

static void note_change(struct walk *walk, uint64_t stamp)
{
	struct weir_file *file = walk->file;

	if (stamp > file->changed) {
		file->changed = stamp;
		file->changed_wall = walk->wall - (walk->now - stamp);
	}
	if (!file->oldest)
		file->oldest = stamp;
}

/* 0, or -ENOMEM: then it is as if it had not been looked at. */
static int put_record(struct walk *walk, const struct weir_session_record *head,
		      uint32_t place)
{
	struct weir_logrecord *record = weir_logrecord_new(walk->own);
	int err;

	if (!record)
		return -ENOMEM;
	*record = (struct weir_logrecord){
		.write =
			{
				/* nobody can have written later than now */
				.stamp = head->stamp < walk->now ? head->stamp
								 : walk->now,
				.offset = head->offset,
				.bytes = weir_session_chunk_at(walk->session,
							       walk->chunk) +
					 place + sizeof(*head),
				.length = head->length,
			},
		.session = walk->session,
		.file = walk->file,
		.chunk = walk->chunk,
		.place = place,
		.taken = walk->tick,
	};
	atomic_fetch_add(&walk->own->live, 1);
	walk->file->records++;
	note_change(walk, record->write.stamp);
	err = weir_index_put(walk->file->index, &record->write);
	if (err) {
		walk->file->records--;
		atomic_fetch_sub(&walk->own->live, 1);
		weir_logrecord_undo(walk->own);
	}
	return err;
}

static bool is_sound(const struct weir_session_record *head)
{
	return head->offset <= WEIR_OP_OFF_MOST &&
	       head->length <= WEIR_OP_OFF_MOST - head->offset;
}

/* It is whole, and its length is within what is used. */
static int take_record(struct walk *walk,
		       const struct weir_session_record *head, uint32_t place)
{
	int err;

	if (atomic_load(&head->state) & WEIR_RECORD_DONE || !head->length)
		return 0;
	if (!is_sound(head) || !enter_file(walk, head)) {
		atomic_fetch_add(&weir_state->refused, 1);
		return 0;
	}
	err = put_record(walk, head, place);
	if (!err) {
		walk->records++;
		walk->bytes += head->length;
	}
	return err;
}

/* Records from what was seen up to `used`. */
static void walk_records(struct walk *walk, uint32_t used)
{
	const unsigned char *bytes =
		weir_session_chunk_at(walk->session, walk->chunk);
	struct weir_session_chunk *own = walk->own;
	struct weir_session_record head;

	while (own->seen < used) {
		if (used - own->seen < sizeof(head)) {
			own->is_bad = true;
			break;
		}
		memcpy(&head, bytes + own->seen, sizeof(head));
		if (head.length > used - own->seen - sizeof(head)) {
			own->is_bad = true;
			break;
		}
		if (take_record(walk, &head, own->seen))
			break; /* no memory now */
		own->seen += weir_session_record_size(head.length);
	}
	leave_file(walk);
}

static bool is_possible(const struct weir_session_chunk *own, uint32_t used)
{
	return used <= WEIR_SESSION_CHUNK && used >= own->seen && !(used % 8);
}

static void walk_now(struct walk *walk, uint32_t used)
{
	struct weir_session_chunk *own = walk->own;

	walk->now = weir_clock_ns(CLOCK_MONOTONIC);
	walk->wall = weir_clock_ns(CLOCK_REALTIME);
	walk->tick = weir_selftrace_now();
	own->stirred = walk->now;
	if (is_possible(own, used))
		walk_records(walk, used);
	else
		own->is_bad = true;
	if (own->is_bad)
		atomic_fetch_add(&weir_state->refused, 1);
	atomic_fetch_add(&weir_state->served, walk->records);
	atomic_fetch_add(&weir_state->requests_in, walk->records);
	atomic_fetch_add(&weir_state->bytes_in, walk->bytes);
}

/* True: there was something. */
static bool look_into(struct walk *walk, uint32_t used)
{
	struct weir_session_chunk *own = walk->own;
	uint32_t before = own->seen;

	if (own->is_bad || before == used)
		return false;
	walk_now(walk, used);
	return own->is_bad || own->seen != before;
}

/* Nothing more comes of it: it is free when all its records are gone. */
static void end_chunk(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_chunk *own = &session->chunk[chunk];

	own->seen = 0;
	own->is_bad = false;
	atomic_fetch_and(&session->out[chunk / 64],
			 ~(UINT64_C(1) << chunk % 64));
	weir_chunkpool_let_go(session, chunk);
}

bool weir_ingest_chunk(struct weir_session *session, uint32_t chunk)
{
	struct weir_session_head *head = &session->heads[chunk];
	struct walk walk = {
		.session = session,
		.chunk = chunk,
		.own = &session->chunk[chunk],
	};
	/* in this order: nothing is counted any more after it is sealed */
	uint32_t phase = atomic_load(&head->phase);
	uint32_t used = atomic_load(&head->used);
	bool news = look_into(&walk, used);

	if (phase == WEIR_CHUNK_SEALED &&
	    (walk.own->is_bad || walk.own->seen == used))
		end_chunk(session, chunk);
	return news;
}

bool weir_ingest_session(struct weir_session *session)
{
	uint32_t words = weir_session_words(session);
	bool news = false;

	pthread_mutex_lock(&session->taking);
	for (uint32_t i = 0; i < words; i++) {
		uint64_t word = atomic_load(&session->out[i]);

		for (; word; word &= word - 1)
			news |= weir_ingest_chunk(
				session,
				i * 64 + (uint32_t)__builtin_ctzll(word));
	}
	pthread_mutex_unlock(&session->taking);
	if (news)
		weir_stagewait_kick();
	return news;
}

/* The file's lock is held. */
void weir_ingest_gone(void *unused, struct weir_write *write)
{
	struct weir_logrecord *record = (struct weir_logrecord *)write;
	struct weir_session_record *head =
		(void *)(weir_session_chunk_at(record->session, record->chunk) +
			 record->place);

	weir_recordevents_gone(record);
	atomic_fetch_or(&head->state, WEIR_RECORD_DONE);
	record->file->records--;
	weir_chunkpool_let_go(record->session, record->chunk);
}
