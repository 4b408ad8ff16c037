/* SPDX-License-Identifier: BSD-3-Clause */
/* The store: whole blocks or none. */
#include "trace/file/store.h"

#include "check.h"
#include "sample.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void blocks_are_aligned(void **state)
{
	struct weir_block head = { .type = WEIR_BLOCK_PROC, .stored = 5 };
	struct weir_store *store;
	char bytes[80];

	assert_int_equal(weir_store_adopt(sample_file(), &store), 0);
	assert_int_equal(weir_store_append(store, &head, "hello"), 0);
	assert_int_equal(weir_store_bytes(store), 72);
	assert_int_equal(pread(weir_store_fd(store), bytes, 80, 0), 72);
	assert_memory_equal(bytes,
			    htole16(1) == 1 ? WEIR_BLOCK_MAGIC
					    : WEIR_BLOCK_MAGIC_BIG,
			    8);
	assert_memory_equal(bytes + 64, "hello\0\0\0", 8);
	head.stored = WEIR_BLOCK_MAX_STORED + 1;
	assert_int_equal(weir_store_append(store, &head, NULL), -EFBIG);
	weir_store_close(store);
}

static void a_file_is_never_taken_over(void **state)
{
	char path[] = "/tmp/weir-store-XXXXXX";
	struct weir_store *store = NULL;

	close(mkstemp(path));
	assert_int_equal(weir_store_create(path, &store), -EEXIST);
	unlink(path);
	assert_int_equal(symlink("/nowhere", path), 0);
	assert_int_equal(weir_store_create(path, &store), -EEXIST);
	unlink(path);
	assert_int_equal(weir_store_create(path, &store), 0);
	weir_store_close(store);
	unlink(path);
}

/* A limit on the file's size stands in for a disk that is full. */
static void a_full_disk_leaves_whole_blocks(void **state)
{
	char path[] = "/tmp/weir-full-XXXXXX";
	struct weir_block head = { .type = WEIR_BLOCK_PROC, .stored = 100 };
	struct rlimit before, limit;
	struct weir_store *store;
	struct stat st;
	char bytes[100] = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(weir_store_adopt(mkstemp(path), &store), 0);
	assert_int_equal(weir_store_append(store, &head, bytes), 0);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){ 200, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_true(weir_store_append(store, &head, bytes) < 0);
	setrlimit(RLIMIT_FSIZE, &before);
	fstat(weir_store_fd(store), &st);
	assert_int_equal(st.st_size, 168);
	assert_int_equal(weir_store_bytes(store), 168);
	assert_int_equal(weir_store_append(store, &head, bytes), 0);
	assert_int_equal(weir_store_bytes(store), 336);
	weir_store_close(store);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_aligned),
		cmocka_unit_test(a_file_is_never_taken_over),
		cmocka_unit_test(a_full_disk_leaves_whole_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
