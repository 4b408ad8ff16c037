/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the whole way from a .weir file to its dump. */
#include "base/hash.h"
#include "export/dump.h"
#include "export/lexicon.h"
#include "trace/order.h"
#include "trace/reader.h"
#include "trace/trace_layout.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void read_all(const char *path, int null)
{
	static const char *const formats[] = { "text", "jsonl", "csv",
					       "catamount" };
	struct weir_dump_filter filter = { .to = UINT64_MAX };
	uint32_t count;

	for (int i = 0; i < 4; i++) {
		struct weir_reader *reader;

		if (weir_reader_open(path, &reader))
			return;
		weir_dump_write(reader, weir_dump_format(formats[i]), &filter,
				null);
		if (weir_lexicon_format(formats[i]))
			weir_lexicon_write(reader,
					   weir_lexicon_format(formats[i]),
					   null, &count);
		weir_reader_close(reader);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int null = -1;
	uint8_t *sealed = malloc(size + 1);
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];

	if (null < 0) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		setenv("TMPDIR", "/dev/shm", 1);
	}
	if (!sealed || fd < 0)
		abort();
	if (size)
		memcpy(sealed, data, size);
	seal(sealed, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, sealed, size) == (ssize_t)size)
		read_all(path, null);
	close(fd);
	free(sealed);
	return 0;
}
