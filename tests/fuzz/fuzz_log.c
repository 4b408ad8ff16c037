/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the daemon a log that its client wrote as it liked: the records of a
 * chunk. What it takes must lie within the chunk and read as a
 * plain model says; when all is stored nothing may be left.
 */
#include "base/clock.h"
#include "cache/batch.h"
#include "selftrace/selftrace.h"
#include "serve/files/fileflags.h"
#include "serve/files/files.h"
#include "serve/log/ingest.h"
#include "serve/session/chunkpool.h"
#include "serve/session/recordevents.h"
#include "serve/threads/stagewait.h"
#include "target.h"

#define FILES  4
#define TURN   2
#define MODEL  512  /* bytes of each file that the model knows */
#define RECORD sizeof(struct weir_session_record)

/* --- a stand-in for the rest of the daemon ----------------------------- */

struct weir_state *weir_state;
static struct weir_state_session kept;
static struct weir_file files[FILES];

struct weir_file *weir_files_lock(uint32_t place, uint32_t turn)
{
	if (place >= FILES || turn != TURN)
		return NULL;
	pthread_mutex_lock(&files[place].lock);
	return &files[place];
}

void weir_fileflags_show(struct weir_file *file)
{
}

void weir_chunkpool_let_go(struct weir_session *session, uint32_t chunk)
{
	uint32_t live = atomic_fetch_sub(&session->chunk[chunk].live, 1);

	must(live > 0);
	if (live == 1)
		weir_logrecord_clear(&session->chunk[chunk]);
}

void weir_stagewait_kick(void)
{
}

void weir_recordevents_gone(struct weir_logrecord *record)
{
}

uint64_t weir_selftrace_now(void)
{
	return 1;
}

/* --- the model --------------------------------------------------------- */

static struct {
	uint8_t bytes[MODEL];
	uint64_t stamps[MODEL]; /* 1 more than that of the write; 0: none */
} models[FILES];

static void put_byte(uint32_t file, uint64_t at, uint64_t stamp, uint8_t byte)
{
	if (at >= MODEL || models[file].stamps[at] > stamp + 1)
		return;
	models[file].bytes[at] = byte;
	models[file].stamps[at] = stamp + 1;
}

static void put_model(const uint8_t *chunk, uint32_t used, uint64_t now)
{
	struct weir_session_record head;

	for (uint32_t at = 0; used - at >= RECORD;) {
		memcpy(&head, chunk + at, RECORD);
		if (head.length > used - at - RECORD)
			return;
		if (head.file < FILES && head.turn == TURN &&
		    head.offset <= UINT64_C(1) << 61 &&
		    !(head.state & WEIR_RECORD_DONE))
			for (uint32_t i = 0; i < head.length; i++)
				put_byte(head.file, head.offset + i,
					 head.stamp < now ? head.stamp : now,
					 chunk[at + RECORD + i]);
		at += weir_session_record_size(head.length);
	}
}

static void compare(uint32_t file, const struct weir_session *session)
{
	struct weir_index_piece piece;
	uint64_t from = 0;

	while (weir_index_find(files[file].index, from, MODEL, &piece)) {
		must(piece.bytes >= session->data &&
		     piece.bytes + piece.length <=
			     session->data + WEIR_SESSION_CHUNK);
		for (; from < piece.offset; from++)
			must(!models[file].stamps[from]);
		for (uint64_t i = 0; i < piece.length; i++, from++)
			must(models[file].stamps[from] &&
			     models[file].bytes[from] == piece.bytes[i]);
	}
	for (; from < MODEL; from++)
		must(!models[file].stamps[from]);
}

/* --- the target -------------------------------------------------------- */

static void store_all(struct weir_file *file)
{
	static const struct weir_batch_shape shape = { .most = 4096,
						       .align = 512 };
	struct weir_batch batch;

	must(!weir_batch_gather(file->index, &shape, &batch));
	for (uint32_t i = 0; i < batch.count; i++)
		weir_batch_stored(file->index, &batch, i);
	must(!weir_batch_settle(file->index, &batch));
	must(!file->records);
}

