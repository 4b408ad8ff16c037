/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing: nothing is lost, told twice or forgotten. */
#include "trace/pack/pack.h"

#include "check.h"
#include "rawmaker.h"
#include "sample.h"
#include "trace/read/reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANY 20000 /* events: more chunks than may wait */

/* The file of the first event of that call. */
static void expect_file(int fd, uint16_t call, const char *name)
{
	struct weir_reader *reader;
	struct weir_event event = { 0 };
	size_t len;

	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	while (event.call != call)
		assert_int_equal(weir_reader_next(reader, &event), 1);
	assert_string_equal(weir_reader_name(reader, event.file, &len), name);
	weir_reader_close(reader);
}

static uint64_t count_events(int fd, uint64_t *ret_losses)
{
	struct weir_reader *reader;
	struct weir_event event;
	uint64_t count = 0;

	*ret_losses = 0;
	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	while (weir_reader_next(reader, &event) > 0) {
		count++;
		*ret_losses += event.call == WEIR_NOTE_LOSS;
	}
	weir_reader_close(reader);
	return count;
}

/* As a collector does it: little by little, while the file grows. */
static void packing_may_go_along_with_writing(void **state)
{
	int raw = sample_raw(SAMPLE_ROUNDS), whole = sample_file();
	int steps = sample_file();
	struct weir_pack_totals a, b;
	struct weir_pack *pack;
	struct stat st;
	char left[65536], right[65536];
	ssize_t n;

	fstat(raw, &st);
	assert_int_equal(weir_pack_adopt(dup(raw), dup(whole), &pack), 0);
	assert_int_equal(weir_pack_finish(pack, &a), 0);
	weir_pack_close(pack);
	assert_int_equal(weir_pack_adopt(dup(raw), dup(steps), &pack), 0);
	for (uint64_t end = 0; end < (uint64_t)st.st_size; end += 1000)
		assert_int_equal(weir_pack_advance(pack, end), 0);
	assert_int_equal(weir_pack_finish(pack, &b), 0);
	weir_pack_close(pack);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(a.events, SAMPLE_EVENTS(SAMPLE_ROUNDS) - 1);
	assert_int_equal(a.processes, 2);
	assert_int_equal(a.dropped, 2);
	assert_int_equal(a.damaged_blocks, 0);
	n = pread(whole, left, sizeof(left), 0);
	assert_int_equal(pread(steps, right, sizeof(right), 0), n);
	assert_memory_equal(left, right, (size_t)n);
	assert_true(a.bytes < (uint64_t)st.st_size / 2);
	close(raw);
	close(whole);
	close(steps);
}

/* A chunk that is in both files counts once; a later one goes on. */
static void a_second_file_goes_on_with_the_first(void **state)
{
	int first = sample_file(), second = sample_file();
	int packed = sample_file();
	static struct rawmaker maker, user;
	struct weir_event use = { .call = 22, .handle = 2, .start = 5000 };
	struct weir_pack_totals totals;
	struct weir_store *one, *two;
	struct weir_pack *pack;
	uint64_t losses;

	assert_int_equal(weir_store_adopt(dup(first), &one), 0);
	assert_int_equal(weir_store_adopt(dup(second), &two), 0);
	rawmaker_head(one, UINT64_C(1) << 32);
	rawmaker_dict(one);
	rawmaker_proc(one, 1, 100, "live");
	rawmaker_proc(two, 7, 100, "cut");
	rawmaker_start(&maker, one, 1, 1, 1000);
	rawmaker_open(&maker, 1, 3, 0, "/one");
	rawmaker_flush(&maker);
	rawmaker_start(&user, one, 1, 2, 5000);
	rawmaker_add(&user, &use);
	rawmaker_flush(&user);
	maker.store = two;
	maker.proc = 7;
	maker.sequence = 0;
	rawmaker_open(&maker, 1, 3, 0, "/one");
	rawmaker_flush(&maker);
	rawmaker_open(&maker, 2, 4, 0, "/two");
	rawmaker_flush(&maker);
	weir_store_close(one);
	weir_store_close(two);

	assert_int_equal(weir_pack_adopt(first, dup(packed), &pack), 0);
	assert_int_equal(weir_pack_continue(pack, second), 0);
	assert_int_equal(weir_pack_finish(pack, &totals), 0);
	weir_pack_close(pack);
	assert_int_equal(totals.processes, 1);
	assert_int_equal(totals.events, 3);
	assert_int_equal(count_events(packed, &losses), 3);
	assert_int_equal(losses, 0);
	expect_file(packed, 22, "/two");
	close(packed);
}

static void put_head(struct weir_store *store, const char *rest)
{
	char text[256];
	int used = snprintf(text, sizeof(text), "format=1\nmult=4294967296\n"
			    "tick0=0\nmono0=1000\n%s", rest);
	struct weir_block head = { .type = WEIR_BLOCK_HEAD,
				   .stored = (uint32_t)used };

	assert_int_equal(weir_store_append(store, &head, text), 0);
}

