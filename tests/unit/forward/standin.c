/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for the daemon of a session. */
#include "standin.h"

#include "forward/link/clientevents.h"
#include "forward/link/self.h"
#include "forward/log/transfer.h"
#include "spec/forward.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define THREADS_MOST 64

struct standin *standin;
static struct weir_board *board;
static pthread_t thread;

/* Nothing is recorded here. */
bool weir_thread_recording;

bool weir_clientevents_start(struct weir_clientevent *event, uint16_t call,
			     uint32_t file)
{
	fail();
	return false;
}

void weir_clientevents_finish(struct weir_clientevent *event,
			      const struct weir_clientevent_end *end)
{
	fail();
}

uint64_t weir_clientevents_begin_open(struct weir_clientevent *event,
				      const char *path)
{
	event->is_on = false;
	return 0;
}

static void *make_shared(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	return at;
}

uint32_t standin_length(uint32_t writer, uint32_t nth)
{
	uint32_t mixed = (writer * 7919 + nth + 1) * 2654435761u >> 8;

	switch (mixed % 16) {
	case 0:
		return mixed % 700000 + 1;
	case 1:
		return mixed % 70000 + 1;
	default:
		return mixed % 3000 + 1;
	}
}

unsigned char standin_byte(uint32_t writer, uint32_t nth, uint32_t at)
{
	return (unsigned char)(at * 131 + (at >> 8) + nth * 17 + writer * 59);
}

/* Scratch for one thread at a time, and a signal handler in it. */
struct scratch {
	unsigned char bytes[2][STRIDE];
};
static __thread struct scratch *scratch;
static __thread int depth;

int64_t standin_write(uint32_t writer, uint32_t nth, uint32_t parts)
{
	uint32_t length = standin_length(writer, nth), done = 0;
	struct iovec part[16];
	unsigned char *bytes;
	int64_t ret;

	if (!scratch)
		scratch = mmap(NULL, sizeof(*scratch), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bytes = scratch->bytes[depth++];
	for (uint32_t i = 0; i < length; i++)
		bytes[i] = standin_byte(writer, nth, i);
	for (uint32_t i = 0; i < parts; i++) {
		uint32_t count = i + 1 < parts ? length / parts * (i % 3 / 2) :
						 length - done;

		part[i] = (struct iovec){ bytes + done, count };
		done += count;
	}
	ret = weir_log_write(&(struct weir_transfer){
		.parts = part,
		.count = (int)parts,
		.total = length,
		.offset = ((uint64_t)writer * WRITES + nth) * STRIDE,
	});
	memset(bytes, 0, length < 512 ? length : 512);
	depth--;
	return ret;
}

static bool is_right(const struct weir_session_record *head,
		     const unsigned char *bytes)
{
	uint64_t place = head->offset / STRIDE;
	uint32_t writer = (uint32_t)(place / WRITES);
	uint32_t nth = (uint32_t)(place % WRITES);
	uint32_t at = (uint32_t)(head->offset % STRIDE);

	if (head->file != FILE_AT || head->turn != TURN || !head->stamp ||
	    writer >= WRITERS || !head->length)
		return false;
	for (uint32_t i = 0; i < head->length; i++)
		if (bytes[i] != standin_byte(writer, nth, at + i))
			return false;
	standin->seen[writer][nth] += head->length;
	return true;
}

/* What is appended begins with its writer; the rest is that number too. */
static bool is_right_append(const struct weir_session_record *head,
			    const unsigned char *bytes)
{
	for (uint32_t i = 0; i < head->length; i++)
		if (bytes[i] != bytes[0])
			return false;
	if (bytes[0] >= WRITERS)
		return false;
	standin->seen_appends[bytes[0]] += head->length;
	return true;
}

static void read_chunk(uint32_t index)
{
	uint32_t used = atomic_load(&weir_link.heads[index].used), at = 0;
	unsigned char *bytes = weir_link.chunks +
			       (uint64_t)index * WEIR_SESSION_CHUNK;
	struct weir_session_record head;
	bool right = used <= WEIR_SESSION_CHUNK;

	while (right && at < used) {
		memcpy(&head, bytes + at, sizeof(head));
		if (head.length > WEIR_SESSION_PAYLOAD - at)
			break;
		right = head.offset >= APPENDS ?
				is_right_append(&head,
						bytes + at + sizeof(head)) :
				is_right(&head, bytes + at + sizeof(head));
		at += weir_session_record_size(head.length);
	}
	if (at != used || !right)
		atomic_fetch_add(&standin->faults, 1);
	memset(bytes, 0xee, WEIR_SESSION_CHUNK);
	atomic_store(&weir_link.heads[index].used, 0);
}

static uint32_t count_given(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < CHUNKS; i++)
		count += atomic_load(&weir_link.heads[i].phase) !=
			 WEIR_CHUNK_FREE;
	return count;
}

