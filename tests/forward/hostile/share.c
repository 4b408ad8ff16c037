/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory of a session: slots, chunks; and what liars fill them with. */
#include "talk.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

#define SECOND UINT64_C(1000000000)

uint64_t talk_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

void talk_seed(uint64_t seed)
{
	state += seed * 2;
}

uint64_t talk_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

void talk_fill(void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)bytes)[i] = (unsigned char)talk_random();
}

uint64_t talk_odd(void)
{
	static const uint64_t odd[] = {
		0, 1, 2, 7, 8, 13, 4095, 4096, 8191, 8192, 65535, 65536,
		512 << 10, (512 << 10) + 1, INT32_MAX, UINT32_MAX,
		UINT64_C(1) << 32, (UINT64_C(1) << 62) - 1, UINT64_C(1) << 62,
		(UINT64_C(1) << 62) + 1, INT64_MAX, UINT64_C(1) << 63,
		UINT64_MAX - 1, UINT64_MAX,
	};
	uint64_t any = talk_random();

	if (any & 1)
		return odd[(any >> 8) % (sizeof(odd) / sizeof(*odd))];
	return any >> (any >> 1) % 64;
}

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void wait_for(_Atomic uint32_t *word, uint32_t value)
{
	struct timespec moment = { .tv_nsec = 100000000 };

	syscall(SYS_futex, word, FUTEX_WAIT, value, &moment, NULL, 0);
}

void talk_ring(struct talk *talk)
{
	atomic_thread_fence(memory_order_seq_cst);
	atomic_fetch_add(&talk->page->wakes, 1);
	wake(&talk->page->wakes);
}

void talk_put(struct talk *talk, uint32_t slot, uint32_t op, const void *args,
	      uint32_t data)
{
	struct weir_session_slot *at = &talk->slots[slot];

	at->op = op;
	at->data = data;
	memcpy(at->args, args, sizeof(at->args));
	atomic_store(&at->state, WEIR_SESSION_POSTED);
}

int talk_wait(struct talk *talk, uint32_t slot)
{
	struct weir_session_slot *at = &talk->slots[slot];
	uint64_t until = talk_now() + 10 * SECOND;

	while (atomic_load(&at->state) != WEIR_SESSION_ANSWERED) {
		if (talk_now() > until)
			talk_fail("a slot was not answered within 10 s",
				  (long)at->op);
		wait_for(&at->state, WEIR_SESSION_POSTED);
	}
	atomic_store(&at->state, WEIR_SESSION_FREE);
	return at->status;
}

int talk_post(struct talk *talk, uint32_t op, const void *args, size_t size,
	      uint32_t data)
{
	unsigned char all[WEIR_SESSION_ARGS] = { 0 };

	memcpy(all, args, size);
	talk_put(talk, 0, op, all, data);
	talk_ring(talk);
	return talk_wait(talk, 0);
}

void talk_still_answers(struct talk *talk)
{
	struct weir_op_ask_in ask = { 0 };
	int ret = talk_post(talk, WEIR_OP_ASK, &ask, sizeof(ask), 0);

	if (ret)
		talk_fail("the service does not answer any more", ret);
	if (talk->page->dead)
		talk_fail("the service is told to be dead", 0);
}

static bool take_bit(struct talk *talk, uint32_t word, uint32_t *ret_chunk)
{
	uint64_t bits = atomic_load(&talk->page->grants[word]);

	if (!bits)
		return false;
	*ret_chunk = word * 64 + (uint32_t)__builtin_ctzll(bits);
	atomic_store(&talk->page->grants[word], bits & (bits - 1));
	return *ret_chunk < talk->welcome.chunks;
}

uint32_t talk_take_chunk(struct talk *talk)
{
	uint64_t until = talk_now() + 10 * SECOND;
	uint32_t chunk;

	while (talk_now() < until) {
		uint32_t room = atomic_load(&talk->page->room);

		for (uint32_t i = 0; i < talk->welcome.chunks / 64 + 1; i++) {
			if (!take_bit(talk, i, &chunk))
				continue;
			atomic_store(&talk->heads[chunk].phase,
				     WEIR_CHUNK_TAKEN);
			return chunk;
		}
		atomic_store(&talk->page->waiting, 1);
		talk_ring(talk);
		wait_for(&talk->page->room, room);
	}
	talk_fail("no chunk was granted within 10 s", 0);
	return 0;
}

unsigned char *talk_chunk(struct talk *talk, uint32_t chunk)
{
	return talk->chunks + (size_t)chunk * WEIR_SESSION_CHUNK;
}

void talk_seal(struct talk *talk, uint32_t chunk, uint32_t used)
{
	atomic_store(&talk->heads[chunk].used, used);
	atomic_store(&talk->heads[chunk].owner, 0);
	atomic_store(&talk->heads[chunk].phase, WEIR_CHUNK_SEALED);
	talk_ring(talk);
}
