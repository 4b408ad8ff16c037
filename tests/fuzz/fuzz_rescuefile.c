/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of rescue files any bytes, most with the checks put right:
 * what it takes must be in order and within the file.
 */
#include "base/hash.h"
#include "serve/rescue/rescuefile.h"
#include "target.h"

static void use(const struct weir_rescuefile *rescue, size_t size)
{
	uint64_t end = 0, sum = 0;

	must(rescue->path[0] == '/' &&
	     strlen(rescue->path) == rescue->head.path);
	for (uint64_t i = 0; i < rescue->head.ranges; i++) {
		const struct weir_rescuefile_range *range = &rescue->ranges[i];

		must(range->length > 0 && range->offset >= end);
		end = range->offset + range->length;
		must(end <= INT64_MAX);
		sum += range->length;
	}
	must(rescue->bytes_at + sum <= size);
}

static void try_bytes(const uint8_t *data, size_t size)
{
	struct weir_rescuefile rescue;

	if (weir_rescuefile_open(memory_file(data, size), &rescue))
		return;
	use(&rescue, size);
	weir_rescuefile_close(&rescue);
}

/* As the writer does it; ranges are sums of what lies at their turn. */
static void seal_ranges(uint8_t *bytes, uint64_t size, uint64_t at,
			uint64_t count)
{
	uint64_t table = size - count * sizeof(struct weir_rescuefile_range);

	for (uint64_t i = 0; i < count; i++) {
		struct weir_rescuefile_range range;
		uint8_t *place = bytes + table + i * sizeof(range);

		memcpy(&range, place, sizeof(range));
		if (at > table || range.length > table - at)
			return;
		range.sum = weir_hash_bytes(bytes + at, range.length);
		at += range.length;
		memcpy(place, &range, sizeof(range));
	}
}

static void repair(uint8_t *bytes, size_t size)
{
	struct weir_rescuefile_head head;
	uint64_t path, table;
	XXH3_state_t state;

	if (size < sizeof(head))
		return;
	memcpy(&head, bytes, sizeof(head));
	head.magic = WEIR_RESCUEFILE_MAGIC;
	head.version = WEIR_RESCUEFILE_VERSION;
	head.total = size;
	head.path %= 64;
	head.ranges %= 8;
	head.sum = 0;
	path = (head.path + 7) / 8 * 8;
	table = head.ranges * sizeof(struct weir_rescuefile_range);
	if (sizeof(head) + path + table > size)
		return;
	seal_ranges(bytes, size, sizeof(head) + path, head.ranges);
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &head, sizeof(head));
	XXH3_64bits_update(&state, bytes + sizeof(head), path);
	XXH3_64bits_update(&state, bytes + size - table, table);
	head.sum = XXH3_64bits_digest(&state);
	memcpy(bytes, &head, sizeof(head));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_bytes(data, size);
	return 0;
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_rescuefile_head, magic),
	FUZZ_NUMBER(struct weir_rescuefile_head, version),
	FUZZ_NUMBER(struct weir_rescuefile_head, path),
	FUZZ_NUMBER(struct weir_rescuefile_head, ranges),
	FUZZ_NUMBER(struct weir_rescuefile_head, total),
	{0, 0},
};

const struct fuzz_shape fuzz_shape = {
	.head = sizeof(struct weir_rescuefile_head),
	.numbers = numbers,
	.repair = repair,
};
