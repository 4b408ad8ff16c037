/* SPDX-License-Identifier: BSD-3-Clause */
/* A file written anew tells the same, but for what is hidden. */
#include "share/rewrite.h"

#include "check.h"
#include "sample.h"
#include "trace/file/blocks.h"
#include "trace/event/detail.h"
#include "trace/read/reader.h"
#include "trace/file/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 250
#ifndef FLIPS
#define FLIPS 10000
#endif

static const struct weir_mask mask = {.secret.key = {9, 8, 7}};

/* Writes a file anew into a memory file; what was met goes to `account`. */
static int rewrite(int from, struct weir_rewrite *job)
{
	struct weir_store *store;
	int to = sample_file(), err;

	assert_int_equal(weir_store_adopt(dup(to), &store), 0);
	err = weir_rewrite_file(job, from, store);
	assert_true(!err || err == -ENOTSUP);
	weir_store_close(store);
	return to;
}

static struct weir_reader *open_reader(int fd)
{
	struct weir_reader *reader;

	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	return reader;
}

/* All but details and names. */
static void check_same(const struct weir_event *a, const struct weir_event *b)
{
	assert_true(a->start == b->start && a->dur == b->dur);
	assert_true(a->index == b->index && a->proc == b->proc);
	assert_int_equal(a->thread, b->thread);
	assert_int_equal(a->call, b->call);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->depth, b->depth);
	assert_int_equal(a->fd, b->fd);
	assert_int_equal(a->file, b->file);
	assert_int_equal(a->handle, b->handle);
	assert_true(a->off == b->off && a->size == b->size);
	assert_true(a->ret == b->ret && a->err == b->err);
}

/* Where memory was is left out, how much there was stays. */
static void check_vector(struct weir_value a, struct weir_value b)
{
	uint64_t base, length, other_length;

	while (weir_detail_next_pair(&a, &base, &length)) {
		assert_int_equal(weir_detail_next_pair(&b, &base,
						       &other_length), 1);
		assert_true(!base && length == other_length);
	}
	assert_int_equal(weir_detail_next_pair(&b, &base, &length), 0);
}

/* Of a value only what is hidden may differ; texts keep their slashes. */
static void check_value(const struct weir_value *a, const struct weir_value *b)
{
	size_t slashes[2] = {0};

	assert_int_equal(a->given, b->given);
	assert_true(a->number == b->number);
	for (size_t i = 0; i < a->text_len; i++)
		slashes[0] += a->text[i] == '/';
	for (size_t i = 0; i < b->text_len; i++)
		slashes[1] += b->text[i] == '/';
	assert_int_equal(slashes[0], slashes[1]);
	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		int is_hidden = memchr("\0\1\4\5\6", i, 5) != NULL;

		assert_int_equal(a->stat[i] != b->stat[i],
				 is_hidden && a->stat[i]);
	}
	check_vector(*a, *b);
}

static void check_details(const struct weir_event *a,
			  const struct weir_event *b,
			  const struct weir_call *call)
{
	struct weir_detail left, right;
	struct weir_value one, other;

	if (!call)
		return;
	weir_detail_start(&left, a, call);
	weir_detail_start(&right, b, call);
	while (weir_detail_next(&left, &one)) {
		assert_int_equal(weir_detail_next(&right, &other), 1);
		check_value(&one, &other);
	}
}

static void all_but_names_is_the_same(void **state)
{
	struct weir_rewrite job = {.mask = &mask};
	int from = sample_packed(ROUNDS), to = rewrite(from, &job);
	struct weir_reader *a = open_reader(from), *b = open_reader(to);
	struct weir_event left, right;
	uint64_t count = 0;

	while (weir_reader_next(a, &left) > 0) {
		assert_int_equal(weir_reader_next(b, &right), 1);
		check_same(&left, &right);
		check_details(&left, &right, weir_reader_call(a, &left));
		count += left.call < WEIR_NOTE_FIRST;
	}
	assert_int_equal(weir_reader_next(b, &right), 0);
	assert_true(count == job.account.events && count > ROUNDS);
	assert_false(weir_reader_is_damaged(b));
	assert_int_equal(weir_reader_names(a), weir_reader_names(b));
	assert_int_equal(job.account.damaged_blocks, 0);
	assert_int_equal(job.account.unknown.lines, 0);
	assert_int_equal(job.account.unknown_details, 0);
	assert_int_equal(job.account.unended, 0);
	weir_reader_close(a);
	weir_reader_close(b);
	close(from);
	close(to);
}

/* Everything a file says, unpacked, in one row of bytes. */
static void unfold(int fd, struct weir_bytes *to)
{
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	struct weir_zip zip = {0};
	struct weir_bytes one = {0};

	weir_blocks_init(&blocks, fd);
	while (weir_blocks_next(&blocks, UINT64_MAX, &found) > 0) {
		if (!weir_blocks_load(fd, &found, &zip, &one))
			weir_bytes_add(to, one.data, one.used);
	}
	weir_blocks_fini(&blocks);
	weir_bytes_fini(&one);
	weir_zip_fini(&zip);
}

static int says(const struct weir_bytes *bytes, const char *word)
{
	return memmem(bytes->data, bytes->used, word, strlen(word)) != NULL;
}

