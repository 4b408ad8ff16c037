/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents are those of a model that has a mark for every byte. */
#include "capture/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 3000

static uint8_t model[BYTES];
static struct weir_written written;

static void start_anew(void)
{
	memset(model, 0, sizeof(model));
	weir_written_clear(&written);
}

static void add(uint64_t from, uint64_t to)
{
	memset(model + from, 1, to - from);
	weir_written_add(&written, from, to);
}

static uint64_t first_mark(uint64_t from, uint64_t to, int mark)
{
	while (from < to && model[from] != mark)
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
	uint8_t said[BYTES] = { 0 };
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
	assert_memory_equal(said, model, BYTES);
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
		assert_false(written.is_coarse);
	}
}

static void what_is_cut_is_gone(void **state)
{
	for (uint64_t at = 0; at < 400; at++) {
		start_anew();
		for (uint64_t i = 0; i < 30; i++)
			add(i * 10, i * 10 + 1 + i % 7);
		weir_written_cut(&written, at);
		memset(model + at, 0, BYTES - at);
		assert_found(0, BYTES);
		assert_told();
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

static void too_many_are_joined(void **state)
{
	struct weir_extent part;
	uint64_t count = 3 * WEIR_WRITTEN_MOST;

	weir_written_clear(&written);
	for (uint64_t i = 0; i < count; i++)
		weir_written_add(&written, i * 100, i * 100 + 1);
	assert_true(written.is_coarse);
	assert_true(written.count <= WEIR_WRITTEN_MOST);
	for (uint64_t i = 0; i < count; i += 97)
		assert_true(weir_written_find(&written, i * 100, i * 100 + 1,
					      &part));
	weir_written_clear(&written);
	assert_false(weir_written_find(&written, 0, UINT64_MAX, &part));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_is_as_the_model_says),
		cmocka_unit_test(what_is_cut_is_gone),
		cmocka_unit_test(strides_are_told_as_such),
		cmocka_unit_test(short_text_holds_more),
		cmocka_unit_test(too_many_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
