/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents are those of a model that has a mark for every byte. */
#include "capture/digests/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 3000

static uint8_t model[BYTES]; /* what is there; 0: nothing */
static struct weir_written written;
static struct weir_digest sum, cover;
static uint64_t bytes, replaced;
static bool is_inexact;

static void start_anew(void)
{
	memset(model, 0, sizeof(model));
	weir_written_clear(&written);
	sum = cover = (struct weir_digest){ 0 };
	bytes = replaced = 0;
	is_inexact = false;
}

static void take_away(const struct weir_written_old *old)
{
	weir_digest_sub(&sum, &old->sum);
	weir_digest_sub(&cover, &old->cover);
	bytes -= old->bytes;
	is_inexact |= old->is_inexact;
}

/* As who is about to overwrite a range does. */
static void learn(uint64_t from, uint64_t to)
{
	struct weir_extent part;

	while (weir_written_blind(&written, from, to, &part)) {
		struct weir_digest there = { 0 };

		weir_digest_add(&there, part.from, model + part.from,
				part.to - part.from);
		weir_written_learn(&written, part, &there);
		from = part.to;
	}
}

static void put(uint64_t from, uint64_t to, bool joins)
{
	struct weir_piece piece = { .from = from, .to = to };
	struct weir_written_old old;

	if (from == to)
		return;
	for (uint64_t i = from; i < to; i++)
		model[i] = (uint8_t)(1 + random() % 255);
	weir_digest_add(&piece.sum, from, model + from, to - from);
	if (!joins && weir_written_replace(&written, &piece, &old.sum)) {
		weir_digest_sub(&sum, &old.sum);
		weir_digest_sum(&sum, &piece.sum);
		replaced++;
		return;
	}
	weir_written_put(&written, &piece, joins, &old);
	take_away(&old);
	weir_digest_sum(&sum, &piece.sum);
	weir_digest_cover(&cover, from, to - from);
	bytes += to - from;
}

static void add(uint64_t from, uint64_t to)
{
	learn(from, to);
	put(from, to, random() % 2);
}

/* The sum is that of all bytes of the model, and so on. */
static void assert_summed(void)
{
	struct weir_digest whole = { 0 }, ones = { 0 };
	uint64_t count = 0;

	weir_digest_add(&whole, 0, model, BYTES);
	for (uint64_t i = 0; i < BYTES; i++)
		if (model[i]) {
			weir_digest_cover(&ones, i, 1);
			count++;
		}
	assert_false(is_inexact);
	assert_int_equal(bytes, count);
	assert_true(weir_digest_equal(&sum, &whole));
	assert_true(weir_digest_equal(&cover, &ones));
}

static uint64_t first_mark(uint64_t from, uint64_t to, int mark)
{
	while (from < to && (model[from] != 0) != mark)
		from++;
	return from;
}

/* Every part of a range is found, one after the other, and no more. */
static void assert_found(uint64_t from, uint64_t to)
{
	struct weir_extent part;

	while (from < to) {
		uint64_t first = first_mark(from, to, 1);
		uint64_t last = first_mark(first, to, 0);
		bool found = weir_written_find(&written, from, to, &part);

		assert_int_equal(found, first < to);
		if (!found)
			return;
		assert_int_equal(part.from, first);
		assert_int_equal(part.to, last);
		from = last;
	}
}

/* The text says the same. */
static void assert_told(void)
{
	static char text[100000];
	uint8_t said[BYTES] = { 0 }, marks[BYTES];
	uint64_t count, stride;

	assert_true(weir_written_tell(&written, text, sizeof(text)));
	for (char *at = text; *at; at += *at == ',') {
		uint64_t from = strtoull(at, &at, 10);
		uint64_t to = strtoull(at + 1, &at, 10);

		count = *at == '*' ? strtoull(at + 1, &at, 10) : 1;
		stride = *at == '/' ? strtoull(at + 1, &at, 10) : 0;
		for (; count; count--, from += stride, to += stride)
			memset(said + from, 1, to - from);
	}
	for (int i = 0; i < BYTES; i++)
		marks[i] = model[i] != 0;
	assert_memory_equal(said, marks, BYTES);
}

static void any_order_is_as_the_model_says(void **state)
{
	srandom(7);
	for (int round = 0; round < 200; round++) {
		int pieces = 1 + round % 300;

		start_anew();
		for (int i = 0; i < pieces; i++) {
			uint64_t from = (uint64_t)random() % (BYTES - 20);

			add(from, from + (uint64_t)random() % 20);
		}
		assert_found(0, BYTES);
		assert_found(1000, 1037);
		assert_told();
		assert_summed();
		assert_false(weir_written_is_coarse(&written));
	}
}

/* Nothing has to be read of what is written again as it was. */
static void the_same_again_needs_no_reading(void **state)
{
	struct weir_extent part;

	start_anew();
	for (int round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 300; i++) {
			assert_false(weir_written_blind(
				&written, i * 10, i * 10 + 1 + i % 10, &part));
			put(i * 10, i * 10 + 1 + i % 10, false);
		}
	assert_summed();
	assert_int_equal(written.pieces.count, 300);
	assert_int_equal(replaced, 600);
}

