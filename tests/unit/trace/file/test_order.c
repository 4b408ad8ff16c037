/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the other byte order, also those that are not as they should be. */
#include "trace/file/order.h"

#include "check.h"
#include "sample.h"

#include "base/hash.h"
#include "trace/event/foretell.h"
#include "trace/event/records.h"
#include "trace/file/blocks.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The magic of a machine of the other order. */
static const char *other_magic(void)
{
	return htole16(1) == 1 ? WEIR_BLOCK_MAGIC_BIG : WEIR_BLOCK_MAGIC;
}

/* Writes a block as a machine of the other order would. */
static void append_other(int fd, struct weir_block head, const void *payload)
{
	static const uint8_t zeros[8];
	size_t padding = -(size_t)head.stored & 7;
	uint32_t stored = head.stored;

	memcpy(head.magic, other_magic(), sizeof(head.magic));
	head.check = weir_hash_bytes(payload, stored);
	weir_order_turn_head(&head);
	head.head_check = __builtin_bswap32((uint32_t)weir_hash_bytes(
		&head, offsetof(struct weir_block, head_check)));
	assert_int_equal(write(fd, &head, sizeof(head)), sizeof(head));
	assert_int_equal(write(fd, payload, stored), stored);
	assert_int_equal(write(fd, zeros, padding), padding);
}

static void every_field_of_a_header_is_turned(void **state)
{
	struct weir_block head = {
		.type = 0x01020304, .stored = 2, .raw = 3, .proc = 4,
		.thread = 5, .count = 6, .first = 0x0102030405060708,
		.last = 8, .flags = 9, .head_check = 10, .check = 11,
	};
	struct weir_block turned = head;
	const uint8_t *bytes = (const uint8_t *)&turned;

	weir_order_turn_head(&turned);
	assert_int_equal(turned.type, 0x04030201);
	assert_true(turned.first == 0x0807060504030201);
	assert_int_equal(bytes[htole16(1) == 1 ? 63 : 56], 11);
	weir_order_turn_head(&turned);
	assert_memory_equal(&turned, &head, sizeof(head));
}

static void blocks_are_handed_out_in_our_order(void **state)
{
	struct weir_events_head payload = {
		.first_index = __builtin_bswap64(7),
		.base = __builtin_bswap64(1000),
		.sites = __builtin_bswap32(3),
		.detail_bytes = __builtin_bswap32(5),
	};
	struct weir_blocks_found found;
	struct weir_events_head got;
	struct weir_bytes bytes = { 0 };
	struct weir_zip zip = { 0 };
	struct weir_blocks blocks;
	int fd = sample_file();

	/* Something that is no block comes first. */
	assert_int_equal(write(fd, other_magic(), 8), 8);
	assert_int_equal(write(fd, " but no more than that..", 24), 24);
	append_other(fd, (struct weir_block){ .type = WEIR_BLOCK_EVENTS,
					      .stored = sizeof(payload),
					      .proc = 2, .last = 77 },
		     &payload);
	weir_blocks_init(&blocks, fd);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(blocks.damaged_bytes, 32);
	assert_int_equal(found.head.type, WEIR_BLOCK_EVENTS);
	assert_int_equal(found.head.proc, 2);
	assert_int_equal(weir_blocks_at(fd, 32, &found), 0);
	assert_int_equal(found.head.last, 77);
	assert_int_equal(weir_blocks_at(fd, 24, &found), -EBADMSG);
	assert_int_equal(weir_blocks_at(fd, 32, &found), 0);
	assert_int_equal(weir_blocks_load(fd, &found, &zip, &bytes), 0);
	memcpy(&got, bytes.data, sizeof(got));
	assert_int_equal(got.first_index, 7);
	assert_int_equal(got.base, 1000);
	assert_int_equal(got.sites, 3);
	assert_int_equal(got.detail_bytes, 5);
	weir_bytes_fini(&bytes);
	weir_zip_fini(&zip);
	weir_blocks_fini(&blocks);
	close(fd);
}

/* Turns words that stand in a heap of just their size, for the sanitizer. */
static int turn_and_read(const uint64_t *words, size_t count,
			 struct weir_event *event)
{
	uint64_t *copy = malloc(count * sizeof(*copy));
	struct weir_records records;
	int got;

	assert_non_null(copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = __builtin_bswap64(words[i]);
	weir_order_turn_payload(WEIR_BLOCK_CHUNK, copy, count * 8);
	weir_records_start(&records, copy, count * 8, 0);
	do
		got = weir_records_next(&records, event);
	while (got > 0);
	event->detail = NULL;
	free(copy);
	return got;
}

static void records_that_lie_are_still_within_bounds(void **state)
{
	struct weir_event event;
	uint64_t good[] = { WEIR_RECORD_DEF | WEIR_RECORD_DETAIL, 21, 100, 8,
			    0x4141414141414141, WEIR_RECORD_SIZE, 33 };
	uint64_t torn[] = { WEIR_RECORD_WIDE, 1 };
	uint64_t lies[] = { WEIR_RECORD_DETAIL, 0, 0 };
	static const uint64_t lengths[] = { 9, 1 << 20, UINT32_MAX,
					    UINT64_C(1) << 32,
					    UINT64_MAX - 6, UINT64_MAX };

	assert_int_equal(turn_and_read(good, 7, &event), 0);
	assert_int_equal(event.size, 33);
	assert_int_equal(event.call, 21);
	assert_int_equal(turn_and_read(torn, 2, &event), -EBADMSG);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		lies[1] = lengths[i];
		assert_int_equal(turn_and_read(lies, 3, &event), -EBADMSG);
	}
}

static void a_payload_too_short_stays_as_it_is(void **state)
{
	char *bytes = malloc(23);

	assert_non_null(bytes);
	memset(bytes, 'x', 23);
	bytes[0] = 'a';
	weir_order_turn_payload(WEIR_BLOCK_EVENTS, bytes, 23);
	assert_int_equal(bytes[0], 'a');
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_of_a_header_is_turned),
		cmocka_unit_test(blocks_are_handed_out_in_our_order),
		cmocka_unit_test(records_that_lie_are_still_within_bounds),
		cmocka_unit_test(a_payload_too_short_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
