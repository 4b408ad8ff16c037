/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's table of mounts, line by line. */
#include "launch/collect/mountinfo.h"

#include "trace/facts/mounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void take(struct weir_mounts *mounts, const char *line)
{
	char text[512];

	snprintf(text, sizeof(text), "%s\n", line);
	assert_int_equal(weir_mountinfo_take(mounts, text), 0);
}

static void lines_become_mounts(void **state)
{
	struct weir_mounts mounts = {0};

	take(&mounts, "22 1 8:1 / / rw,noatime shared:1 - ext4 /dev/sda1 rw");
	take(&mounts, "30 22 0:4 / /a\\040b rw - fuse.x a\\134b:/c\\040d rw");
	take(&mounts, "31 22 0:5 / /m rw master:1 propagate_from:2 - t  rw");
	take(&mounts, "32 22 0:6 /sub /end rw - tmpfs");
	assert_int_equal(mounts.count, 4);
	assert_string_equal(mounts.list[0].type, "ext4");
	assert_string_equal(mounts.list[0].point, "/");
	assert_string_equal(mounts.list[0].source, "/dev/sda1");
	assert_string_equal(mounts.list[1].type, "fuse.x");
	assert_string_equal(mounts.list[1].point, "/a b");
	assert_string_equal(mounts.list[1].source, "a\\b:/c d");
	/* A source may be empty. */
	assert_string_equal(mounts.list[2].type, "t");
	assert_string_equal(mounts.list[2].source, "");
	assert_string_equal(mounts.list[3].type, "tmpfs");
	assert_string_equal(mounts.list[3].point, "/end");
	weir_mounts_fini(&mounts);
}

static void other_lines_are_passed_over(void **state)
{
	static const char whole[] = "2 1 8:1 / /x rw shared:1 - ext4 /dev/x rw";
	struct weir_mounts mounts = {0};
	const char *type = strstr(whole, "ext4");

	for (const char *end = whole; end <= type; end++) {
		char part[sizeof(whole)] = "";

		memcpy(part, whole, (size_t)(end - whole));
		take(&mounts, part);
	}
	take(&mounts, "22 1 8:1 / relative rw - ext4 /dev/x rw");
	assert_int_equal(mounts.count, 0);
	weir_mounts_fini(&mounts);
}

/* /proc is told, or its files would lie on a disk; what is in it is not. */
static void the_kernels_own_are_told_once(void **state)
{
	struct weir_mounts mounts = {0};

	for (int i = 0; i < 2; i++) {
		take(&mounts, "1 1 8:1 / / rw - ext4 /dev/sda1 rw");
		take(&mounts, "2 1 0:1 / /proc rw - proc proc rw");
		take(&mounts, "3 2 0:1 / /proc/sys ro - proc proc rw");
		take(&mounts, "4 1 0:2 / /sys rw - sysfs sysfs rw");
		take(&mounts, "5 4 0:3 / /sys/fs/cgroup rw - tmpfs tmpfs rw");
		take(&mounts, "7 5 0:7 / /sys/fs/cgroup/a rw - cgroup a rw");
		take(&mounts, "6 2 0:9 / /proc/keys rw - tmpfs tmpfs rw");
	}
	assert_int_equal(mounts.count, 5);
	assert_string_equal(weir_mounts_of(&mounts, "/proc/1/io")->type,
			    "proc");
	assert_string_equal(weir_mounts_of(&mounts, "/sys/kernel/x")->type,
			    "sysfs");
	assert_string_equal(weir_mounts_of(&mounts, "/proc/keys")->type,
			    "tmpfs");
	weir_mounts_fini(&mounts);
}

static void this_machine_has_mounts(void **state)
{
	struct weir_mounts mounts = {0};
	uint32_t count;

	assert_int_equal(weir_mountinfo_look(&mounts), 0);
	count = mounts.count;
	assert_non_null(weir_mounts_of(&mounts, "/"));
	assert_int_equal(weir_mountinfo_look(&mounts), 0);
	assert_true(mounts.count >= count); /* others may mount */
	weir_mounts_fini(&mounts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_mounts),
		cmocka_unit_test(other_lines_are_passed_over),
		cmocka_unit_test(the_kernels_own_are_told_once),
		cmocka_unit_test(this_machine_has_mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
