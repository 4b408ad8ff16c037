/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of a fuzzer as a .weir file whose checks are right. */
#include "seal.h"

#include "base/hash.h"
#include "trace/order.h"
#include "trace/trace_layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
		if (!weir_order_is_magic(head.magic))
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
