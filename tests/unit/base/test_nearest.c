/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses at mistyped words: good ones are made, wild ones are not. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *guess(const char *word)
{
	static const char *const known[] = { "output", "buffer", "format",
					     "process", "run" };
	struct weir_nearest near;

	weir_nearest_init(&near, word, strlen(word));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		weir_nearest_offer(&near, known[i]);
	return near.best;
}

static void flat_plans_are_understood(void **state)
{
	assert_string_equal(guess("ouptut"), "output");
	assert_string_equal(guess("outputs"), "output");
	assert_string_equal(guess("bufer"), "buffer");
	assert_string_equal(guess("fromat"), "format");
	assert_string_equal(guess("rn"), "run");
	assert_string_equal(guess("run"), "run");
}

static void beginnings_are_understood(void **state)
{
	assert_string_equal(guess("out"), "output");
	assert_string_equal(guess("proc"), "process");
}

static void nothing_is_guessed_from_nothing(void **state)
{
	assert_null(guess(""));
	assert_null(guess("x"));
	assert_null(guess("colour"));
	assert_null(guess("an-option-longer-than-any-known-word"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_plans_are_understood),
		cmocka_unit_test(beginnings_are_understood),
		cmocka_unit_test(nothing_is_guessed_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
