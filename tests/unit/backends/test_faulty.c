/* SPDX-License-Identifier: BSD-3-Clause */
/* `faulty`: exactly what is told fails, and the log says so. */
#include "kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WRITES 24

static int64_t sync_it(void *file)
{
	return weir_backends_used->sync(weir_backends_self, file);
}

static void load(const char *format, ...)
{
	char options[PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(options, sizeof(options), format, args);
	va_end(args);
	assert_int_equal(weir_kit_load("faulty", options), 0);
}

struct counting {
	unsigned int every, from, count;
};

/* Which of the writes fail, by the words of the page. */
static void count_so(const struct counting *so)
{
	unsigned int failed = 0;
	void *file;

	load("every=%u,from=%u,count=%u,errno=ENOSPC", so->every, so->from,
	     so->count);
	file = weir_kit_open("counted");
	for (unsigned int i = 1; i <= WRITES; i++) {
		bool fails = so->every && i % so->every == 0 &&
			     i >= so->from && failed < so->count;

		failed += fails;
		assert_int_equal(weir_kit_write(file, "abcd", i),
				 fails ? -ENOSPC : 4);
	}
	weir_kit_close(file);
	weir_backends_end();
}

static void each_nth_fails(void **state)
{
	for (unsigned int every = 0; every < 8; every++) {
		for (unsigned int from = 0; from < 9; from += 2) {
			for (unsigned int count = 0; count < 4; count++)
				count_so(&(struct counting){every, from,
							    count});
		}
	}
}

static void every_errno_is_known(void **state)
{
	static const struct {
		const char *name;
		int number;
	} errors[] = {
		{"EIO", EIO},	      {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},
		{"EFBIG", EFBIG},     {"EROFS", EROFS},	  {"ESTALE", ESTALE},
		{"EACCES", EACCES},   {"EPERM", EPERM},	  {"ENXIO", ENXIO},
		{"ENOMEM", ENOMEM},   {"ETIMEDOUT", ETIMEDOUT},
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		void *file;

		load("errno=%s", errors[i].name);
		file = weir_kit_open("failing");
		assert_int_equal(weir_kit_write(file, "x", 0),
				 -errors[i].number);
		weir_kit_close(file);
		weir_backends_end();
	}
}

static void other_operations_are_let_be(void **state)
{
	static const char *const ops[] = {"write", "read", "sync", "truncate"};
	char byte;

	for (int op = 0; op < 4; op++) {
		void *file;

		load("op=%s", ops[op]);
		file = weir_kit_open("ops");
		assert_int_equal(weir_kit_write(file, "x", 0),
				 op == 0 ? -EIO : 1);
		assert_int_equal(weir_backends_used->read(weir_backends_self,
							  file, &byte, 0, 0),
				 op == 1 ? -EIO : 0);
		assert_int_equal(sync_it(file), op == 2 ? -EIO : 0);
		assert_int_equal(weir_backends_used->truncate(
					 weir_backends_self, file, 0),
				 op == 3 ? -EIO : 0);
		weir_kit_close(file);
		weir_backends_end();
	}
}

static void only_some_files_fail(void **state)
{
	void *good, *bad;

	load("file=bad,op=all");
	good = weir_kit_open("good");
	bad = weir_kit_open("bad");
	assert_int_equal(weir_kit_write(bad, "x", 0), -EIO);
	assert_int_equal(weir_kit_write(good, "x", 0), 1);
	assert_int_equal(sync_it(good), 0);
	assert_int_equal(sync_it(bad), -EIO);
	weir_kit_close(good);
	weir_kit_close(bad);
	weir_backends_end();
}

static void short_writes_are_short(void **state)
{
	struct iovec parts[] = {{"ab", 2}, {"cdefgh", 6}};
	void *file;

	load("short=1,every=2");
	file = weir_kit_open("short");
	assert_int_equal(weir_kit_write(file, "abcdefg", 0), 7);
	assert_int_equal(weir_kit_write(file, "abcdefg", 0), 4);
	assert_int_equal(weir_kit_write(file, "a", 0), 1);
	assert_int_equal(weir_kit_write(file, "a", 0), 1);
	assert_int_equal(weir_kit_write(file, "a", 0), 1);
	assert_int_equal(weir_backends_used->write(weir_backends_self, file,
						   parts, 2, 0), 2);
	weir_kit_close(file);
	weir_backends_end();
}

static void a_file_heals_it(void **state)
{
	void *file;
	int fd;

	load("heal=%s", weir_kit_path("heal"));
	file = weir_kit_open("sick");
	assert_int_equal(weir_kit_write(file, "x", 0), -EIO);
	fd = open(weir_kit_path("heal"), O_CREAT | O_WRONLY, 0600);
	assert_int_equal(weir_kit_write(file, "x", 0), 1);
	unlink(weir_kit_path("heal"));
	assert_int_equal(weir_kit_write(file, "x", 0), -EIO);
	close(fd);
	weir_kit_close(file);
	weir_backends_end();
}

static void all_is_logged(void **state)
{
	char text[1024], expected[1024];
	const char *path;
	size_t length;
	void *file;
	FILE *log;

	load("every=2,errno=EDQUOT,log=%s", weir_kit_path("log"));
	file = weir_kit_open("logged");
	weir_kit_write(file, "abc", 5);
	weir_kit_write(file, "abcd", 8);
	weir_kit_write(file, "a", 12);
	sync_it(file);
	weir_kit_close(file);
	weir_backends_end();
	log = fopen(weir_kit_path("log"), "r");
	assert_non_null(log);
	length = fread(text, 1, sizeof(text) - 1, log);
	text[length] = '\0';
	fclose(log);
	path = weir_kit_path("logged");
	snprintf(expected, sizeof(expected),
		 "write 1 5 3 3 %s\nwrite 2 8 4 EDQUOT %s\n"
		 "write 3 12 1 1 %s\nsync 0 0 0 0 %s\n", path, path, path,
		 path);
	assert_string_equal(text, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_nth_fails),
		cmocka_unit_test(every_errno_is_known),
		cmocka_unit_test(other_operations_are_let_be),
		cmocka_unit_test(only_some_files_fail),
		cmocka_unit_test(short_writes_are_short),
		cmocka_unit_test(a_file_heals_it),
		cmocka_unit_test(all_is_logged),
	};

	return cmocka_run_group_tests(tests, weir_kit_begin, weir_kit_end);
}
