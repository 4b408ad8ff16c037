/* SPDX-License-Identifier: BSD-3-Clause */
/* What a control file tells processes, and what they tell by it. */
#include "trace/control/controlfile.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[64];
static int dir_fd;

static int make_top(void **state)
{
	strcpy(top, "/dev/shm/weir-test-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	dir_fd = open(top, O_RDONLY | O_DIRECTORY);
	return dir_fd < 0;
}

static int drop_top(void **state)
{
	unlinkat(dir_fd, WEIR_CONTROL_NAME, 0);
	close(dir_fd);
	return rmdir(top);
}

/* As a recorded process does: map it, keep no descriptor. */
static struct weir_control *map_it(void)
{
	int fd = openat(dir_fd, WEIR_CONTROL_NAME, O_RDWR);
	void *at = mmap(NULL, WEIR_CONTROL_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	close(fd);
	return at;
}

static void processes_are_told(void **state)
{
	static const char rules[] = "-/proc/*\0+*.dat";
	struct weir_controlfile_setup setup = {
		.flags = WEIR_CONTROL_ALL,
		.max_bytes = 4711,
		.rules = rules,
		.rules_bytes = sizeof(rules),
	};
	struct weir_control *page;
	int fd = -1;

	assert_int_equal(weir_controlfile_make(top, &setup), 0);
	assert_int_equal(weir_controlfile_make(top, NULL), -EEXIST);
	page = map_it();
	assert_memory_equal(page->magic, WEIR_CONTROL_MAGIC, 8);
	assert_int_equal(page->flags, WEIR_CONTROL_ALL);
	assert_int_equal(page->max_bytes, 4711);
	assert_int_equal(page->rules_bytes, sizeof(rules));
	assert_memory_equal(page->rules, rules, sizeof(rules));
	assert_int_equal(page->aside, 0);
	assert_int_equal(weir_controlfile_open(dir_fd, true, &fd), 0);
	assert_int_equal(weir_controlfile_pause(fd, true), 0);
	assert_int_equal(page->aside, WEIR_CONTROL_PAUSED);
	assert_int_equal(weir_controlfile_pause(fd, false), 0);
	assert_int_equal(page->aside, 0);
	assert_false(weir_controlfile_is_alone(fd));
	munmap(page, WEIR_CONTROL_BYTES);
	assert_true(weir_controlfile_is_alone(fd));
	close(fd);
	setup.rules_bytes = WEIR_CONTROL_RULES + 1;
	assert_int_equal(weir_controlfile_make(top, &setup), -E2BIG);
}

static void processes_tell(void **state)
{
	struct weir_unrecorded all;
	struct weir_control *page;
	int fd = -1;

	assert_int_equal(weir_controlfile_make(top, NULL), 0);
	page = map_it();
	page->losses[WEIR_REASON_NO_SPACE].processes = 2;
	page->losses[WEIR_REASON_NO_SPACE].calls = 30;
	page->losses[WEIR_CONTROL_REASONS - 1].processes = 1;
	assert_int_equal(weir_controlfile_open(dir_fd, false, &fd), 0);
	weir_controlfile_count(fd, &all);
	assert_int_equal(all.by[WEIR_REASON_NO_SPACE].processes, 2);
	assert_int_equal(all.by[WEIR_REASON_NO_SPACE].calls, 30);
	assert_int_equal(all.by[WEIR_REASON_OTHER].processes, 1);
	assert_int_equal(weir_unrecorded_sum(&all).processes, 3);
	close(fd);
	munmap(page, WEIR_CONTROL_BYTES);
	weir_controlfile_count(-1, &all);
	assert_int_equal(weir_unrecorded_sum(&all).processes, 0);
}

static void marks_are_counted_and_taken(void **state)
{
	static const char *const marks[] = {
		"lost-12-2-0",
		"lost-12-2-1",
		"lost-13-3-0",
		"lost-14-99-0",
	};
	struct weir_unrecorded all;

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		mkdirat(dir_fd, marks[i], 0700);
	mkdirat(dir_fd, "lost-x", 0700);
	for (int i = 0; i < 2; i++) {
		memset(&all, 0, sizeof(all));
		assert_int_equal(
			i ? weir_controlfile_take_marks(dir_fd, &all)
			  : weir_controlfile_count_marks(dir_fd, &all),
			0);
		assert_int_equal(all.by[WEIR_REASON_NO_DESCRIPTOR].processes,
				 2);
		assert_int_equal(all.by[WEIR_REASON_NO_MEMORY].processes, 1);
		assert_int_equal(all.by[WEIR_REASON_OTHER].processes, 1);
		assert_int_equal(weir_unrecorded_sum(&all).processes, 4);
	}
	assert_int_equal(weir_controlfile_count_marks(dir_fd, &all), 0);
	assert_int_equal(weir_unrecorded_sum(&all).processes, 0);
	assert_int_equal(unlinkat(dir_fd, "lost-x", AT_REMOVEDIR), 0);
}

static void texts_are_read_back(void **state)
{
	static const char text[] = "unrecorded=no-space 2 30\n"
				   "later=what we do not know\n"
				   "unrecorded=quite-new 1 0\n";
	struct weir_unrecorded all, more = { 0 };

	assert_int_equal(weir_unrecorded_parse(text, strlen(text), &all), 0);
	assert_int_equal(all.by[WEIR_REASON_NO_SPACE].processes, 2);
	assert_int_equal(all.by[WEIR_REASON_NO_SPACE].calls, 30);
	assert_int_equal(all.by[WEIR_REASON_OTHER].processes, 1);
	more.by[WEIR_REASON_OTHER].processes = 5;
	more.by[WEIR_REASON_NO_SPACE].calls = 7;
	weir_unrecorded_raise(&all, &more);
	assert_int_equal(weir_unrecorded_sum(&all).processes, 7);
	assert_int_equal(weir_unrecorded_sum(&all).calls, 30);
	assert_int_equal(weir_unrecorded_parse("unrecorded=x\n", 13, &all),
			 -EBADMSG);
	assert_int_equal(weir_unrecorded_parse("unrecorded=x 1 2 \n", 18,
					       &all), -EBADMSG);
}

#define IN_TOP(test) cmocka_unit_test_setup_teardown(test, make_top, drop_top)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TOP(processes_are_told),
		IN_TOP(processes_tell),
		IN_TOP(marks_are_counted_and_taken),
		cmocka_unit_test(texts_are_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
