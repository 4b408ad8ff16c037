/* SPDX-License-Identifier: BSD-3-Clause */
/* The .weir file for fuzzers: its blocks, and checks that are right. */
#include "trace_shape.h"

#include "mutate.h"
#include "plain_events.h"
#include "base/hash.h"
#include "trace/file/order.h"
#include "trace/layout/trace_layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/* The header is in this machine's order before, and in its own after. */
static void seal_head(struct weir_block *head, const uint8_t *payload)
{
	struct weir_block sealed = *head;
	size_t front = offsetof(struct weir_block, head_check);

	sealed.check = weir_hash_bytes(payload, head->stored);
	if (weir_order_is_other(head)) {
		weir_order_turn_head(&sealed);
		sealed.head_check = __builtin_bswap32(
			(uint32_t)weir_hash_bytes(&sealed, front));
	} else {
		sealed.head_check = (uint32_t)weir_hash_bytes(&sealed, front);
	}
	*head = sealed;
}

/*
 * Makes the checks right, as no fuzzer could: what is to be tried is what
 * stands behind them. (Damage without this is tried by test_damage.)
 */
static void seal(uint8_t *data, size_t size)
{
	struct weir_block head;

	while (size >= sizeof(head)) {
		size_t room = size - sizeof(head), whole;
		uint32_t stored;

		memcpy(&head, data, sizeof(head));
		if (!weir_order_is_magic(head.magic, 8))
			memcpy(head.magic, WEIR_BLOCK_MAGIC,
			       sizeof(head.magic));
		if (weir_order_is_other(&head))
			weir_order_turn_head(&head);
		if (head.stored > room)
			head.stored = (uint32_t)room;
		stored = head.stored;
		seal_head(&head, data + sizeof(head));
		memcpy(data, &head, sizeof(head));
		whole = sizeof(head) + ((stored + 7u) & ~7u);
		if (whole > size)
			return;
		data += whole;
		size -= whole;
	}
}

int sealed_file(const uint8_t *data, size_t size)
{
	uint8_t *sealed = malloc(size + 1);
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (!sealed || fd < 0)
		abort();
	if (size)
		memcpy(sealed, data, size);
	seal(sealed, size);
	if (write(fd, sealed, size) != (ssize_t)size)
		abort();
	free(sealed);
	setenv("TMPDIR", "/dev/shm", 1);
	return fd;
}

/* --- the shape --------------------------------------------------------- */

static size_t block_size(uint32_t stored)
{
	return sizeof(struct weir_block) + ((stored + 7u) & ~7u);
}

static size_t find_block(const uint8_t *bytes, size_t size)
{
	struct weir_block head;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	if (weir_order_is_other(&head))
		weir_order_turn_head(&head);
	return head.stored <= WEIR_BLOCK_MAX_STORED ? block_size(head.stored) :
						      0;
}

static size_t unpack_block(const uint8_t *part, size_t size, uint8_t *body,
			   size_t room)
{
	const uint8_t *payload = part + sizeof(struct weir_block);
	struct weir_block head;
	size_t got;

	memcpy(&head, part, sizeof(head));
	if (weir_order_is_other(&head) || head.stored > size - sizeof(head))
		return 0;
	if (head.raw) {
		got = ZSTD_decompress(body, room, payload, head.stored);
		return ZSTD_isError(got) ? 0 : got;
	}
	if (head.type == WEIR_BLOCK_EVENTS)
		return plain_events(payload, head.stored, head.count, body,
				    room);
	got = head.stored < room ? head.stored : room;
	memcpy(body, payload, got);
	return got;
}

static size_t pack_block(uint8_t *part, size_t room, const uint8_t *body,
			 size_t size)
{
	struct weir_block head;
	size_t stored = 0;

	memcpy(&head, part, sizeof(head));
	if (head.raw) {
		stored = ZSTD_compress(part + sizeof(head),
				       room - sizeof(head) - 8, body, size, 1);
		head.raw = (uint32_t)size;
	}
	if (!stored || ZSTD_isError(stored)) {
		head.raw = 0;
		stored = size;
		memcpy(part + sizeof(head), body, size);
	}
	head.stored = (uint32_t)stored;
	memcpy(part, &head, sizeof(head));
	memset(part + sizeof(head) + stored, 0, 8);
	return block_size(head.stored);
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_block, type),
	FUZZ_NUMBER(struct weir_block, stored),
	FUZZ_NUMBER(struct weir_block, raw),
	FUZZ_NUMBER(struct weir_block, proc),
	FUZZ_NUMBER(struct weir_block, thread),
	FUZZ_NUMBER(struct weir_block, count),
	FUZZ_NUMBER(struct weir_block, first),
	FUZZ_NUMBER(struct weir_block, last),
	FUZZ_NUMBER(struct weir_block, flags),
	{ 0, 0 },
};

const struct fuzz_shape fuzz_shape = {
	.part = find_block,
	.head = sizeof(struct weir_block),
	.numbers = numbers,
	.unpack = unpack_block,
	.pack = pack_block,
	.repair = seal,
};
