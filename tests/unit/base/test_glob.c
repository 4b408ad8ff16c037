/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns match what fnmatch() says they match, and end in time. */
#include "base/glob.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void plain_cases_match(void **state)
{
	assert_true(weir_glob_matches("", ""));
	assert_true(weir_glob_matches("*", ""));
	assert_true(weir_glob_matches("/dev/*", "/dev/shm/a"));
	assert_false(weir_glob_matches("/dev/*", "/device"));
	assert_true(weir_glob_matches("*.so.[0-9]*", "/lib/x.so.6"));
	assert_false(weir_glob_matches("*.so.[!0-9]*", "/lib/x.so.6"));
	assert_true(weir_glob_matches("a\\*b", "a*b"));
	assert_false(weir_glob_matches("a\\*b", "axb"));
	assert_true(weir_glob_matches("a[b", "a[b"));
	assert_true(weir_glob_matches("[]]", "]"));
	assert_false(weir_glob_matches("?", ""));
}

static void last_components_match(void **state)
{
	assert_true(weir_glob_matches_path("core.*", "/var/tmp/core.12"));
	assert_false(weir_glob_matches_path("tmp/core.*", "/var/tmp/core.12"));
	assert_true(weir_glob_matches_path("*/tmp/core.*", "/var/tmp/core.1"));
	assert_false(weir_glob_matches_path("core", "/core/file"));
}

/* The letters are few, so that much matches. */
static void random_text(char *to, const char *letters, unsigned *seed)
{
	int len = rand_r(seed) % 9;

	for (int i = 0; i < len; i++)
		to[i] = letters[(size_t)rand_r(seed) % strlen(letters)];
	to[len] = 0;
}

static void agrees_with_libc(void **state)
{
	unsigned seed = 1, matched = 0;
	char pattern[16], text[16];

	for (int i = 0; i < 300000; i++) {
		bool ours;

		random_text(pattern, "ab/*?", &seed);
		random_text(text, "ab/", &seed);
		ours = weir_glob_matches(pattern, text);
		matched += ours;
		assert_int_equal(ours, !fnmatch(pattern, text, 0));
	}
	assert_true(matched > 1000);
}

/* Takes for ever when each * is tried again for all of its predecessors. */
static void many_stars_end(void **state)
{
	char pattern[256] = "", text[4096];

	for (int i = 0; i < 60; i++)
		strcat(pattern, "*a");
	strcat(pattern, "b");
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	assert_false(weir_glob_matches(pattern, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_cases_match),
		cmocka_unit_test(last_components_match),
		cmocka_unit_test(agrees_with_libc),
		cmocka_unit_test(many_stars_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