/* The collector knew clock and mounts; it was killed, the rest salvaged. */
static void a_second_file_leaves_what_the_first_knew(void **state)
{
	int first = sample_file(), second = sample_file();
	int packed = sample_file();
	const struct weir_nodeinfo *node;
	struct weir_pack_totals totals;
	struct weir_store *one, *two;
	struct weir_reader *reader;
	struct weir_pack *pack;

	assert_int_equal(weir_store_adopt(dup(first), &one), 0);
	assert_int_equal(weir_store_adopt(dup(second), &two), 0);
	put_head(one, "real0=5000\nclock_of=9\nclock_begin=1000 500 3\n"
		      "mount=lustre /scratch x:/y\n");
	rawmaker_dict(one);
	put_head(two, "real0=5100\n");
	weir_store_close(one);
	weir_store_close(two);
	assert_int_equal(weir_pack_adopt(first, dup(packed), &pack), 0);
	assert_int_equal(weir_pack_continue(pack, second), 0);
	assert_int_equal(weir_pack_finish(pack, &totals), 0);
	weir_pack_close(pack);
	assert_int_equal(weir_reader_open(sample_path(packed), &reader), 0);
	node = weir_reader_node(reader, 0);
	assert_int_equal(node->real0, 5100);
	assert_int_equal(node->clock.of, 9);
	assert_int_equal(weir_nodeinfo_day(node, 1000), 5500);
	assert_string_equal(weir_mounts_of(weir_reader_mounts(reader, 0),
					   "/scratch/x")->type,
			    "lustre");
	weir_reader_close(reader);
	close(packed);
}

static void a_missing_chunk_is_told(void **state)
{
	int raw = sample_file(), packed = sample_file();
	static struct rawmaker maker;
	struct weir_pack_totals totals;
	struct weir_store *store;
	struct weir_pack *pack;
	uint64_t losses;

	assert_int_equal(weir_store_adopt(dup(raw), &store), 0);
	rawmaker_head(store, UINT64_C(1) << 32);
	rawmaker_dict(store);
	rawmaker_start(&maker, store, 1, 1, 1000);
	rawmaker_open(&maker, 1, 3, 0, "/one");
	rawmaker_flush(&maker);
	maker.sequence++;
	rawmaker_open(&maker, 2, 4, 0, "/two");
	rawmaker_flush(&maker);
	weir_store_close(store);
	assert_int_equal(weir_pack_adopt(raw, dup(packed), &pack), 0);
	assert_int_equal(weir_pack_finish(pack, &totals), 0);
	weir_pack_close(pack);
	assert_int_equal(totals.events, 2);
	assert_int_equal(count_events(packed, &losses), 3);
	assert_int_equal(losses, 1);
	close(packed);
}

/* Many calls on a file that another thread has opened. */
static void use_much(struct rawmaker *user)
{
	struct weir_event use = { .call = 22, .handle = 2 };

	for (int i = 0; i < MANY; i++) {
		use.start = user->clock + 1;
		rawmaker_add(user, &use);
	}
	rawmaker_flush(user);
}

/* The opener's chunk stays open to the end, and is looked into. */
static void a_hint_lets_chunks_go_on(void **state)
{
	int raw = sample_file(), packed = sample_file();
	static struct rawmaker opener, user;
	struct weir_pack_totals totals;
	struct weir_store *store;
	struct weir_pack *pack;
	struct stat before, after;

	assert_int_equal(weir_store_adopt(dup(raw), &store), 0);
	rawmaker_head(store, UINT64_C(1) << 32);
	rawmaker_dict(store);
	rawmaker_proc(store, 1, 100, "live");
	rawmaker_start(&opener, store, 1, 1, 1000);
	rawmaker_open(&opener, 2, 4, 0, "/two");
	rawmaker_start(&user, store, 1, 2, 5000);
	use_much(&user);
	assert_int_equal(weir_pack_adopt(dup(raw), dup(packed), &pack), 0);
	assert_int_equal(weir_pack_advance(pack, UINT64_MAX), 0);
	assert_int_equal(weir_pack_wanting(pack), 1);
	fstat(packed, &before);
	assert_int_equal(weir_pack_hint(pack, 1, opener.words,
					opener.used * 8, opener.base), 0);
	use_much(&user);
	assert_int_equal(weir_pack_advance(pack, UINT64_MAX), 0);
	assert_int_equal(weir_pack_wanting(pack), 0);
	fstat(packed, &after);
	assert_true(after.st_size > before.st_size);
	rawmaker_flush(&opener);
	weir_store_close(store);
	assert_int_equal(weir_pack_finish(pack, &totals), 0);
	weir_pack_close(pack);
	assert_int_equal(totals.events, 2 * MANY + 1);
	expect_file(packed, 22, "/two");
	close(raw);
	close(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packing_may_go_along_with_writing),
		cmocka_unit_test(a_second_file_goes_on_with_the_first),
		cmocka_unit_test(a_second_file_leaves_what_the_first_knew),
		cmocka_unit_test(a_missing_chunk_is_told),
		cmocka_unit_test(a_hint_lets_chunks_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
