/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ledger counts, joins, cuts and tells. */
#include "../stand.h"

#include "serve/failures/failures.h"
#include "serve/failures/unstored.h"
#include "serve/files/filefailures.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct weir_file *file_of(uint32_t number)
{
	return &stand_files[number].file;
}

static void break_at(uint32_t file, uint64_t offset, uint64_t length, int error)
{
	weir_filefailures_add(file_of(file), offset, length, error);
}

static void settle(uint32_t file, uint64_t offset, uint64_t length,
		   enum weir_state_fate fate)
{
	weir_filefailures_settle(file_of(file), offset, length, fate);
}

/* Entries in the order they were made. */
static void expect_range(uint32_t number, uint64_t offset, uint64_t length)
{
	const struct weir_state_failure *entry = &weir_state->ledger[number];

	assert_int_equal(entry->offset, offset);
	assert_int_equal(entry->length, length);
}

static void a_range_is_told_once_however_often_it_fails(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		break_at(0, 100, 50, ENOSPC);
		file_of(0)->tries++;
	}
	assert_int_equal(weir_unstored_count(), 1);
	assert_int_equal(weir_state->ledger[0].tries, 5);
	assert_int_equal(weir_filefailures_error(file_of(0)), -ENOSPC);
	assert_int_equal(weir_filefailures_error(file_of(1)), 0);
}

static void what_touches_becomes_one(void **state)
{
	(void)state;
	break_at(0, 100, 50, ENOSPC);
	break_at(0, 200, 50, ENOSPC);
	assert_int_equal(weir_unstored_count(), 2);
	break_at(1, 150, 50, ENOSPC); /* another file's */
	assert_int_equal(weir_unstored_count(), 3);
	break_at(0, 150, 50, ENOSPC);
	assert_int_equal(weir_unstored_count(), 2);
	settle(0, 100, 150, WEIR_FATE_RESOLVED);
	assert_int_equal(weir_filefailures_error(file_of(0)), 0);
	assert_int_equal(weir_unstored_count(), 1);
}

static void neighbours_with_other_reasons_stay_apart(void **state)
{
	(void)state;
	break_at(0, 100, 50, ENOSPC);
	break_at(0, 150, 50, EIO);
	assert_int_equal(weir_unstored_count(), 2);
	/* what overlaps has the later reason */
	break_at(0, 140, 20, EDQUOT);
	assert_int_equal(weir_unstored_count(), 1);
	assert_int_equal(weir_filefailures_error(file_of(0)), -EDQUOT);
}

static void entries_are_cut_where_something_was_stored(void **state)
{
	(void)state;
	break_at(0, 100, 100, EIO);
	settle(0, 0, 120, WEIR_FATE_RESOLVED);
	expect_range(0, 120, 80);
	settle(0, 180, 500, WEIR_FATE_RESOLVED);
	expect_range(0, 120, 60);
	settle(0, 140, 20, WEIR_FATE_RESOLVED);
	expect_range(0, 120, 20);
	expect_range(1, 160, 20);
	assert_int_equal(weir_unstored_count(), 2);
	settle(0, 0, UINT64_MAX, WEIR_FATE_DISCARDED);
	assert_int_equal(weir_unstored_count(), 0);
	assert_int_equal(weir_state->ledger[0].fate, WEIR_FATE_DISCARDED);
}

static void a_place_that_another_file_has_now_is_not_its_own(void **state)
{
	(void)state;
	break_at(0, 0, 10, EIO);
	file_of(0)->turn += 2;
	assert_int_equal(weir_filefailures_error(file_of(0)), 0);
	settle(0, 0, 10, WEIR_FATE_RESOLVED);
	assert_int_equal(weir_unstored_count(), 1);
}

