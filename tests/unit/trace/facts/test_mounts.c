/* SPDX-License-Identifier: BSD-3-Clause */
/* Mounts: written and read back, and which one a file lies on. */
#include "trace/facts/mounts.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static const struct weir_mount host[] = {
	{"ext4", "/", "/dev/sda1"},
	{"tmpfs", "/tmp", "tmpfs"},
	{"lustre", "/scratch", "10.0.0.1@tcp:/scratch"},
	{"nfs4", "/scratch/home dir", "server:/home of all"},
	{"overlay", "/tmp", "overlay"},
	{"xfs", "/data\\x\n", ""},
};

#define HOSTS (sizeof(host) / sizeof(*host))

static struct weir_mounts fill(void)
{
	struct weir_mounts mounts = {0};

	for (size_t i = 0; i < HOSTS; i++)
		assert_int_equal(weir_mounts_add(&mounts, &host[i]), 0);
	assert_int_equal(mounts.count, HOSTS);
	return mounts;
}

static void expect(const struct weir_mounts *mounts, const char *path,
		   const char *type)
{
	const struct weir_mount *mount = weir_mounts_of(mounts, path);

	if (!type)
		assert_null(mount);
	else
		assert_string_equal(mount->type, type);
}

static void a_file_lies_on_the_longest_mount(void **state)
{
	struct weir_mounts mounts = fill();

	expect(&mounts, "/", "ext4");
	expect(&mounts, "/etc/passwd", "ext4");
	expect(&mounts, "/scratch", "lustre");
	expect(&mounts, "/scratch/x", "lustre");
	expect(&mounts, "/scratch2/x", "ext4");
	expect(&mounts, "/scratc", "ext4");
	expect(&mounts, "/scratch/home", "lustre");
	expect(&mounts, "/scratch/home dir/x", "nfs4");
	expect(&mounts, "/data\\x\n/y", "xfs");
	/* Of two at one point it is the later. */
	expect(&mounts, "/tmp/x", "overlay");
	expect(&mounts, "pipe:[7]", NULL);
	expect(&mounts, "relative/x", NULL);
	expect(&mounts, "", NULL);
	expect(&mounts, "/memfd:x", NULL);
	weir_mounts_fini(&mounts);
	expect(&mounts, "/etc", NULL);
}

static void lines_of_head_are_read_back(void **state)
{
	struct weir_mounts mounts = fill(), again = {0};
	struct weir_props props;

	mounts.untold = 3;
	weir_props_init(&props);
	assert_int_equal(weir_mounts_put(&mounts, &props), 0);
	assert_int_equal(weir_mounts_parse(props.text, props.used, &again), 0);
	assert_int_equal(again.count, HOSTS);
	assert_int_equal(again.untold, 3);
	for (size_t i = 0; i < HOSTS; i++) {
		assert_string_equal(again.list[i].type, host[i].type);
		assert_string_equal(again.list[i].point, host[i].point);
		assert_string_equal(again.list[i].source, host[i].source);
	}
	/* What is known already is not added once more. */
	assert_int_equal(weir_mounts_parse(props.text, props.used, &again), 0);
	assert_int_equal(again.count, HOSTS);
	for (size_t cut = 0; cut < props.used; cut++) {
		struct weir_mounts part = {0};

		assert_int_equal(weir_mounts_parse(props.text, cut, &part), 0);
		assert_true(part.count <= HOSTS);
		weir_mounts_fini(&part);
	}
	weir_props_fini(&props);
	weir_mounts_fini(&mounts);
	weir_mounts_fini(&again);
}

static void what_makes_no_sense_is_passed_over(void **state)
{
	static const char text[] = "mount=\nmount= \nmount=ext4\nmount=ext4 /\n"
				   "mount= / x\nmount=ext4 rel x\n"
				   "mount=ext4 / a b\nmounts=ext4 / x\n"
				   "mounts_untold=many\n";
	struct weir_mounts mounts = {0};

	assert_int_equal(weir_mounts_parse(text, sizeof(text) - 1, &mounts), 0);
	assert_int_equal(mounts.count, 0);
	assert_int_equal(mounts.untold, 0);
}

static void escapes_are_taken_back(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{"a\\040b", "a b"},	{"\\011\\012\\134\\043", "\t\n\\#"},
		{"\\04", "\\04"},	{"\\", "\\"},
		{"\\\\040", "\\ "},	{"\\777", "\\777"},
		{"\\303\\244", "\xc3\xa4"}, {"a\\000b", "ab"},
		{"\\08a", "\\08a"},	{"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s", rows[i].from);
		weir_mounts_unescape(text);
		assert_string_equal(text, rows[i].to);
	}
}

static void too_many_are_counted(void **state)
{
	static char longest[WEIR_MOUNTS_LONGEST + 2];
	struct weir_mounts mounts = {0};
	struct weir_mount mount = {"t", longest, "s"};

	memset(longest, '/', sizeof(longest) - 1);
	assert_int_equal(weir_mounts_add(&mounts, &mount), 0);
	assert_int_equal(mounts.count, 0);
	for (int i = 0; i < WEIR_MOUNTS_MOST + 9; i++) {
		char point[32];

		snprintf(point, sizeof(point), "/m%d", i);
		mount.point = point;
		assert_int_equal(weir_mounts_add(&mounts, &mount), 0);
	}
	assert_int_equal(mounts.count, WEIR_MOUNTS_MOST);
	assert_int_equal(mounts.untold, 10);
	weir_mounts_fini(&mounts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_lies_on_the_longest_mount),
		cmocka_unit_test(lines_of_head_are_read_back),
		cmocka_unit_test(what_makes_no_sense_is_passed_over),
		cmocka_unit_test(escapes_are_taken_back),
		cmocka_unit_test(too_many_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