static void begin(struct weir_session *session)
{
	static struct weir_session_head head;

	weir_state = mmap(NULL, sizeof(*weir_state), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	must(weir_state != MAP_FAILED);
	for (uint32_t i = 0; i < FILES; i++) {
		files[i].place = i;
		files[i].turn = TURN;
		files[i].index = weir_index_new(weir_ingest_gone, NULL);
		pthread_mutex_init(&files[i].lock, NULL);
		kept.writes[i] = TURN;
	}
	session->chunks = 1;
	session->kept = &kept;
	session->heads = &head;
	session->chunk = calloc(1, sizeof(*session->chunk));
	session->out = calloc(1, sizeof(*session->out));
	session->data = malloc(WEIR_SESSION_CHUNK);
	pthread_mutex_init(&session->taking, NULL);
}

static void take(struct weir_session *session, uint32_t used)
{
	atomic_store(&session->chunk->live, 1);
	atomic_store(session->out, 1);
	atomic_store(&session->heads->used, used);
	atomic_store(&session->heads->phase, WEIR_CHUNK_SEALED);
	weir_ingest_session(session);
	for (uint32_t i = 0; i < FILES; i++) {
		compare(i, session);
		store_all(&files[i]);
	}
	must(!atomic_load(session->out) && !atomic_load(&session->chunk->live));
	must(!session->chunk->slabs);
}

/* All of it is used; or, if the last byte is 0xff, what is said before that. */
static uint32_t used_of(const uint8_t *data, size_t size)
{
	uint32_t used = (uint32_t)size / 8 * 8;

	if (size > sizeof(used) && data[size - 1] == 0xff)
		memcpy(&used, data + size - 1 - sizeof(used), sizeof(used));
	return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct weir_session session;
	uint32_t used;

	if (!session.data)
		begin(&session);
	if (size > WEIR_SESSION_CHUNK)
		size = WEIR_SESSION_CHUNK;
	used = used_of(data, size);
	if (size)
		memcpy(session.data, data, size);
	memset(models, 0, sizeof(models));
	if (used <= WEIR_SESSION_CHUNK && used % 8 == 0) {
		if (used > size)
			memset(session.data + size, 0, used - size);
		put_model(session.data, used, weir_clock_ns(CLOCK_MONOTONIC));
	}
	take(&session, used);
	return 0;
}

static size_t find_record(const uint8_t *bytes, size_t size)
{
	struct weir_session_record head;

	if (size < RECORD)
		return 0;
	memcpy(&head, bytes, RECORD);
	return head.length < size ? weir_session_record_size(head.length) : 0;
}

static size_t pack_record(uint8_t *part, size_t room, const uint8_t *body,
			  size_t size)
{
	uint32_t length = (uint32_t)size;

	memcpy(part, &length, sizeof(length));
	memcpy(part + RECORD, body, size);
	memset(part + RECORD + size, 0, 8);
	return weir_session_record_size(length);
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_session_record, length),
	FUZZ_NUMBER(struct weir_session_record, file),
	FUZZ_NUMBER(struct weir_session_record, offset),
	FUZZ_NUMBER(struct weir_session_record, offset),
	FUZZ_NUMBER(struct weir_session_record, stamp),
	FUZZ_NUMBER(struct weir_session_record, state),
	FUZZ_NUMBER(struct weir_session_record, turn),
	{ 0, 0 },
};

/* Offsets near others: what overlaps is what is interesting. */
static void repair(uint8_t *bytes, size_t size)
{
	struct weir_session_record head;
	size_t length;

	for (; size >= RECORD; bytes += length, size -= length) {
		memcpy(&head, bytes, RECORD);
		head.file %= FILES + 1;
		head.turn = head.turn == 1 ? 1 : TURN;
		if (head.offset % 8)
			head.offset %= MODEL;
		if (head.stamp % 8)
			head.stamp %= 64;
		memcpy(bytes, &head, RECORD);
		length = find_record(bytes, size);
		if (!length || length > size)
			return;
	}
}

const struct fuzz_shape fuzz_shape = {
	.part = find_record,
	.head = RECORD,
	.numbers = numbers,
	.pack = pack_record,
	.repair = repair,
};
