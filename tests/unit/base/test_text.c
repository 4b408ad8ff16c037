/* SPDX-License-Identifier: BSD-3-Clause */
/* Text output: numbers, hostile names, long runs and a full disk. */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static struct weir_text text;
static char written[4096];

static int begin(void **state)
{
	int fd = memfd_create("text", 0);

	assert_true(fd >= 0);
	assert_int_equal(weir_text_init(&text, fd), 0);
	return 0;
}

static int end(void **state)
{
	close(text.fd);
	weir_text_fini(&text);
	return 0;
}

/* What has been written since the last time. */
static const char *take(void)
{
	ssize_t got;

	assert_int_equal(weir_text_flush(&text), 0);
	got = pread(text.fd, written, sizeof(written) - 1, 0);
	assert_true(got >= 0);
	written[got] = '\0';
	assert_int_equal(ftruncate(text.fd, 0), 0);
	assert_int_equal(lseek(text.fd, 0, SEEK_SET), 0);
	return written;
}

static void numbers_are_those_of_printf(void **state)
{
	uint64_t value = 1;
	char wanted[256];

	for (int i = 0; i < 200; i++) {
		snprintf(wanted, sizeof(wanted), "%llu %lld 0x%llx %12llu",
			 (unsigned long long)value, (long long)value,
			 (unsigned long long)value,
			 (unsigned long long)value);
		weir_text_unsigned(&text, value);
		weir_text_char(&text, ' ');
		weir_text_signed(&text, (int64_t)value);
		weir_text_char(&text, ' ');
		weir_text_hex(&text, value);
		weir_text_char(&text, ' ');
		weir_text_aligned(&text, value, 12);
		assert_string_equal(take(), wanted);
		value = value * 6364136223846793005u + 1442695040888963407u;
		value >>= i % 60;
	}
}

static void limits_are_written(void **state)
{
	weir_text_unsigned(&text, 0);
	weir_text_char(&text, ' ');
	weir_text_unsigned(&text, UINT64_MAX);
	weir_text_char(&text, ' ');
	weir_text_signed(&text, INT64_MIN);
	weir_text_char(&text, ' ');
	weir_text_octal(&text, 0644);
	weir_text_pointer(&text, 0);
	weir_text_pointer(&text, UINT64_MAX - 0xf);
	assert_string_equal(take(), "0 18446744073709551615 "
				    "-9223372036854775808 0644"
				    "0x00xFFFFFFFFFFFFFFF0");
}

static void times_have_nine_decimals(void **state)
{
	weir_text_seconds(&text, 0, 0);
	weir_text_char(&text, ' ');
	weir_text_seconds(&text, 1500000001, 14);
	assert_string_equal(take(), "0.000000000    1.500000001");
}

static void hostile_names_are_made_safe(void **state)
{
	static const struct {
		const char *name;
		const char *shown;
	} rows[] = {
		{ "plain", "plain" },
		{ "a\\b", "a\\\\b" },
		{ "\033[31m", "\\x1b[31m" },
		{ "line\nfeed", "line\\x0afeed" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\xc0\xaf", "\\xc0\\xaf" },         /* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* surrogate */
		{ "cut \xe2\x82", "cut \\xe2\\x82" },
		{ "\xc2\x9b" "31m", "\\xc2\\x9b31m" }, /* C1 control */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		weir_text_safe(&text, rows[i].name, strlen(rows[i].name));
		assert_string_equal(take(), rows[i].shown);
	}
}

static void quotes_are_escaped(void **state)
{
	weir_text_quoted(&text, "a\"b", 3);
	assert_string_equal(take(), "\"a\\\"b\"");
	weir_text_json(&text, "a\"b\\c\n", 6);
	assert_string_equal(take(), "\"a\\\"b\\\\\\\\c\\\\x0a\"");
	weir_text_nested(&text, "a(b)\\\n()", 8);
	assert_string_equal(take(), "a\\x28b\\x29\\\\\\x0a\\x28\\x29");
	weir_text_csv(&text, "plain", 5);
	assert_string_equal(take(), "plain");
	weir_text_csv(&text, "a,\"b\"", 5);
	assert_string_equal(take(), "\"a,\"\"b\"\"\"");
}

static void long_runs_come_out_whole(void **state)
{
	const size_t bytes = 3 << 20;
	char *run = malloc(bytes);
	char *back = malloc(bytes);

	assert_non_null(run);
	assert_non_null(back);
	for (size_t i = 0; i < bytes; i++)
		run[i] = (char)('a' + i % 26);
	weir_text_bytes(&text, run, 1000);
	weir_text_bytes(&text, run + 1000, bytes - 1000);
	assert_int_equal(weir_text_flush(&text), 0);
	assert_int_equal(pread(text.fd, back, bytes, 0), bytes);
	assert_memory_equal(run, back, bytes);
	free(run);
	free(back);
}

static void the_first_error_is_kept(void **state)
{
	struct weir_text full;
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0)
		skip();
	assert_int_equal(weir_text_init(&full, fd), 0);
	weir_text_string(&full, "lost");
	assert_int_equal(weir_text_flush(&full), -ENOSPC);
	weir_text_string(&full, "also lost");
	assert_int_equal(weir_text_flush(&full), -ENOSPC);
	weir_text_fini(&full);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(numbers_are_those_of_printf),
		TEST(limits_are_written),
		TEST(times_have_nine_decimals),
		TEST(hostile_names_are_made_safe),
		TEST(quotes_are_escaped),
		TEST(long_runs_come_out_whole),
		TEST(the_first_error_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
