/* SPDX-License-Identifier: BSD-3-Clause */
/* Text: numbers as they are, names as no terminal would misread them. */
#include "base/text.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct weir_text text;
static int fd;

static int set_up(void **state)
{
	fd = memfd_create("text", MFD_CLOEXEC);
	return weir_text_init(&text, fd);
}

static int tear_down(void **state)
{
	weir_text_fini(&text);
	close(fd);
	return 0;
}

/* What has been written since the last call is this. */
static void expect(const char *expected)
{
	char got[512];
	ssize_t n;

	assert_int_equal(weir_text_flush(&text), 0);
	n = pread(fd, got, sizeof(got) - 1, 0);
	got[n] = 0;
	assert_string_equal(got, expected);
	assert_int_equal(ftruncate(fd, 0), 0);
	lseek(fd, 0, SEEK_SET);
}

static void numbers_are_written(void **state)
{
	static const uint64_t some[] = { 0, 9, 10, 99, 100, 12345, UINT64_MAX };

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		weir_text_unsigned(&text, some[i]);
		weir_text_char(&text, ' ');
	}
	expect("0 9 10 99 100 12345 18446744073709551615 ");
	weir_text_signed(&text, INT64_MIN);
	expect("-9223372036854775808");
	weir_text_hex(&text, 0x1f);
	weir_text_octal(&text, 0644);
	weir_text_octal(&text, 0);
	expect("0x1f06440");
	weir_text_aligned(&text, 42, 5);
	weir_text_aligned(&text, 123456, 5);
	expect("   42123456");
	weir_text_seconds(&text, 1, 0);
	weir_text_seconds(&text, UINT64_C(61000000007), 14);
	expect("0.000000001  61.000000007");
}

struct row {
	const char *in;
	size_t len;
	const char *out;
};

#define ROW(in, out) { in, sizeof(in) - 1, out }

static void names_are_made_safe(void **state)
{
	static const struct row rows[] = {
		ROW("plain", "plain"),
		ROW("a\\b", "a\\\\b"),
		ROW("\033[2J\n\0", "\\x1b[2J\\x0a\\x00"),
		ROW("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		ROW("\xff\xc3", "\\xff\\xc3"),
		ROW("\xc0\xaf", "\\xc0\\xaf"),
		ROW("\xed\xa0\x80", "\\xed\\xa0\\x80"),
		ROW("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"),
		ROW("\xe2\x80\xae", "\\xe2\\x80\\xae"),
		ROW("\xc2\x9b", "\\xc2\\x9b"),
		ROW("say \"hi\"", "say \"hi\""),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		weir_text_safe(&text, rows[i].in, rows[i].len);
		expect(rows[i].out);
	}
}

static void each_format_has_its_quotes(void **state)
{
	weir_text_quoted(&text, "a\"b\\\n", 5);
	expect("\"a\\\"b\\\\\\x0a\"");
	weir_text_json(&text, "a\"b\\\n", 5);
	expect("\"a\\\"b\\\\\\\\\\\\x0a\"");
	weir_text_csv(&text, "a\"b,c", 5);
	expect("\"a\"\"b,c\"");
	weir_text_csv(&text, "plain", 5);
	expect("plain");
}

static void the_first_error_is_kept(void **state)
{
	struct weir_text full;
	static char many[1 << 20];

	assert_int_equal(weir_text_init(&full, open("/dev/full", O_WRONLY)),
			 0);
	weir_text_bytes(&full, many, sizeof(many));
	weir_text_string(&full, "more");
	assert_int_equal(weir_text_flush(&full), -ENOSPC);
	close(full.fd);
	weir_text_fini(&full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_written),
		cmocka_unit_test(names_are_made_safe),
		cmocka_unit_test(each_format_has_its_quotes),
		cmocka_unit_test(the_first_error_is_kept),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