/* Words of the sample: in names, a program, a directory, an argument. */
static const char *const words[] = {"app",	 "/home",  "user",
				    "lines 100", "node01", NULL};

static void nothing_is_left_of_it(void **state)
{
	struct weir_rewrite job = {.mask = &mask}, bare = {.mask = NULL};
	int from = sample_packed(ROUNDS), to = rewrite(from, &job);
	int copy = rewrite(from, &bare);
	struct weir_bytes hidden = {0}, copied = {0};
	int found = 0;

	unfold(to, &hidden);
	unfold(copy, &copied);
	for (int i = 0; words[i]; i++) {
		assert_false(says(&hidden, words[i]));
		found += says(&copied, words[i]);
	}
	assert_true(found == 5);
	weir_bytes_fini(&hidden);
	weir_bytes_fini(&copied);
	close(from);
	close(to);
	close(copy);
}

static void append(int fd, uint32_t type, const char *text)
{
	struct weir_block head = {.type = type,
				  .stored = (uint32_t)strlen(text)};
	struct weir_store *store;

	assert_int_equal(weir_store_adopt(dup(fd), &store), 0);
	assert_int_equal(weir_store_append(store, &head, text), 0);
	weir_store_close(store);
}

static void what_is_not_known_is_left_out(void **state)
{
	struct weir_rewrite job = {.mask = &mask}, bare = {.mask = NULL};
	int from = sample_packed(3), to, copy;
	struct weir_bytes hidden = {0}, copied = {0};

	append(from, 77, "hugo was here");
	append(from, WEIR_BLOCK_PROC, "pid=7\nenv=HOME=hugo\n");
	append(from, WEIR_BLOCK_PROC, "state=hugo/was/here\n");
	append(from, WEIR_BLOCK_DICT, "# hugo\nlayer posix\n");
	to = rewrite(from, &job);
	copy = rewrite(from, &bare);
	unfold(to, &hidden);
	unfold(copy, &copied);
	assert_false(says(&hidden, "hugo"));
	assert_true(says(&copied, "hugo was here"));
	assert_true(says(&copied, "env=HOME=hugo"));
	assert_int_equal(job.account.unknown_blocks, 1);
	assert_int_equal(job.account.unknown.lines, 3);
	assert_string_equal(job.account.unknown.first, "env");
	weir_bytes_fini(&hidden);
	weir_bytes_fini(&copied);
	close(from);
	close(to);
	close(copy);
}

/* More in one block than fits one once it is hidden. */
static void long_blocks_are_divided(void **state)
{
	enum { NAMES = 40000 };
	struct weir_block head = {.type = WEIR_BLOCK_NAMES,
				  .first = 1,
				  .count = NAMES,
				  .stored = 8 * NAMES};
	struct weir_rewrite job = {.mask = &mask};
	char *names = malloc(head.stored + 1);
	int from = sample_file(), to;
	struct weir_store *store;
	struct weir_reader *reader;
	size_t len;

	for (int i = 0; i < NAMES; i++)
		sprintf(names + 8 * i, "%c/a/%04x", 7, i);
	assert_int_equal(weir_store_adopt(dup(from), &store), 0);
	assert_int_equal(weir_store_append(store, &head, names), 0);
	weir_store_close(store);
	to = rewrite(from, &job);
	reader = open_reader(to);
	assert_int_equal(weir_reader_names(reader), NAMES);
	assert_non_null(weir_reader_name(reader, NAMES, &len));
	assert_int_equal(len, 2 + 2 * WEIR_SECRET_WORD);
	weir_reader_close(reader);
	free(names);
	close(from);
	close(to);
}

static void a_later_format_is_refused(void **state)
{
	struct weir_rewrite job = {.mask = &mask};
	int from = sample_file(), to = sample_file();
	struct weir_store *store;

	append(from, WEIR_BLOCK_HEAD, "format=99\nmult=4294967296\n");
	assert_int_equal(weir_store_adopt(to, &store), 0);
	assert_int_equal(weir_rewrite_file(&job, from, store), -ENOTSUP);
	weir_store_close(store);
	close(from);
}

/* Never a crash, never a word in clear, and losses are told. */
static void any_damage_is_survived(void **state)
{
	int from = sample_packed(20);
	struct weir_bytes hidden = {0};
	unsigned int seed = 11;
	struct stat st;

	fstat(from, &st);
	for (int i = 0; i < FLIPS; i++) {
		off_t at = i < st.st_size ? i : rand_r(&seed) % st.st_size;
		struct weir_rewrite job = {.mask = &mask};
		uint8_t was, is;
		int to;

		assert_int_equal(pread(from, &was, 1, at), 1);
		is = was ^ (uint8_t)(1 + rand_r(&seed) % 255);
		assert_int_equal(pwrite(from, &is, 1, at), 1);
		to = rewrite(from, &job);
		hidden.used = 0;
		unfold(to, &hidden);
		for (int w = 0; words[w]; w++)
			assert_false(says(&hidden, words[w]));
		assert_int_equal(pwrite(from, &was, 1, at), 1);
		close(to);
	}
	weir_bytes_fini(&hidden);
	close(from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_but_names_is_the_same),
		cmocka_unit_test(nothing_is_left_of_it),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(long_blocks_are_divided),
		cmocka_unit_test(a_later_format_is_refused),
		cmocka_unit_test(any_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
