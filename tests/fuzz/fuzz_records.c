/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of raw chunks any words, the tick of their base first: it
 * must end, and stay within them; so must what passes over records.
 */
#include "target.h"
#include "trace/event/records.h"
#include "trace/live/salvage.h"

#define WORDS 4096

static size_t walk(const uint64_t *words, size_t count, uint64_t base)
{
	const uint8_t *end = (const uint8_t *)(words + count);
	struct weir_event event = { 0 };
	struct weir_records records;
	size_t taken = 0;

	weir_records_start(&records, words, count * 8, base);
	while (weir_records_next(&records, &event) > 0) {
		must(++taken <= count && records.at <= count);
		must(!event.detail_len ||
		     (event.detail >= (const uint8_t *)words &&
		      event.detail_len <= (size_t)(end - event.detail)));
	}
	return taken;
}

static void skip(const uint64_t *words, size_t count, uint64_t base)
{
	struct weir_event event = { 0 };
	struct weir_records records;

	weir_records_start(&records, words, count * 8, base);
	do {
		weir_records_skip(&records);
		must(records.at <= count);
	} while (weir_records_next(&records, &event) > 0);
}

/* What a collector does with a chunk that a killed thread left. */
static void count_whole(const uint64_t *words, size_t count, size_t taken)
{
	uint32_t whole, calls, bytes;

	bytes = weir_salvage_count((const uint8_t *)words,
				   (uint32_t)count * 8, &whole, &calls);
	must(bytes <= count * 8 && bytes % 8 == 0);
	must(calls <= whole && whole <= taken);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t room[WORDS];
	size_t count = size / 8 < WORDS ? size / 8 : WORDS;
	uint64_t *words;

	if (!count)
		return 0;
	/* at the end of the room, so that a read beyond is seen */
	words = room + WORDS - count;
	memcpy(words, data, count * 8);
	count_whole(words + 1, count - 1, walk(words + 1, count - 1, *words));
	skip(words + 1, count - 1, *words);
	return 0;
}

/* A record: as many words as its first tells. */
static size_t find_record(const uint8_t *bytes, size_t size)
{
	uint64_t word, bytes_of_detail;
	size_t words;

	if (size < 8)
		return 0;
	memcpy(&word, bytes, 8);
	words = 1 + weir_records_words_after(word);
	if (word & WEIR_RECORD_DETAIL && words * 8 <= size) {
		memcpy(&bytes_of_detail, bytes + (words - 1) * 8, 8);
		if (bytes_of_detail < size)
			words += (bytes_of_detail + 7) / 8;
	}
	return words * 8;
}

static const struct fuzz_number numbers[] = {
	{ 0, 1 }, { 0, 2 }, { 0, 8 }, { 0, 0 },
};

const struct fuzz_shape fuzz_shape = {
	.part = find_record,
	.head = 8,
	.numbers = numbers,
};
