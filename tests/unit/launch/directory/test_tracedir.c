/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of a trace: ours alone, made once, removed when empty. */
#include "launch/directory/tracedir.h"

#include "trace/control/controlfile.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char top[64], dir[80];

static int make_top(void **state)
{
	(void)state;
	umask(0);
	strcpy(top, "/tmp/weir-test-XXXXXX");
	assert_non_null(mkdtemp(top));
	snprintf(dir, sizeof(dir), "%s/trace", top);
	return 0;
}

static int drop_top(void **state)
{
	(void)state;
	rmdir(dir);
	return rmdir(top);
}

static void a_directory_in_use_is_refused(void **state)
{
	struct weir_tracedir place;
	char path[PATH_MAX];
	int fd;

	(void)state;
	assert_int_equal(weir_tracedir_create(&place, dir), 0);
	assert_int_equal(weir_tracedir_create(&place, dir), 0); /* empty */
	weir_tracedir_path(&place, ".weir", path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_int_equal(weir_tracedir_create(&place, dir), -EEXIST);
	assert_int_equal(weir_tracedir_create(&place, path), -ENOTDIR);
	unlink(path);
}

static void nobody_else_can_look_in(void **state)
{
	struct weir_tracedir place, again;
	struct stat st;

	(void)state;
	assert_int_equal(weir_tracedir_create(&place, dir), 0);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(weir_tracedir_make_live(&place), 0);
	assert_int_equal(stat(place.live, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(weir_tracedir_open(&again, dir), 0);
	assert_int_equal(weir_tracedir_find_live(&again), 0);
	assert_string_equal(again.live, place.live);
	chmod(place.live, 0755);
	assert_int_equal(weir_tracedir_find_live(&again), -EPERM);
	assert_int_equal(weir_tracedir_remove_live(&place), 0);
	assert_int_equal(weir_tracedir_find_live(&again), -ENOENT);
}

static void a_live_directory_in_use_stays(void **state)
{
	struct weir_tracedir place;
	char path[PATH_MAX + 16];
	int fd;

	(void)state;
	assert_int_equal(weir_tracedir_create(&place, dir), 0);
	assert_int_equal(weir_tracedir_make_live(&place), 0);
	assert_int_equal(weir_controlfile_make(place.live, NULL), 0);
	snprintf(path, sizeof(path), "%s/1-0.live", place.live);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_int_equal(weir_tracedir_remove_live(&place), -ENOTEMPTY);
	assert_int_equal(weir_controlfile_make(place.live, NULL), -EEXIST);
	unlink(path);
	assert_int_equal(weir_tracedir_remove_live(&place), 0);
}

static void one_holds_the_lock(void **state)
{
	struct weir_tracedir first, second;

	(void)state;
	assert_int_equal(weir_tracedir_create(&first, dir), 0);
	assert_int_equal(weir_tracedir_open(&second, dir), 0);
	assert_int_equal(weir_tracedir_lock(&first), 0);
	assert_int_equal(weir_tracedir_lock(&second), -EWOULDBLOCK);
	weir_tracedir_unlock(&first);
	assert_int_equal(weir_tracedir_lock(&second), 0);
	weir_tracedir_unlock(&second);
}

#define IN_TOP(test) cmocka_unit_test_setup_teardown(test, make_top, drop_top)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TOP(a_directory_in_use_is_refused),
		IN_TOP(nobody_else_can_look_in),
		IN_TOP(a_live_directory_in_use_stays),
		IN_TOP(one_holds_the_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
