/* SPDX-License-Identifier: BSD-3-Clause */
/* Names are kept once; paths are joined and tidied by their text. */
#include "trace/event/names.h"

#include "check.h"
#include "trace/bytes/map.h"
#include "trace/event/pathjoin.h"
#include "trace/read/numbering.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void a_name_is_kept_once(void **state)
{
	struct weir_names names = { 0 };
	char name[32];
	uint32_t number = 0;
	size_t len;

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 1; i <= 1000; i++) {
			int n = snprintf(name, sizeof(name), "/n/%u", i);

			assert_int_equal(weir_names_add(&names, name,
							(size_t)n, &number), 0);
			assert_int_equal(number, i);
		}
	assert_int_equal(names.count, 1000);
	assert_string_equal(weir_names_get(&names, 1000, &len), "/n/1000");
	assert_int_equal(len, 7);
	assert_null(weir_names_get(&names, 0, &len));
	assert_null(weir_names_get(&names, 1001, &len));
	weir_names_fini(&names);
}

static uint32_t number_of(struct weir_names *names, const char *name)
{
	uint32_t number = 0;

	assert_int_equal(weir_names_add(names, name, strlen(name), &number),
			 0);
	return number;
}

static void names_go_on_from_others(void **state)
{
	struct weir_names base = { 0 }, names;
	size_t len;

	number_of(&base, "/a");
	number_of(&base, "/b");
	weir_names_init_upon(&names, &base);
	assert_int_equal(number_of(&names, "/b"), 2);
	assert_int_equal(number_of(&names, "/c"), 3);
	/* what comes to the base now has another number there */
	assert_int_equal(number_of(&base, "/d"), 3);
	assert_int_equal(number_of(&names, "/d"), 4);
	assert_int_equal(number_of(&names, "/c"), 3);
	assert_int_equal(names.count, 4);
	assert_string_equal(weir_names_get(&names, 1, &len), "/a");
	assert_string_equal(weir_names_get(&names, 3, &len), "/c");
	assert_string_equal(weir_names_get(&names, 4, &len), "/d");
	assert_int_equal(len, 2);
	assert_null(weir_names_get(&names, 5, &len));
	assert_in_range(weir_names_bytes(&names), 6, 100);
	for (int i = 0; i < 1000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "/%d", i);
		assert_int_equal(number_of(&names, name), 5 + i);
	}
	weir_names_fini(&names);
	assert_string_equal(weir_names_get(&base, 3, &len), "/d");
	weir_names_fini(&base);
}

static void names_are_bounded(void **state)
{
	struct weir_names names = { .most = 4096 };
	char name[1000] = "/n";
	uint32_t number = 0, count;
	int err = 0;

	for (count = 0; !err; count++) {
		memset(name, 'a' + (int)count, sizeof(name));
		err = weir_names_add(&names, name, sizeof(name), &number);
	}
	assert_int_equal(err, -EFBIG);
	assert_int_equal(names.count, 4);
	/* what is there already is known still */
	memset(name, 'b', sizeof(name));
	assert_int_equal(weir_names_add(&names, name, sizeof(name), &number),
			 0);
	assert_int_equal(number, 2);
	weir_names_fini(&names);
}

static void numbers_are_told_back(void **state)
{
	static const uint64_t far[] = { 0, 63, 64, UINT32_MAX, UINT64_MAX };
	struct weir_numbering numbering = { 0 };

	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(weir_numbering_put(&numbering, far[i], i + 7),
				 0);
	for (uint32_t i = 1; i < 1000; i++)
		assert_int_equal(weir_numbering_put(&numbering, 1000 + i, i),
				 0);
	assert_int_equal(weir_numbering_put(&numbering, 64, 1), 0);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(weir_numbering_get(&numbering, far[i]),
				 i == 2 ? 1 : i + 7);
	for (uint32_t i = 1; i < 1000; i++)
		assert_int_equal(weir_numbering_get(&numbering, 1000 + i), i);
	assert_int_equal(weir_numbering_get(&numbering, 65), 0);
	assert_int_equal(weir_numbering_get(&numbering, 1u << 20), 0);
	weir_numbering_fini(&numbering);
}

static void paths_are_joined_by_their_text(void **state)
{
	static const struct {
		const char *base, *path, *joined;
	} rows[] = {
		{ "/a", "b", "/a/b" },
		{ "/a/b", "../c", "/a/c" },
		{ "/a", "../../../c", "/c" },
		{ "/a", "/b//c/./d/", "/b/c/d" },
		{ "/a", "..", "/" },
		{ "/", "x", "/x" },
		{ "/a", "...", "/a/..." },
		{ "/a", ".b/..c", "/a/.b/..c" },
		{ NULL, "x/../y", "x/../y" },
		{ "pipe:[1]", "x", "x" },
	};
	struct weir_bytes joined = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weir_path base = { rows[i].base, rows[i].base ?
					  strlen(rows[i].base) : 0 };
		struct weir_path path = { rows[i].path, strlen(rows[i].path) };

		assert_int_equal(weir_pathjoin_make(base, path, &joined), 0);
		assert_int_equal(joined.used, strlen(rows[i].joined));
		assert_memory_equal(joined.data, rows[i].joined, joined.used);
	}
	weir_bytes_fini(&joined);
}

static void a_map_keeps_all_keys(void **state)
{
	struct weir_map map = { 0 };

	assert_true(weir_map_get(&map, 5) == 0);
	for (uint64_t i = 0; i < 10000; i++)
		assert_int_equal(weir_map_put(&map, i << 32, i + 1), 0);
	for (uint64_t i = 0; i < 10000; i++)
		assert_true(weir_map_get(&map, i << 32) == i + 1);
	assert_true(weir_map_get(&map, 1) == 0);
	weir_map_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_kept_once),
		cmocka_unit_test(names_go_on_from_others),
		cmocka_unit_test(names_are_bounded),
		cmocka_unit_test(numbers_are_told_back),
		cmocka_unit_test(paths_are_joined_by_their_text),
		cmocka_unit_test(a_map_keeps_all_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
