/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of /proc/self/maps, whole, cut, long and senseless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/record/mapsfile.h"
#include "gate/confined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIBC                                                                   \
	"7f12345a6000-7f12346fb000 r-xp 00026000 fe:01 1835042"                \
	"                    /usr/lib/libc.so.6\n"
#define STACK                                                                  \
	"7ffd1c4e1000-7ffd1c502000 rw-p 00000000 00:00 0"                      \
	"                          [stack]\n"
#define BARE "7f1234000000-7f1234021000 rw-p 00000000 00:00 0 \n"
#define ROOM 4096

static char room[ROOM];

/* A file with this text, to be read by a room of so many bytes. */
static struct weir_mapsfile given(const char *text, size_t bytes)
{
	int fd = memfd_create("maps", 0);

	assert_true(fd >= 0 && bytes <= ROOM);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return (struct weir_mapsfile){ .fd = fd, .room = room, .size = bytes };
}

static void expect_libc(const struct weir_mapsfile_row *row)
{
	assert_int_equal(row->low, 0x7f12345a6000);
	assert_int_equal(row->high, 0x7f12346fb000);
	assert_int_equal(row->offset, 0x26000);
	assert_int_equal(row->inode, 1835042);
	assert_true(row->is_code);
	assert_string_equal(row->path, "/usr/lib/libc.so.6");
}

static void test_fields(void **state)
{
	struct weir_mapsfile maps = given(LIBC BARE STACK, ROOM);
	struct weir_mapsfile_row row;

	assert_true(weir_mapsfile_next(&maps, &row));
	expect_libc(&row);
	assert_true(weir_mapsfile_next(&maps, &row));
	assert_int_equal(row.low, 0x7f1234000000);
	assert_int_equal(row.inode, 0);
	assert_false(row.is_code);
	assert_string_equal(row.path, "");
	assert_true(weir_mapsfile_next(&maps, &row));
	assert_int_equal(row.high, 0x7ffd1c502000);
	assert_string_equal(row.path, "[stack]");
	assert_false(weir_mapsfile_next(&maps, &row));
	assert_false(weir_mapsfile_next(&maps, &row));
	weir_mapsfile_close(&maps);
}

/* However the file is cut into what is read at once. */
static void test_any_room(void **state)
{
	for (size_t bytes = strlen(LIBC); bytes < 3 * strlen(LIBC); bytes++) {
		struct weir_mapsfile maps =
			given(LIBC BARE LIBC STACK LIBC, bytes);
		struct weir_mapsfile_row row;

		for (int i = 0; i < 5; i++) {
			assert_true(weir_mapsfile_next(&maps, &row));
			if (i % 2 == 0)
				expect_libc(&row);
		}
		assert_false(weir_mapsfile_next(&maps, &row));
		weir_mapsfile_close(&maps);
	}
}

static void expect_name(const char *name)
{
	struct weir_mapsfile maps;
	struct weir_mapsfile_row row;
	char text[256];

	snprintf(text, sizeof(text),
		 "1000-2000 r-xp 00000000 08:01 9            %s\n" LIBC, name);
	maps = given(text, ROOM);
	assert_true(weir_mapsfile_next(&maps, &row));
	assert_int_equal(row.high, 0x2000);
	assert_string_equal(row.path, name);
	assert_true(weir_mapsfile_next(&maps, &row));
	expect_libc(&row);
	weir_mapsfile_close(&maps);
}

static void test_names(void **state)
{
	expect_name("/tmp/gone.so (deleted)");
	expect_name("/with  two spaces - and 0-9 r-xp");
	expect_name("/a\\012line");
	expect_name("/\xc3\xa9\xff");
	expect_name("[anon:of a thread]");
	expect_name("/memfd:jit (deleted)");
}

