/* SPDX-License-Identifier: BSD-3-Clause */
/* Files keep their sums when their names change. */
#include "verify/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t file(struct weir_output *output, const char *name)
{
	int64_t at = weir_output_file(output, name, strlen(name));

	assert_true(at >= 0);
	return (uint32_t)at;
}

static const char *name_of(struct weir_output *output, uint32_t at)
{
	weir_output_settle(output);
	return weir_output_name(output, at);
}

static void follows_renames(void **state)
{
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a"), b = file(&output, "/b");

	(void)state;
	assert_int_equal(weir_output_rename(&output, "/a", "/b"), 0);
	assert_string_equal(name_of(&output, a), "/b");
	assert_null(name_of(&output, b));
	assert_int_equal(file(&output, "/b"), a);
	assert_int_not_equal(file(&output, "/a"), a);
	weir_output_fini(&output);
}

static void exchanges_names(void **state)
{
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a"), b = file(&output, "/b");

	(void)state;
	assert_int_equal(weir_output_exchange(&output, "/a", "/b"), 0);
	assert_string_equal(name_of(&output, a), "/b");
	assert_string_equal(name_of(&output, b), "/a");
	weir_output_fini(&output);
}

static void keeps_a_file_as_long_as_it_has_a_name(void **state)
{
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a");

	(void)state;
	assert_int_equal(weir_output_link(&output, "/a", "/b"), 0);
	assert_int_equal(weir_output_unlink(&output, "/b"), 0);
	assert_string_equal(name_of(&output, a), "/a");
	assert_int_equal(weir_output_link(&output, "/a", "/c"), 0);
	assert_int_equal(weir_output_unlink(&output, "/a"), 0);
	assert_string_equal(name_of(&output, a), "/c");
	assert_int_equal(weir_output_unlink(&output, "/c"), 0);
	assert_null(name_of(&output, a));
	weir_output_fini(&output);
}

static void a_file_that_was_never_seen_takes_a_name_away(void **state)
{
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a");

	(void)state;
	assert_int_equal(weir_output_rename(&output, "/other", "/a"), 0);
	assert_null(name_of(&output, a));
	weir_output_fini(&output);
}

static void knows_objects_by_their_path(void **state)
{
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a"), b = file(&output, "/b");
	size_t x, y;

	(void)state;
	x = (size_t)(weir_output_object(&output, a, "/x", 2) - output.objects);
	y = (size_t)(weir_output_object(&output, b, "/x", 2) - output.objects);
	assert_int_not_equal(x, y);
	assert_ptr_equal(weir_output_object(&output, a, "/x", 2),
			 &output.objects[x]);
	assert_string_equal(output.objects[x].inside, "/x");
	assert_null(weir_output_object(&output, a, NULL, 0)->inside);
	weir_output_fini(&output);
}

static void removes_what_is_below(void **state)
{
	static const char *const paths[] = { "/g", "/g/x", "/g@units", "/gg" };
	struct weir_output output = { 0 };
	uint32_t a = file(&output, "/a");

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_non_null(weir_output_object(&output, a, paths[i],
						   strlen(paths[i])));
	weir_output_remove_inside(&output, a, "/g");
	for (int i = 0; i < 4; i++)
		assert_int_equal(output.objects[i].is_gone, i < 3);
	weir_output_fini(&output);
}

static void finds_the_path_inside(void **state)
{
	static const char name[] = "/data:1/file.h5:/group/x";

	(void)state;
	assert_string_equal(weir_output_inside(name, strlen(name)),
			    "/group/x");
	assert_null(weir_output_inside("/plain:file", 11));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_renames),
		cmocka_unit_test(exchanges_names),
		cmocka_unit_test(keeps_a_file_as_long_as_it_has_a_name),
		cmocka_unit_test(a_file_that_was_never_seen_takes_a_name_away),
		cmocka_unit_test(knows_objects_by_their_path),
		cmocka_unit_test(removes_what_is_below),
		cmocka_unit_test(finds_the_path_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
