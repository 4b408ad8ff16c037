/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys: read, spelled, and what they make of names and numbers. */
#include "share/mask/secret.h"

#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char digits[] = "000102030405060708090a0b0c0d0e0f"
			     "101112131415161718191A1B1C1D1E1F";

/* A key in a file, with something before and behind it. */
static int load(const char *before, const char *text, const char *behind,
		struct weir_secret *to)
{
	char path[] = "/tmp/weir-key-XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	dprintf(fd, "%s%s%s", before, text, behind);
	close(fd);
	err = weir_secret_load(path, to);
	unlink(path);
	return err;
}

static void keys_are_read_and_spelled(void **state)
{
	struct weir_secret secret;
	char spelled[65];

	assert_int_equal(load("", digits, "", &secret), 0);
	assert_int_equal(load(" \t", digits, "\r\n", &secret), 0);
	for (int i = 0; i < 32; i++)
		assert_int_equal(secret.key[i], i);
	weir_secret_spell(&secret, spelled);
	assert_int_equal(strcasecmp(spelled, digits), 0);
	weir_secret_wipe(&secret);
	for (int i = 0; i < 32; i++)
		assert_int_equal(secret.key[i], 0);
}

static void what_is_no_key_is_refused(void **state)
{
	struct weir_secret secret;

	assert_int_equal(load("", "", "", &secret), -EINVAL);
	assert_int_equal(load("", "my password", "\n", &secret), -EINVAL);
	assert_int_equal(load("", digits, "0", &secret), -EINVAL);
	assert_int_equal(load("", digits, " 00", &secret), -EINVAL);
	assert_int_equal(load("", digits + 2, "", &secret), -EINVAL);
	assert_int_equal(load("x", digits, "", &secret), -EINVAL);
	assert_int_equal(weir_secret_load("/no/such/key", &secret), -ENOENT);
	assert_int_equal(weir_secret_load("/dev/zero", &secret), -EINVAL);
}

/* The figures are those of Python's hashlib.blake2b. */
static void words_and_numbers_are_blake2b(void **state)
{
	struct weir_secret secret;
	char word[WEIR_SECRET_WORD + 1];

	assert_int_equal(load("", digits, "", &secret), 0);
	weir_secret_word(&secret, "data.h5", 7, word);
	assert_string_equal(word, "dszqwcdr7fbw4ugw");
	assert_true(weir_secret_number(&secret, 'u', 1000) ==
		    UINT64_C(2992951944021674843));
	assert_false(weir_secret_number(&secret, 'g', 1000) ==
		     UINT64_C(2992951944021674843));
}

static void new_keys_differ(void **state)
{
	struct weir_secret one, two;
	char left[WEIR_SECRET_WORD + 1], right[WEIR_SECRET_WORD + 1];

	assert_int_equal(weir_secret_make(&one), 0);
	assert_int_equal(weir_secret_make(&two), 0);
	assert_memory_not_equal(&one, &two, sizeof(one));
	weir_secret_word(&one, "a", 1, left);
	weir_secret_word(&two, "a", 1, right);
	assert_string_not_equal(left, right);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_read_and_spelled),
		cmocka_unit_test(what_is_no_key_is_refused),
		cmocka_unit_test(words_and_numbers_are_blake2b),
		cmocka_unit_test(new_keys_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
