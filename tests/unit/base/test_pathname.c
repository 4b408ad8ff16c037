/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files that mean the same are spelt the same. */
#include "base/pathname.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names_become_the_same(void **state)
{
	static const char *const rows[][2] = {
		{ "/a/b.h5", "/a/b.h5" },   { "/a//b.h5", "/a/b.h5" },
		{ "//a/./b.h5", "/a/b.h5" }, { "/a/x/../b.h5", "/a/b.h5" },
		{ "/a/x/y/../../b", "/a/b" }, { "/../../b", "/b" },
		{ "/a/..", "/" },	     { "/", "/" },
		{ "", "" },		     { "./b.h5", "b.h5" },
		{ "../b.h5", "../b.h5" },    { "a/../../b", "../b" },
		{ "/a/b/", "/a/b" },	     { "/a/...", "/a/..." },
		{ "/a/*/../b", "/a/*/../b" }, { "*/./b", "*/b" },
		{ "/.a/..b/c", "/.a/..b/c" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[32];

		strcpy(path, rows[i][0]);
		weir_pathname_tidy(path);
		assert_string_equal(path, rows[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_become_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