static void wake_waiting(void)
{
	atomic_fetch_add(&weir_link.page->room, 1);
	weir_futex_wake(&weir_link.page->room, 1000);
}

static bool grant_chunks(void)
{
	struct weir_session_page *page = weir_link.page;
	bool waited = atomic_exchange(&page->waiting, 0);
	uint32_t given = count_given();
	bool did = false;

	if (waited && atomic_load(&standin->flags)) {
		atomic_store(&board->files[FILE_AT].flags,
			     atomic_load(&standin->flags));
		if (!atomic_load(&standin->is_mean))
			atomic_store(&standin->grants_most, CHUNKS);
		else
			wake_waiting();
	}
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct weir_session_head *head = &weir_link.heads[i];

		if (given >= atomic_load(&standin->grants_most) ||
		    atomic_load(&head->phase) != WEIR_CHUNK_FREE)
			continue;
		atomic_store(&head->phase, WEIR_CHUNK_GRANTED);
		atomic_store(&head->owner, 0);
		atomic_fetch_or(&page->grants[i / 64], UINT64_C(1) << i % 64);
		given++;
		did = true;
	}
	if (waited && !atomic_load(&page->grants[0])) {
		atomic_store(&page->waiting, 1);
	} else if (waited) {
		wake_waiting();
	}
	return did;
}

/* Those of the dead, and now and then one that is in use. */
static bool take_back(uint32_t index, bool idle)
{
	struct weir_session_head *head = &weir_link.heads[index];
	uint32_t owner = atomic_load(&head->owner);

	if (atomic_load(&head->phase) != WEIR_CHUNK_TAKEN ||
	    (owner ? !weir_self_has_ended(owner) : !idle) ||
	    !atomic_compare_exchange_strong(&head->owner, &owner,
					    WEIR_SESSION_DAEMON))
		return false;
	atomic_store(&head->phase, WEIR_CHUNK_SEALED);
	return true;
}

static bool look_at_chunks(void)
{
	static unsigned int turn;
	bool is_wanted = atomic_load(&weir_link.page->waiting), did = false;

	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct weir_session_head *head = &weir_link.heads[i];

		did |= take_back(i, is_wanted || ++turn % 101 == 0);
		if (atomic_load(&head->phase) != WEIR_CHUNK_SEALED ||
		    (atomic_load(&head->owner) &&
		     atomic_load(&head->owner) != WEIR_SESSION_DAEMON))
			continue;
		read_chunk(i);
		atomic_store(&head->phase, WEIR_CHUNK_FREE);
		did = true;
	}
	return did;
}

static int do_append(const struct weir_session_slot *slot)
{
	struct weir_op_append_in in;
	struct weir_session_head *head;
	struct weir_session_record *record;
	uint64_t offset;

	memcpy(&in, slot->args, sizeof(in));
	if (in.chunk >= CHUNKS)
		return -1;
	head = &weir_link.heads[in.chunk];
	if (in.place != atomic_load(&head->used))
		return -1;
	record = (void *)(weir_link.chunks +
			  (uint64_t)in.chunk * WEIR_SESSION_CHUNK + in.place);
	offset = atomic_fetch_add(&standin->end, in.total);
	record->offset = offset;
	atomic_store(&head->used,
		     in.place + weir_session_record_size(record->length));
	memcpy((void *)slot->results, &offset, sizeof(offset));
	return 0;
}

/* read and write give back what came, in the lane. */
static int answer(struct weir_session_slot *slot, unsigned char *lane)
{
	struct weir_op_read_in in;

	switch (slot->op) {
	case WEIR_OP_ASK:
		atomic_fetch_add(&standin->asks, 1);
		return 0;
	case WEIR_OP_COMMIT:
		atomic_fetch_add(&standin->commits, 1);
		return 0;
	case WEIR_OP_APPEND:
		return do_append(slot);
	case WEIR_OP_READ:
		memcpy(&in, slot->args, sizeof(in));
		memset(lane, (int)in.offset, in.length);
		memset(slot->results, 0, 8);
		slot->data = in.length;
		return 0;
	case WEIR_OP_WRITE:
		memset(slot->results, 0, 8);
		for (uint32_t i = 0; i < slot->data; i++)
			*(uint32_t *)slot->results += lane[i] == lane[0];
		slot->data = 0;
		return 0;
	default:
		return -38;
	}
}

