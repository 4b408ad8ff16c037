/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of Lustre: every form, either byte order, and nonsense. */
#include "base/lov.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define V1	  0x0bd10bd0
#define V3	  0x0bd30bd0
#define COMPOSITE 0x0bd60bd0
#define ANY	  UINT64_MAX

/* A layout that is being made. */
struct made {
	uint8_t bytes[4096];
	size_t size;
	bool big;
};

static void put(struct made *made, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		size_t shift = made->big ? bytes - 1 - i : i;

		made->bytes[made->size++] = (uint8_t)(value >> 8 * shift);
	}
}

/* Stripes lie on OSTs from `first` on. */
static void put_plain(struct made *made, uint32_t count, uint32_t first,
		      const char *pool)
{
	put(made, pool ? V3 : V1, 4);
	put(made, 1, 4); /* pattern */
	put(made, 0x1111, 8);
	put(made, 0x2222, 8);
	put(made, 1048576, 4);
	put(made, count, 2);
	put(made, 7, 2); /* generation, and not the first OST */
	for (size_t i = 0; pool && i < 16; i++)
		put(made, (uint8_t)(i < strlen(pool) ? pool[i] : 0), 1);
	for (uint32_t i = 0; i < count && i < 4; i++) {
		put(made, 0x3333, 8);
		put(made, 0x4444, 8);
		put(made, 0, 4);
		put(made, first + i, 4);
	}
}

static void put_entry(struct made *made, uint64_t from, uint64_t to,
		      uint32_t at, uint32_t bytes)
{
	put(made, 1, 4);
	put(made, 0x10, 4);
	put(made, from, 8);
	put(made, to, 8);
	put(made, at, 4);
	put(made, bytes, 4);
	put(made, 0, 16); /* generation, time, … */
}

static void put_composite(struct made *made, uint32_t count)
{
	put(made, COMPOSITE, 4);
	put(made, 0, 4); /* bytes of all */
	put(made, 3, 4);
	put(made, 0, 2);
	put(made, count, 2);
	put(made, 0, 16);
}

/* Copied, so that a byte too far is seen by who watches memory. */
static const char *told(const struct made *made, size_t size)
{
	static char text[WEIR_LOV_TEXT];
	void *copy = malloc(size ? size : 1);

	memcpy(copy, made->bytes, size);
	memset(text, 'x', sizeof(text));
	weir_lov_describe(copy, size, text);
	free(copy);
	assert_non_null(memchr(text, 0, sizeof(text)));
	return text;
}

static void plain_layouts_are_told(void **state)
{
	for (int big = 0; big < 2; big++) {
		struct made v1 = {.big = big}, v3 = {.big = big};
		struct made all = {.big = big};

		put_plain(&v1, 4, 2, NULL);
		assert_string_equal(told(&v1, v1.size),
				    "size=1048576 count=4 first=2");
		put_plain(&v3, 1, 65536, "flash_1");
		assert_string_equal(
			told(&v3, v3.size),
			"size=1048576 count=1 first=65536 pool=flash_1");
		/* A directory's default has no objects. */
		put_plain(&all, 0xffff, 0, "");
		assert_string_equal(told(&all, 48), "size=1048576 count=-1");
	}
}

static void pools_are_cut_at_what_is_no_letter(void **state)
{
	struct made made = {.size = 0};

	put_plain(&made, 0, 0, "sixteen-letters!");
	assert_string_equal(told(&made, made.size),
			    "size=1048576 count=0 pool=sixteen-letters");
	memset(made.bytes + 32, 'a', 16);
	assert_string_equal(told(&made, made.size),
			    "size=1048576 count=0 pool=aaaaaaaaaaaaaaaa");
}

static void other_patterns_are_told(void **state)
{
	struct made made = {.size = 0};

	put_plain(&made, 0, 0, NULL);
	made.bytes[4] = 0;
	made.bytes[5] = 1; /* on the metadata server */
	assert_string_equal(told(&made, made.size),
			    "size=1048576 count=0 pattern=256");
}

static void parts_of_a_composite_are_told(void **state)
{
	for (int big = 0; big < 2; big++) {
		struct made made = {.big = big}, one = {.big = big};

		put_plain(&one, 1, 5, NULL);
		put_composite(&made, 2);
		put_entry(&made, 0, 65536, 32 + 96, (uint32_t)one.size);
		put_entry(&made, 65536, ANY, (uint32_t)(32 + 96 + one.size),
			  48 + 2 * 24);
		put_plain(&made, 1, 5, NULL);
		put_plain(&made, 2, 9, "p");
		assert_string_equal(
			told(&made, made.size),
			"parts=2; extent=0-65536 size=1048576 count=1 first=5; "
			"extent=65536- size=1048576 count=2 first=9 pool=p");
		/* Where the second one's text begins it ends when cut. */
		assert_string_equal(told(&made, 32 + 96 + one.size + 8),
				    "parts=2; extent=0-65536 size=1048576 "
				    "count=1 first=5; extent=65536-");
		for (size_t cut = 0; cut <= made.size; cut++)
			told(&made, cut);
	}
}

static void every_length_is_survived(void **state)
{
	struct made made = {.size = 0};

	put_plain(&made, 4, 2, "pool");
	for (size_t cut = 0; cut <= made.size; cut++) {
		const char *text = told(&made, cut);

		if (cut < 48)
			assert_string_equal(text, "");
		else if (cut < 48 + 24)
			assert_string_equal(text,
					    "size=1048576 count=4 pool=pool");
		else
			assert_string_equal(
				text, "size=1048576 count=4 first=2 pool=pool");
	}
}

/* The text of as many parts as there can be has its room. */
static void many_parts_fit(void **state)
{
	struct made made = {.size = 0};

	put_composite(&made, 0xffff);
	for (int i = 0; i < 20; i++)
		put_entry(&made, ANY - 2, ANY - 1, 32 + 20 * 48, 48 + 24);
	put_plain(&made, 0xfffe, UINT32_MAX, "aaaaaaaaaaaaaaaa");
	memset(made.bytes + 32 + 20 * 48 + 4, 0xff, 4);	 /* pattern */
	memset(made.bytes + 32 + 20 * 48 + 24, 0xff, 4); /* size */
	assert_int_equal(strlen(told(&made, made.size)), WEIR_LOV_TEXT - 1);
}

static void nonsense_is_survived(void **state)
{
	static const uint32_t forms[] = {V1, V3, COMPOSITE, 0, 0x0bd70bd0};
	unsigned int seed = 5;

	for (int i = 0; i < 100000; i++) {
		struct made made = {.big = i & 1};
		size_t size = (size_t)rand_r(&seed) % 512;

		put(&made, forms[i % 5], 4);
		while (made.size < size)
			put(&made, (uint64_t)rand_r(&seed) >> 3, 1);
		/* Few parts, that lie near. */
		if (i & 2)
			for (size_t at = 14; at < size; at += 4)
				made.bytes[at + 1] = made.bytes[at + 2] = 0;
		assert_true(strlen(told(&made, size)) < WEIR_LOV_TEXT);
		if (forms[i % 5] == 0)
			assert_string_equal(told(&made, size), "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_layouts_are_told),
		cmocka_unit_test(pools_are_cut_at_what_is_no_letter),
		cmocka_unit_test(other_patterns_are_told),
		cmocka_unit_test(parts_of_a_composite_are_told),
		cmocka_unit_test(every_length_is_survived),
		cmocka_unit_test(many_parts_fit),
		cmocka_unit_test(nonsense_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