static void a_full_ledger_uses_what_is_settled_again(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < WEIR_STATE_LEDGER; i++) {
		break_at(0, i * 10, 5, EIO);
		if (i >= 10)
			settle(0, i * 10, 5, WEIR_FATE_RESOLVED);
	}
	assert_int_equal(weir_unstored_count(), 10);
	break_at(1, 77, 5, EIO);
	assert_int_equal(weir_unstored_count(), 11);
	assert_int_equal(weir_filefailures_error(file_of(1)), -EIO);
}

static void fail_and_die(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		break_at(0, 100, 50, ENOSPC);
		break_at(1, 0, 50, EIO);
		settle(1, 0, 50, WEIR_FATE_RESOLVED);
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

static void the_next_daemon_knows_what_is_open(void **state)
{
	(void)state;
	fail_and_die();
	weir_failures_read();
	assert_int_equal(weir_filefailures_error(file_of(0)), -ENOSPC);
	assert_int_equal(weir_filefailures_error(file_of(1)), 0);
	settle(0, 0, 500, WEIR_FATE_RESOLVED);
	assert_int_equal(weir_unstored_count(), 0);
}

static void it_is_told_to_programs_and_people(void **state)
{
	char *json, *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	(void)state;
	snprintf(file_of(0)->kept->path, PATH_MAX, "/a \"b\"\n");
	break_at(0, 100, 50, ENOSPC);
	break_at(1, 0, 1, EIO);
	settle(1, 0, 1, WEIR_FATE_RESOLVED);
	json = weir_unstored_json();
	assert_non_null(strstr(json, "{\"weir_errors\":1,\"entries\":["));
	assert_non_null(strstr(json, "\"path\":\"/a \\\"b\\\"\\\\x0a\","
				     "\"offset\":100,\"length\":50,"
				     "\"error\":\"ENOSPC\",\"tries\":1,"));
	assert_non_null(strstr(json, "\"fate\":\"open\"}"));
	assert_non_null(strstr(json, "\"fate\":\"resolved\"}"));
	free(json);
	weir_unstored_print(out);
	fclose(out);
	assert_string_equal(lines, "/a \"b\"\\x0a: bytes 100-149: "
				   "No space left on device\n");
	free(lines);
}

static void people_are_not_told_of_more_than_they_can_read(void **state)
{
	char *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	(void)state;
	for (uint64_t i = 0; i < 25; i++)
		break_at(0, i * 100, 50, EIO);
	break_at(1, 0, 50, EIO);
	weir_unstored_print(out);
	fclose(out);
	assert_non_null(strstr(lines, "bytes 1900-1949: "));
	assert_null(strstr(lines, "bytes 2000-2049: "));
	assert_non_null(strstr(lines,
			       "\n/some/file.0: 5 ranges more, 250 bytes\n"
			       "/some/file.1: bytes 0-49: "));
	free(lines);
}

static void what_is_given_up_does_not_count(void **state)
{
	(void)state;
	break_at(0, 100, 50, ENOSPC);
	break_at(0, 300, 50, ENOSPC);
	break_at(1, 100, 50, ENOSPC);
	assert_int_equal(weir_unstored_matching("/some/file.0"), 2);
	weir_unstored_forget("/some/file.0");
	assert_int_equal(weir_unstored_matching("/some/file.0"), 0);
	assert_int_equal(weir_unstored_count(), 1);
	weir_unstored_forget("");
	assert_int_equal(weir_unstored_count(), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stand_begin, stand_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_next_daemon_knows_what_is_open),
		CASE(a_range_is_told_once_however_often_it_fails),
		CASE(what_touches_becomes_one),
		CASE(neighbours_with_other_reasons_stay_apart),
		CASE(entries_are_cut_where_something_was_stored),
		CASE(a_place_that_another_file_has_now_is_not_its_own),
		CASE(a_full_ledger_uses_what_is_settled_again),
		CASE(it_is_told_to_programs_and_people),
		CASE(people_are_not_told_of_more_than_they_can_read),
		CASE(what_is_given_up_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