static bool look_at_slots(void)
{
	bool did = false;

	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		struct weir_session_slot *slot = &weir_link.slots[i];

		if (atomic_load(&slot->state) != WEIR_SESSION_POSTED ||
		    atomic_load(&standin->is_mute))
			continue;
		slot->status = answer(slot, weir_link.lanes +
						    i * WEIR_SESSION_LANE);
		atomic_store(&slot->state, WEIR_SESSION_ANSWERED);
		weir_futex_wake(&slot->state, 1);
		did = true;
	}
	return did;
}

static bool look(void)
{
	bool did = look_at_chunks();

	did |= grant_chunks();
	return look_at_slots() || did;
}

/*
 * Without a limit: who does not wake it when it should stays alone. But who
 * waits for a chunk cannot know when others have left theirs.
 */
static void sleep_until_woken(void)
{
	struct weir_session_page *page = weir_link.page;
	uint32_t seen = atomic_load(&page->wakes);

	atomic_store(&page->armed, 1);
	atomic_store(&page->asleep, 1);
	if (!look() && !atomic_load(&standin->is_over)) {
		atomic_fetch_add(&standin->sleeps, 1);
		weir_futex_wait(&page->wakes, seen,
				atomic_load(&page->waiting)
					? 1000000
					: WEIR_FUTEX_FOREVER);
	}
	atomic_store(&page->asleep, 0);
	atomic_store(&page->armed, 0);
}

static void *serve(void *unused)
{
	while (!atomic_load(&standin->is_over))
		if (!look())
			sleep_until_woken();
	return NULL;
}

static void map_by_hand(void)
{
	unsigned char *memory = make_shared(weir_session_bytes(CHUNKS));

	weir_link = (struct weir_link){
		.page = (void *)memory,
		.opens = (void *)(memory + weir_session_opens_at()),
		.slots = (void *)(memory + weir_session_slots_at()),
		.heads = (void *)(memory + weir_session_heads_at()),
		.lanes = memory + weir_session_lanes_at(CHUNKS),
		.chunks = memory + weir_session_chunks_at(CHUNKS),
		.board = board,
	};
	weir_link.page->chunks = CHUNKS;
	weir_link.opens[0].file = FILE_AT;
	weir_link.opens[0].turn = TURN;
}

/* As if it were a service of this boot, of which there are no sockets. */
static void begin_process(void)
{
	char where[256] = "/nowhere|";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	assert_non_null(file);
	assert_non_null(fgets(where + strlen(where), 64, file));
	fclose(file);
	where[strcspn(where, "\n")] = '|';
	weir_link_begin(where);
	assert_true(weir_link_is_on);
}

void standin_begin(uint32_t grants_most)
{
	if (!weir_link_is_on)
		begin_process();
	memset(weir_self.chunks, 0, sizeof(weir_self.chunks));
	standin = make_shared(sizeof(*standin));
	board = make_shared(sizeof(*board));
	atomic_store(&standin->grants_most, grants_most);
	atomic_store(&standin->end, APPENDS);
	map_by_hand();
	assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
}

void standin_end(void)
{
	atomic_store(&standin->is_over, 1);
	atomic_fetch_add(&weir_link.page->wakes, 1);
	weir_futex_wake(&weir_link.page->wakes, 1);
	pthread_join(thread, NULL);
	for (uint32_t i = 0; i < CHUNKS; i++)
		if (atomic_load(&weir_link.heads[i].phase) != WEIR_CHUNK_FREE)
			read_chunk(i);
	assert_int_equal(atomic_load(&standin->faults), 0);
}

void standin_assert_all(uint32_t writer)
{
	uint32_t acked = atomic_load(&standin->acked[writer]);

	for (uint32_t i = 0; i < acked; i++)
		assert_int_equal(standin->seen[writer][i],
				 standin_length(writer, i));
	/* The next may have been written, and its writer killed. */
	for (uint32_t i = acked + 1; i < WRITES; i++)
		assert_int_equal(standin->seen[writer][i], 0);
}

void standin_run_threads(uint32_t count, void *(*what)(void *))
{
	pthread_t threads[THREADS_MOST];

	assert_true(count <= THREADS_MOST);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, what,
						(void *)(uintptr_t)i),
				 0);
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}