static void test_code(void **state)
{
	static const struct {
		const char *rights;
		bool is_code;
	} rows[] = {
		{ "r-xp", true },  { "rwxp", true },  { "r-xs", true },
		{ "r--p", false }, { "--xp", false }, { "---p", false },
		{ "rw-p", false }, { "r", false },    { "r-", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weir_mapsfile maps;
		struct weir_mapsfile_row row;
		char text[64];

		snprintf(text, sizeof(text), "1-2 %s 0 0:0 0\n",
			 rows[i].rights);
		maps = given(text, ROOM);
		assert_true(weir_mapsfile_next(&maps, &row));
		assert_int_equal(row.is_code, rows[i].is_code);
		weir_mapsfile_close(&maps);
	}
}

/* A name that does not fit hides itself alone. */
static void test_long_names(void **state)
{
	static char text[4 * ROOM];

	for (size_t length = 1; length < 3 * ROOM; length += 61) {
		struct weir_mapsfile maps;
		struct weir_mapsfile_row row;
		int at = sprintf(text, BARE "3000-4000 r-xp 0 08:01 77 ");
		bool fits = length + 30 < ROOM;

		text[at] = '/';
		memset(text + at + 1, 'n', length - 1);
		strcpy(text + at + length, "\n" LIBC STACK);
		maps = given(text, ROOM);
		assert_true(weir_mapsfile_next(&maps, &row));
		assert_true(weir_mapsfile_next(&maps, &row));
		assert_int_equal(row.low, 0x3000);
		assert_int_equal(row.high, 0x4000);
		assert_int_equal(row.inode, 77);
		assert_true(row.is_code);
		assert_int_equal(strlen(row.path), fits ? length : 0);
		assert_true(weir_mapsfile_next(&maps, &row));
		expect_libc(&row);
		assert_true(weir_mapsfile_next(&maps, &row));
		assert_false(weir_mapsfile_next(&maps, &row));
		weir_mapsfile_close(&maps);
	}
}

/* A line that ends before its end: there is no more of the file. */
static void test_cut_file(void **state)
{
	static char text[sizeof(LIBC LIBC)];

	for (size_t cut = 0; cut < strlen(LIBC); cut++) {
		struct weir_mapsfile maps;
		struct weir_mapsfile_row row;

		strcpy(text, LIBC LIBC);
		text[strlen(LIBC) + cut] = 0;
		maps = given(text, ROOM);
		assert_true(weir_mapsfile_next(&maps, &row));
		expect_libc(&row);
		assert_false(weir_mapsfile_next(&maps, &row));
		weir_mapsfile_close(&maps);
	}
}

static void expect_some_row(const char *line)
{
	struct weir_mapsfile maps;
	struct weir_mapsfile_row row;
	char text[512];

	snprintf(text, sizeof(text), "%s\n" LIBC, line);
	maps = given(text, ROOM);
	assert_true(weir_mapsfile_next(&maps, &row));
	assert_true(row.path >= room && row.path < room + strlen(line) + 1);
	assert_true(weir_mapsfile_next(&maps, &row));
	expect_libc(&row);
	weir_mapsfile_close(&maps);
}

/* A line without sense spoils nothing but itself. */
static void test_nonsense(void **state)
{
	char line[] = LIBC;

	expect_some_row("");
	expect_some_row(" ");
	expect_some_row("-");
	expect_some_row("--------");
	expect_some_row("not a line of maps");
	expect_some_row("zzzz-yyyy r-xp");
	expect_some_row("\x01\x80\xff\xfe");
	expect_some_row("ffffffffffffffffffffffff-0 r-xp 0 0:0 "
			"99999999999999999999999999 /x");
	for (size_t i = 0; i < sizeof(line); i++) {
		strcpy(line, LIBC);
		line[i] = 0;
		line[strcspn(line, "\n")] = 0;
		expect_some_row(line);
	}
}

static void test_own_process(void **state)
{
	uintptr_t here = (uintptr_t)&expect_libc;
	struct weir_mapsfile maps;
	struct weir_mapsfile_row row;
	int found = 0;

	assert_true(weir_mapsfile_open(&maps, room, sizeof(room)));
	while (weir_mapsfile_next(&maps, &row))
		found += here >= row.low && here < row.high && row.is_code &&
			 strstr(row.path, "test_mapsfile");
	weir_mapsfile_close(&maps);
	assert_int_equal(found, 1);
}

static void test_refused(void **state)
{
	struct weir_mapsfile maps;

	assert_false(weir_mapsfile_open(&maps, room, 16)); /* no line fits */
	weir_confined = true;
	assert_false(weir_mapsfile_open(&maps, room, sizeof(room)));
	weir_confined = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_any_room),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_own_process),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
