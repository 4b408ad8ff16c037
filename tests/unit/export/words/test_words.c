/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that people know by a word. */
#include "export/words/words.h"

#include "check.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void is_shown(const char *show, uint64_t number, const char *right)
{
	int fd = memfd_create("words", MFD_CLOEXEC);
	char found[128] = "";
	struct weir_text out;

	assert_true(fd >= 0);
	assert_int_equal(weir_text_init(&out, fd), 0);
	assert_int_equal(weir_words_show(&out, show, number), 1);
	weir_text_flush(&out);
	weir_text_fini(&out);
	assert_true(pread(fd, found, sizeof(found) - 1, 0) >= 0);
	close(fd);
	assert_string_equal(found, right);
}

static void no_flag_has_a_word_where_it_means_something(void **state)
{
	is_shown("h5_flags", 0, "RDONLY");
	is_shown("h5_flags", 1, "RDWR");
	is_shown("h5_flags", 64, "SWMR_READ");
	is_shown("h5_flags", 1 | 1 << 20, "RDWR|0x100000");
	is_shown("access_mode", 0, "F_OK");
	is_shown("nc_mode", 0, "0x0");
}

static void a_word_is_a_number_or_an_address(void **state)
{
	is_shown("word", 0, "0");
	is_shown("word", 2048, "2048");
	is_shown("word", (uint64_t)-1, "-1");
	is_shown("word", INT32_MAX, "2147483647");
	is_shown("word", UINT64_C(1) << 31, "0x80000000");
	is_shown("word", UINT64_C(0x7ffd12345678), "0x7ffd12345678");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_flag_has_a_word_where_it_means_something),
		cmocka_unit_test(a_word_is_a_number_or_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
