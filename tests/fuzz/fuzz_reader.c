/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the ways from a .weir file: to its dump, other programs, a copy. */
#include "base/hash.h"
#include "export/dump.h"
#include "export/lexicon.h"
#include "share/look.h"
#include "share/rewrite.h"
#include "share/survey.h"
#include "trace/order.h"
#include "trace/reader.h"
#include "trace/store.h"
#include "trace/trace_layout.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weir/trace.h>

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

/* Keeps the compiler from leaving out what nobody else wants. */
static volatile uint64_t looked_at;

/* Looks at every byte that a value gives. */
static uint64_t sum_value(const struct weirtrace_value *value)
{
	const struct weirtrace_value *member;
	uint64_t sum = weirtrace_value_unsigned(value);
	size_t len;
	const char *text = weirtrace_value_text(value, &len);

	sum += weir_hash_bytes(text, len + 1);
	sum += strlen(weirtrace_value_name(value));
	sum += strlen(weirtrace_value_show(value));
	for (size_t i = 0; (member = weirtrace_value_member(value, i)); i++)
		sum += sum_value(member);
	return sum;
}

static void read_by_library(const char *path)
{
	const struct weirtrace_value *value;
	const struct weirtrace_event *event;
	struct weirtrace *trace;
	uint64_t sum = 0;

	if (weirtrace_open(path, &trace))
		return;
	while (weirtrace_next(trace, &event) > 0) {
		sum += strlen(weirtrace_event_name(event));
		for (size_t i = 0;
		     (value = weirtrace_event_argument(event, i)); i++)
			sum += sum_value(value);
	}
	looked_at = sum;
	weirtrace_close(trace);
}

/* What weir info, weir anon and weir pack do with a file. */
static void give_away(int fd)
{
	static const struct weir_veil veil = { .keep = WEIR_VEIL_EXTENSIONS };
	struct weir_survey survey = { .bytes = 0 };
	struct weir_look look = { .rows = 0 };
	struct weir_store *store;

	if (!weir_survey_add(&survey, fd))
		weir_look_file(&look, fd, 2);
	weir_survey_fini(&survey);
	for (int i = 0; i < 2; i++) {
		struct weir_rewrite job = { .veil = i ? &veil : NULL };

		if (weir_store_adopt(memfd_create("fuzz", MFD_CLOEXEC), &store))
			abort();
		weir_rewrite_file(&job, fd, store);
		weir_store_close(store);
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
	if (write(fd, sealed, size) == (ssize_t)size) {
		read_all(path, null);
		read_by_library(path);
		give_away(fd);
	}
	close(fd);
	free(sealed);
	return 0;
}
