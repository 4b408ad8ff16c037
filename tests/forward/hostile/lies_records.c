/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that cannot be meant, between some that can. */
#include "liar.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#define GOOD 64u /* bytes of an honest record */

struct log {
	struct talk talk;
	struct weir_op_open_out own;
	int fd;
	char path[4096];
};

static void begin(struct liar *liar, struct log *log, const char *name)
{
	log->talk = (struct talk){ .place = liar->place };
	snprintf(log->path, sizeof(log->path), "%s/%s", liar->folder, name);
	talk_attach(&log->talk);
	log->fd = talk_own_file(&log->talk, log->path, &log->own);
}

static struct weir_session_record honest(const struct log *log,
					 uint64_t offset)
{
	return (struct weir_session_record){
		.length = GOOD,
		.file = log->own.file,
		.turn = log->own.turn,
		.offset = offset,
		.stamp = talk_now(),
	};
}

/* Returns the place behind it. */
static uint32_t put_record(struct log *log, uint32_t chunk, uint32_t at,
			   const struct weir_session_record *record)
{
	unsigned char *to = talk_chunk(&log->talk, chunk) + at;

	memcpy(to, record, sizeof(*record));
	memset(to + sizeof(*record), 'g', GOOD);
	return at + weir_session_record_size(GOOD);
}

static int commit(struct log *log)
{
	struct weir_op_commit_in in = { log->own.file, log->own.turn, 0 };

	return talk_post(&log->talk, WEIR_OP_COMMIT, &in, sizeof(in), 0);
}

static bool is_there(struct log *log, uint64_t offset)
{
	char bytes[GOOD], wanted[GOOD];

	memset(wanted, 'g', GOOD);
	return pread(log->fd, bytes, GOOD, (off_t)offset) == GOOD &&
	       !memcmp(bytes, wanted, GOOD);
}

/* An honest record, then this one: the first counts. */
static void tell(struct log *log, const struct weir_session_record *record)
{
	static uint64_t offset;
	struct weir_session_record first = honest(log, offset += 4096);
	uint32_t chunk = talk_take_chunk(&log->talk);
	uint32_t used = put_record(log, chunk, 0, &first);

	used = put_record(log, chunk, used, record);
	talk_seal(&log->talk, chunk, used);
	commit(log);
	if (!is_there(log, offset))
		talk_fail("what was honest is not stored", (long)offset);
}

static void each_place_that_is_not_ours(struct liar *liar, struct log *log)
{
	struct weir_session_record record = honest(log, 0);
	struct stat status;
	int victim;

	if (stat(liar->victim, &status))
		talk_fail("no victim", errno);
	victim = weir_board_find(log->talk.board, status.st_dev,
				 status.st_ino);
	if (victim < 0)
		talk_fail("the victim is not on the board", 0);
	record.file = (uint32_t)victim;
	record.turn = log->talk.board->files[victim].turn;
	tell(log, &record);
	record.turn = log->own.turn;
	tell(log, &record);
	record.file = WEIR_BOARD_FILES;
	tell(log, &record);
	record.file = UINT32_MAX;
	tell(log, &record);
	record = honest(log, 0);
	record.turn += 2;
	tell(log, &record);
	record.turn = 0;
	tell(log, &record);
}

static void each_range_that_cannot_be(struct log *log)
{
	static const uint64_t offsets[] = {
		UINT64_C(1) << 62,	 (UINT64_C(1) << 62) + 1,
		(UINT64_C(1) << 63) - 1, UINT64_C(1) << 63,
		UINT64_MAX - GOOD + 1,	 UINT64_MAX,
	};
	static const uint32_t lengths[] = {
		0, WEIR_SESSION_CHUNK, WEIR_SESSION_CHUNK - 1, INT32_MAX,
		UINT32_MAX - 31, UINT32_MAX - 7, UINT32_MAX,
	};
	struct weir_session_record record;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		record = honest(log, offsets[i]);
		tell(log, &record);
	}
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		record = honest(log, 0);
		record.length = lengths[i];
		tell(log, &record);
	}
	for (int i = 0; i < 200; i++) {
		talk_fill(&record, sizeof(record));
		tell(log, &record);
	}
}

void lie_records(struct liar *liar)
{
	struct log log;

	begin(liar, &log, "records");
	each_place_that_is_not_ours(liar, &log);
	each_range_that_cannot_be(&log);
	talk_still_answers(&log.talk);
	close(log.fd);
}

