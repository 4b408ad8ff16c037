/* SPDX-License-Identifier: BSD-3-Clause */
/* A simple client; one thread uses it at a time. */
#include "client.h"

#include "base/clock.h"
#include "base/futex.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define NONE UINT32_MAX
#define MOMENT UINT64_C(50000000) /* ns */

void client_attach(struct client *client)
{
	uint32_t chunks;

	assert_int_equal(weir_sessions_attach(getpid(), &client->welcome), 0);
	chunks = client->welcome.chunks;
	client->memory = mmap(NULL, weir_session_bytes(chunks),
			      PROT_READ | PROT_WRITE, MAP_SHARED,
			      client->welcome.memory_fd, 0);
	assert_true(client->memory != MAP_FAILED);
	close(client->welcome.memory_fd);
	client->page = (void *)client->memory;
	client->slots = (void *)(client->memory + weir_session_slots_at());
	client->heads = (void *)(client->memory + weir_session_heads_at());
	client->lanes = client->memory + weir_session_lanes_at(chunks);
	client->chunks = client->memory + weir_session_chunks_at(chunks);
	client->chunk = NONE;
}

struct weir_op_open_out client_open(struct client *client, const char *path,
				    int flags)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct weir_op_open_in in = {
		.session = client->welcome.session,
		.token0 = client->welcome.token[0],
		.token1 = client->welcome.token[1],
		.flags = (uint32_t)flags,
	};
	struct weir_op_open_out out;

	assert_true(fd >= 0);
	assert_int_equal(weir_sessions_open(&in, path, fd, &out), 0);
	return out;
}

static void ring(struct client *client)
{
	atomic_fetch_add(&client->page->wakes, 1);
	if (atomic_load(&client->page->asleep))
		weir_futex_wake(&client->page->wakes, INT_MAX);
}

unsigned char *client_lane(struct client *client, uint32_t slot)
{
	return client->lanes + (uint64_t)slot * WEIR_SESSION_LANE;
}

int client_call(struct client *client, const struct client_call *call)
{
	struct weir_session_slot *slot = &client->slots[call->slot];

	slot->op = call->op;
	slot->data = call->data;
	memset(slot->args, 0, sizeof(slot->args));
	memcpy(slot->args, call->in, call->in_size);
	atomic_store(&slot->state, WEIR_SESSION_POSTED);
	ring(client);
	while (atomic_load(&slot->state) == WEIR_SESSION_POSTED)
		weir_futex_wait(&slot->state, WEIR_SESSION_POSTED, MOMENT);
	atomic_store(&slot->state, WEIR_SESSION_FREE);
	return slot->status;
}

static bool take_granted(struct client *client)
{
	for (uint32_t i = 0; i < client->welcome.chunks; i++) {
		uint64_t bit = UINT64_C(1) << i % 64;
		_Atomic uint64_t *word = &client->page->grants[i / 64];

		if (!(atomic_load(word) & bit) ||
		    !(atomic_fetch_and(word, ~bit) & bit))
			continue;
		atomic_store(&client->heads[i].phase, WEIR_CHUNK_TAKEN);
		client->chunk = i;
		return true;
	}
	return false;
}

static void take_chunk(struct client *client)
{
	while (!take_granted(client)) {
		uint32_t room = atomic_load(&client->page->room);

		atomic_store(&client->page->waiting, 1);
		ring(client);
		weir_futex_wait(&client->page->room, room, MOMENT);
	}
}

void client_seal(struct client *client)
{
	struct weir_session_head *head = &client->heads[client->chunk];

	atomic_store(&head->phase, WEIR_CHUNK_SEALED);
	atomic_store(&head->owner, 0);
	client->chunk = NONE;
	ring(client);
}

/* False: there is none, or the daemon has taken it back. */
static bool own_chunk(struct client *client)
{
	struct weir_session_head *head = &client->heads[client->chunk];
	uint32_t nobody = 0;

	if (client->chunk == NONE ||
	    !atomic_compare_exchange_strong(&head->owner, &nobody,
					    (uint32_t)gettid()))
		return false;
	if (atomic_load(&head->phase) == WEIR_CHUNK_TAKEN)
		return true;
	atomic_store(&head->owner, 0);
	return false;
}

uint32_t client_fill(struct client *client, const struct client_record *record)
{
	struct weir_session_record head = {
		.length = record->length,
		.file = record->file,
		.offset = record->offset,
		.stamp = weir_clock_ns(CLOCK_MONOTONIC),
		.turn = record->turn,
	};
	uint32_t used, size = weir_session_record_size(record->length);
	unsigned char *to;

	for (;;) {
		while (!own_chunk(client))
			take_chunk(client);
		used = atomic_load(&client->heads[client->chunk].used);
		if (used + size <= WEIR_SESSION_CHUNK)
			break;
		client_seal(client);
	}
	to = client->chunks + (uint64_t)client->chunk * WEIR_SESSION_CHUNK +
	     used;
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), record->bytes, record->length);
	return used;
}

void client_count(struct client *client, uint32_t length)
{
	struct weir_session_head *head = &client->heads[client->chunk];

	atomic_fetch_add(&head->used, weir_session_record_size(length));
	atomic_store(&head->owner, 0);
	if (atomic_load(&client->page->armed))
		ring(client);
}

void client_write(struct client *client, const struct client_record *record)
{
	client_fill(client, record);
	client_count(client, record->length);
}
