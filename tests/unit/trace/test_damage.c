/* SPDX-License-Identifier: BSD-3-Clause */
/* Damage of every kind: never a crash, never more than one block lost. */
#include "check.h"
#include "sample.h"
#include "trace/file/blocks.h"
#include "trace/layout/trace_layout.h"
#include "trace/read/reader.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 250
#define FLIPS 50000 /* of each file, unless FLIPS says otherwise */

#define GOLDEN_CALLS 98 /* and a loss, in tests/golden/v1 */

struct outcome {
	uint64_t events;
	int damaged;
};

static uint64_t file_size(int fd)
{
	struct stat st;

	fstat(fd, &st);
	return (uint64_t)st.st_size;
}

/* Reads all there is; refusing the file counts as no events. */
static struct outcome read_all(int fd)
{
	struct outcome outcome = { .damaged = 1 };
	struct weir_reader *reader;
	struct weir_event event;

	if (weir_reader_open(sample_path(fd), &reader))
		return outcome;
	while (weir_reader_next(reader, &event) > 0)
		outcome.events += event.call < WEIR_NOTE_FIRST;
	outcome.damaged = weir_reader_is_damaged(reader);
	weir_reader_close(reader);
	return outcome;
}

/* The most events that stand in one block. */
static uint64_t largest_block(int fd)
{
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	uint64_t most = 0;

	weir_blocks_init(&blocks, fd);
	while (weir_blocks_next(&blocks, UINT64_MAX, &found) > 0)
		if (found.head.count > most &&
		    found.head.type != WEIR_BLOCK_NAMES)
			most = found.head.count;
	weir_blocks_fini(&blocks);
	return most;
}

static uint64_t flips(void)
{
	const char *told = getenv("FLIPS");

	return told ? strtoull(told, NULL, 10) : FLIPS;
}

static void flip_bytes(int fd, uint64_t expected)
{
	uint64_t all = read_all(fd).events, most = largest_block(fd);
	uint64_t size = file_size(fd), count = flips();
	unsigned int seed = 7;

	assert_int_equal(all, expected);
	assert_true(most < all);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = i < size && size <= count ?
			i : (uint64_t)rand_r(&seed) % size;
		uint8_t was, is;
		struct outcome got;

		assert_int_equal(pread(fd, &was, 1, (off_t)at), 1);
		is = was ^ (uint8_t)(1 + rand_r(&seed) % 255);
		assert_int_equal(pwrite(fd, &is, 1, (off_t)at), 1);
		got = read_all(fd);
		assert_true(got.events + most >= all);
		assert_true(got.damaged || got.events == all);
		assert_int_equal(pwrite(fd, &was, 1, (off_t)at), 1);
	}
}

/* Cut at every length there is (some, where flips are few) down to none. */
static void truncate_to_nothing(int fd)
{
	uint64_t last = UINT64_MAX;
	uint64_t step = file_size(fd) / flips() + 1;

	for (uint64_t left = file_size(fd) / step; left--;) {
		uint64_t got;

		assert_int_equal(ftruncate(fd, (off_t)(left * step)), 0);
		got = read_all(fd).events;
		assert_true(got <= last);
		last = got;
	}
	assert_int_equal(last, 0);
}

static void damage_file(int fd, uint64_t events)
{
	flip_bytes(fd, events);
	truncate_to_nothing(fd);
	close(fd);
}

static void a_packed_file(void **state)
{
	damage_file(sample_packed(ROUNDS), SAMPLE_EVENTS(ROUNDS) - 1);
}

static void a_raw_file(void **state)
{
	damage_file(sample_raw(ROUNDS), SAMPLE_EVENTS(ROUNDS) - 1);
}

/* A copy in memory: the golden files themselves are never touched. */
static int copy_golden(const char *name)
{
	int from, fd = memfd_create(name, MFD_CLOEXEC);
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("GOLDEN"), name);
	from = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(from >= 0 && fd >= 0);
	assert_true(sendfile(fd, from, NULL, 1 << 20) > 0);
	close(from);
	return fd;
}

static void the_golden_packed_file(void **state)
{
	damage_file(copy_golden("packed.weir"), GOLDEN_CALLS);
}

static void the_golden_raw_file(void **state)
{
	damage_file(copy_golden("raw.weir"), GOLDEN_CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_golden_packed_file),
		cmocka_unit_test(the_golden_raw_file),
		cmocka_unit_test(a_packed_file),
		cmocka_unit_test(a_raw_file),
	};

	/* Raw files are packed aside, a hundred thousand times. */
	setenv("TMPDIR", "/dev/shm", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