/* How much of a chunk is said to be used, after some of it was taken. */
void lie_used(struct liar *liar)
{
	static const uint32_t lies[] = {
		0, 1, 8, 13, 31, 32, 33, 96, 97, 104, WEIR_SESSION_CHUNK - 1,
		WEIR_SESSION_CHUNK, WEIR_SESSION_CHUNK + 8, INT32_MAX,
		UINT32_MAX - 7, UINT32_MAX,
	};
	struct log log;

	begin(liar, &log, "used");
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct weir_session_record record = honest(&log, i * 4096);
		uint32_t chunk = talk_take_chunk(&log.talk);
		uint32_t used = put_record(&log, chunk, 0, &record);

		atomic_store(&log.talk.heads[chunk].used, used);
		commit(&log);
		if (!is_there(&log, i * 4096))
			talk_fail("what was honest is not stored", (long)i);
		atomic_store(&log.talk.heads[chunk].used, lies[i]);
		talk_ring(&log.talk);
		commit(&log);
		talk_seal(&log.talk, chunk, lies[i]);
		commit(&log);
	}
	talk_still_answers(&log.talk);
	close(log.fd);
}

static _Atomic int is_over;

static void *change_header(void *arg)
{
	struct weir_session_record *record = arg;

	while (!is_over) {
		record->length = GOOD;
		record->length = UINT32_MAX - 40;
		record->offset = UINT64_MAX - 3;
		record->offset = 0;
		record->file ^= 1;
	}
	return NULL;
}

/* What was checked is changed before it is used. */
void lie_changing_records(struct liar *liar)
{
	struct log log;

	begin(liar, &log, "changing");
	for (int i = 0; i < 40; i++) {
		struct weir_session_record record = honest(&log, 0);
		uint32_t chunk = talk_take_chunk(&log.talk);
		pthread_t thread;

		put_record(&log, chunk, 0, &record);
		is_over = 0;
		if (pthread_create(&thread, NULL, change_header,
				   talk_chunk(&log.talk, chunk)))
			talk_fail("no thread", 0);
		talk_seal(&log.talk, chunk, weir_session_record_size(GOOD));
		for (int j = 0; j < 20; j++)
			commit(&log);
		is_over = 1;
		pthread_join(thread, NULL);
	}
	talk_still_answers(&log.talk);
	close(log.fd);
}

/* More chunks full of nonsense than fit into the cache: they come back. */
void lie_hoard(struct liar *liar)
{
	struct weir_session_record nonsense;
	struct log log;

	begin(liar, &log, "hoard");
	for (int i = 0; i < 400; i++) {
		uint32_t chunk = talk_take_chunk(&log.talk);

		talk_fill(&nonsense, sizeof(nonsense));
		put_record(&log, chunk, 0, &nonsense);
		talk_seal(&log.talk, chunk, WEIR_SESSION_CHUNK);
	}
	talk_still_answers(&log.talk);
	close(log.fd);
}

/* Another session still gets memory to write into. */
static void serves_another(struct liar *liar)
{
	struct weir_session_record record;
	struct log other;
	uint32_t chunk;

	begin(liar, &other, "another");
	chunk = talk_take_chunk(&other.talk);
	record = honest(&other, 0);
	talk_seal(&other.talk, chunk, put_record(&other, chunk, 0, &record));
	commit(&other);
	if (!is_there(&other, 0))
		talk_fail("what was honest is not stored", 0);
	talk_leave(&other.talk);
	close(other.fd);
}

/* Takes what it can get and gives nothing back; others must have some. */
void lie_keep(struct liar *liar)
{
	uint64_t until = talk_now() + UINT64_C(3000000000);
	uint32_t taken = 0;
	struct log log;

	begin(liar, &log, "keep");
	while (talk_now() < until) {
		for (uint32_t i = 0; i < log.talk.welcome.chunks; i++) {
			_Atomic uint64_t *word = &log.talk.page->grants[i / 64];
			uint64_t bit = UINT64_C(1) << i % 64;

			if (!(atomic_fetch_and(word, ~bit) & bit))
				continue;
			atomic_store(&log.talk.heads[i].owner,
				     (uint32_t)getpid());
			atomic_store(&log.talk.heads[i].phase,
				     WEIR_CHUNK_TAKEN);
			taken++;
		}
		atomic_store(&log.talk.page->waiting, 1);
		talk_ring(&log.talk);
		usleep(2000);
	}
	if (taken < 2)
		talk_fail("no chunks to keep", taken);
	serves_another(liar);
	talk_still_answers(&log.talk);
	close(log.fd);
}
