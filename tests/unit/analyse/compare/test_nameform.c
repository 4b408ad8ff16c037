/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a name is the run's, and what is the file's. */
#include "analyse/compare/nameform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_roots(const char *cwd_a, const char *cwd_b,
			 const char *root_a, const char *root_b)
{
	const char *cwds[2] = { cwd_a, cwd_b };
	const char *wanted[2] = { root_a, root_b };
	struct weir_nameform_root roots[2];

	weir_nameform_roots(cwds, roots);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(roots[i].len, strlen(wanted[i]));
		if (roots[i].len)
			assert_memory_equal(roots[i].path, wanted[i],
					    roots[i].len);
	}
}

static void roots_are_where_runs_differ(void **state)
{
	assert_roots("/s/run-a/work", "/s/run-b/work", "/s/run-a", "/s/run-b");
	assert_roots("/s/a", "/s/b/", "/s/a", "/s/b");
	assert_roots("/s/x", "/s/x", "", "");
	assert_roots("/s/x", NULL, "/s/x", "");
	assert_roots("/", "/s", "", "/s");
	/* The root of everything would be below a directory. */
	assert_roots("/work", "/x/work", "/work", "/x/work");
}

static void assert_made(int (*make)(struct weir_bytes *, const char *, size_t,
				    const struct weir_nameform_root *),
			const char *name, const char *wanted)
{
	static const struct weir_nameform_root root = { "/s/run", 6 };
	struct weir_bytes got = { 0 };

	assert_int_equal(make(&got, name, strlen(name), &root), 0);
	assert_int_equal(weir_bytes_add(&got, "", 1), 0);
	assert_string_equal((char *)got.data, wanted);
	weir_bytes_fini(&got);
}

static void places_are_below_the_root(void **state)
{
	assert_made(weir_nameform_place, "/s/run/out.0001", "./out.0001");
	assert_made(weir_nameform_place, "/s/run", ".");
	assert_made(weir_nameform_place, "/s/running/x", "/s/running/x");
	assert_made(weir_nameform_place, "/s", "/s");
	assert_made(weir_nameform_place, "", "");
}

static void numbers_are_left_out(void **state)
{
	static const char *const cases[][2] = {
		{ "/s/run/out.0001.h5", "./out.#.h#" },
		{ "/data/job12345/rank7/x", "/data/job#/rank#/x" },
		{ "/data/2026-11-15T18:13:30.log", "/data/#-#-#T#:#:#.log" },
		{ "pipe:[14252947]", "pipe:[#]" },
		{ "/data/decade", "/data/decade" },
		{ "/d/9f8a7b6c5d4e", "/d/#" },
		{ "/d/feedbeef", "/d/feedbeef" },
		{ "/d/ab12", "/d/ab#" },
		{ "/d/550e8400-e29b-41d4-a716-446655440000.nc",
		  "/d/#-#-#-#-#.nc" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_made(weir_nameform_make, cases[i][0], cases[i][1]);
}

static void temporary_names_are_left_out(void **state)
{
	static const char *const cases[][2] = {
		{ "/tmp/tmpk3x_9abq/out.dat", "/tmp/*/out.dat" },
		{ "/tmp/fooXa81bC", "/tmp/*" },
		{ "/tmp/fooXa81bC.nc", "/tmp/*.nc" },
		{ "/dev/shm/x/y3", "/dev/shm/*/y#" },
		{ "/tmp/", "/tmp/" },
		{ "/data/tmpk3x_9abq", "/data/*" },
		{ "/data/tmp.ab12XY34zz/x", "/data/*/x" },
		{ "/data/tmp/x1", "/data/tmp/x#" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_made(weir_nameform_make, cases[i][0], cases[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roots_are_where_runs_differ),
		cmocka_unit_test(places_are_below_the_root),
		cmocka_unit_test(numbers_are_left_out),
		cmocka_unit_test(temporary_names_are_left_out),
	};

	return cmocka_run_group_tests_name("analyse/nameform", tests, NULL,
					   NULL);
}