/* What was not read before is not known, and that is said. */
static void what_is_not_read_is_inexact(void **state)
{
	start_anew();
	put(100, 200, false);
	put(150, 160, false);
	assert_true(is_inexact);
	assert_found(0, BYTES);
	start_anew();
	put(100, 200, false);
	learn(150, 160);
	put(150, 160, false);
	assert_summed();
	put(0, 400, false);
	assert_true(is_inexact);
}

static void what_is_cut_is_gone(void **state)
{
	struct weir_written_old old;

	for (uint64_t at = 0; at < 400; at++) {
		start_anew();
		for (uint64_t i = 0; i < 30; i++)
			add(i * 10, i * 10 + 1 + i % 7);
		learn(at, UINT64_MAX);
		weir_written_take(&written, at, UINT64_MAX, &old);
		take_away(&old);
		memset(model + at, 0, BYTES - at);
		assert_found(0, BYTES);
		assert_told();
		assert_summed();
	}
}

static void strides_are_told_as_such(void **state)
{
	char text[400];

	start_anew();
	for (uint64_t i = 0; i < 100; i++)
		add(i * 20 + 3, i * 20 + 8);
	assert_true(weir_written_tell(&written, text, sizeof(text)));
	assert_string_equal(text, "3-8*100/20");
}

/* Without room for all, more is said and never less. */
static void short_text_holds_more(void **state)
{
	char text[300];
	unsigned long long last = 0;

	start_anew();
	for (uint64_t i = 0; i < 200; i++)
		add(i * 10, i * 10 + 1 + i % 7);
	assert_false(weir_written_tell(&written, text, sizeof(text)));
	sscanf(strrchr(text, '-'), "-%llu", &last);
	assert_int_equal(last, 199 * 10 + 1 + 199 % 7);
	assert_true(strlen(text) < sizeof(text));
}

/* Not from the front to the back: blocks are split. */
#define STEP UINT64_C(7919) /* prime */

static void put_one(uint64_t place)
{
	struct weir_piece piece = { .from = place, .to = place + 1 };
	struct weir_written_old old;

	weir_digest_cover(&piece.sum, place, 1);
	weir_written_put(&written, &piece, false, &old);
	take_away(&old);
	weir_digest_sum(&sum, &piece.sum);
}

static void assert_all_found(uint64_t count)
{
	struct weir_extent part;

	for (uint64_t i = 0; i < count; i += 97)
		assert_true(weir_written_find(&written, i * 100, i * 100 + 1,
					      &part));
}

static void too_many_are_joined(void **state)
{
	uint64_t most = WEIR_PIECELIST_BLOCK * WEIR_PIECELIST_BLOCKS;
	uint64_t count = 3 * most;

	start_anew();
	for (uint64_t i = 0; i < count; i++)
		put_one(i * 100);
	assert_true(weir_written_is_coarse(&written));
	assert_true(written.pieces.count <= most);
	assert_all_found(count);
	assert_false(is_inexact);
	put_one(500);
	assert_true(is_inexact);
}

static void some_thousands_are_exact(void **state)
{
	struct weir_digest once = { 0 };
	uint64_t count = 100003;

	start_anew();
	for (uint64_t i = 0; i < 2 * count; i++)
		put_one(i * STEP % count * 100);
	for (uint64_t i = 0; i < count; i++)
		weir_digest_cover(&once, i * 100, 1);
	assert_true(weir_digest_equal(&sum, &once));
	assert_int_equal(written.pieces.count, count);
	assert_false(is_inexact || weir_written_is_coarse(&written));
	assert_all_found(count);
}

/* Pieces that touch are one, if there is no room for all. */
static void rows_are_never_coarse(void **state)
{
	uint64_t most = WEIR_PIECELIST_BLOCK * WEIR_PIECELIST_BLOCKS;
	struct weir_extent part;

	start_anew();
	for (uint64_t i = 0; i < 3 * most; i++)
		put_one(i);
	assert_false(weir_written_is_coarse(&written));
	assert_true(weir_written_find(&written, 0, UINT64_MAX, &part));
	assert_int_equal(part.to, 3 * most);
	start_anew();
	assert_false(weir_written_find(&written, 0, UINT64_MAX, &part));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_is_as_the_model_says),
		cmocka_unit_test(what_is_cut_is_gone),
		cmocka_unit_test(strides_are_told_as_such),
		cmocka_unit_test(short_text_holds_more),
		cmocka_unit_test(the_same_again_needs_no_reading),
		cmocka_unit_test(what_is_not_read_is_inexact),
		cmocka_unit_test(too_many_are_joined),
		cmocka_unit_test(some_thousands_are_exact),
		cmocka_unit_test(rows_are_never_coarse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
