/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding blocks: after damage, at the end, in a file that grows. */
#include "trace/file/blocks.h"

#include "check.h"
#include "sample.h"
#include "trace/file/store.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct weir_store *three_blocks(void)
{
	struct weir_store *store;
	char bytes[16];

	assert_int_equal(weir_store_adopt(sample_file(), &store), 0);
	for (uint32_t i = 1; i <= 3; i++) {
		struct weir_block head = { .type = WEIR_BLOCK_PROC,
					   .proc = i,
					   .stored = sizeof(bytes) };

		memset(bytes, (int)i, sizeof(bytes));
		assert_int_equal(weir_store_append(store, &head, bytes), 0);
	}
	return store;
}

static void a_damaged_header_costs_its_block(void **state)
{
	struct weir_store *store = three_blocks();
	int fd = weir_store_fd(store);
	struct weir_blocks_found found;
	struct weir_blocks blocks;

	assert_int_equal(pwrite(fd, "x", 1, 80 + 20), 1);
	weir_blocks_init(&blocks, fd);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(found.head.proc, 1);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(found.head.proc, 3);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 0);
	assert_int_equal(weir_blocks_close_tail(&blocks), 0);
	assert_int_equal(blocks.damaged_bytes, 80);
	assert_int_equal(blocks.damaged_places, 1);
	weir_blocks_fini(&blocks);
	weir_store_close(store);
}

static void a_damaged_payload_is_noticed(void **state)
{
	struct weir_store *store = three_blocks();
	struct weir_blocks_found found;
	struct weir_bytes bytes = { 0 };
	struct weir_zip zip = { 0 };
	struct weir_blocks blocks;
	int fd = weir_store_fd(store);

	weir_blocks_init(&blocks, fd);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(weir_blocks_load(fd, &found, &zip, &bytes), 0);
	assert_int_equal(bytes.used, 16);
	assert_int_equal(pwrite(fd, "x", 1, 70), 1);
	assert_int_equal(weir_blocks_load(fd, &found, &zip, &bytes), -EBADMSG);
	weir_bytes_fini(&bytes);
	weir_blocks_fini(&blocks);
	weir_store_close(store);
}

static void a_bomb_does_not_go_off(void **state)
{
	static uint8_t zeros[1 << 20];
	struct weir_bytes frame = { 0 }, bytes = { 0 };
	struct weir_block head = { .type = WEIR_BLOCK_PROC,
				   .raw = sizeof(zeros) };
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	struct weir_store *store;
	struct weir_zip zip = { 0 };
	int fd;

	assert_int_equal(weir_store_adopt(sample_file(), &store), 0);
	fd = weir_store_fd(store);
	assert_int_equal(weir_zip_squeeze(&zip, zeros, sizeof(zeros), &frame),
			 0);
	head.stored = (uint32_t)frame.used;
	assert_int_equal(weir_store_append(store, &head, frame.data), 0);
	weir_blocks_init(&blocks, fd);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(weir_blocks_load(fd, &found, &zip, &bytes), -EBADMSG);
	weir_bytes_fini(&bytes);
	weir_bytes_fini(&frame);
	weir_zip_fini(&zip);
	weir_blocks_fini(&blocks);
	weir_store_close(store);
}

static void a_file_may_grow(void **state)
{
	struct weir_store *store = three_blocks();
	int fd = weir_store_fd(store);
	struct weir_block head = { .type = WEIR_BLOCK_PROC, .proc = 4 };
	struct weir_blocks_found found;
	struct weir_blocks blocks;

	weir_blocks_init(&blocks, fd);
	assert_int_equal(weir_blocks_next(&blocks, 80, &found), 1);
	assert_int_equal(weir_blocks_next(&blocks, 80, &found), 0);
	assert_int_equal(weir_blocks_next(&blocks, 159, &found), 0);
	assert_int_equal(weir_blocks_next(&blocks, 240, &found), 1);
	assert_int_equal(weir_blocks_next(&blocks, 240, &found), 1);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 0);
	assert_int_equal(weir_store_append(store, &head, ""), 0);
	assert_int_equal(weir_blocks_next(&blocks, UINT64_MAX, &found), 1);
	assert_int_equal(found.head.proc, 4);
	assert_int_equal(blocks.damaged_bytes, 0);
	weir_blocks_fini(&blocks);
	weir_store_close(store);
}

static void a_torn_tail_is_counted(void **state)
{
	struct weir_store *store = three_blocks();
	int fd = weir_store_fd(store);
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	int count = 0;

	assert_int_equal(ftruncate(fd, 200), 0);
	weir_blocks_init(&blocks, fd);
	while (weir_blocks_next(&blocks, UINT64_MAX, &found) > 0)
		count++;
	assert_int_equal(count, 2);
	weir_blocks_close_tail(&blocks);
	assert_int_equal(blocks.damaged_bytes, 40);
	weir_blocks_fini(&blocks);
	weir_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_damaged_header_costs_its_block),
		cmocka_unit_test(a_damaged_payload_is_noticed),
		cmocka_unit_test(a_bomb_does_not_go_off),
		cmocka_unit_test(a_file_may_grow),
		cmocka_unit_test(a_torn_tail_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
