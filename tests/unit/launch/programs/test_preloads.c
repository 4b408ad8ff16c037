/* SPDX-License-Identifier: BSD-3-Clause */
/* Which objects are preloaded into a program. */
#include "launch/programs/preloads.h"

#include "launch/programs/program.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MPI	1u
#define HDF5	2u
#define PNETCDF 4u
#define ALL	7u

static void words_are_read(void **state)
{
	static const struct {
		const char *text;
		bool by_program;
		weir_preloads_set set;
	} good[] = {
		{ NULL, true, 0 },   { "auto", true, 0 },
		{ "all", false, ALL }, { "none", false, 0 },
		{ "mpi", false, MPI }, { "pnetcdf,mpi", false, MPI | PNETCDF },
		{ "hdf5,hdf5", false, HDF5 },
	};
	static const char *const bad[] = { "", "mp", "mpi,", ",mpi", "mpi,auto",
					   "MPI" };
	struct weir_preloads_choice choice;
	const char *word;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(weir_preloads_read(good[i].text, &choice,
						   &word), 0);
		assert_int_equal(choice.by_program, good[i].by_program);
		assert_int_equal(choice.set, good[i].set);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(weir_preloads_read(bad[i], &choice, &word),
				 -EINVAL);
}

static void programs_are_known(void **state)
{
	struct weir_preloads_choice by_program = { .by_program = true };
	struct weir_preloads_choice some = { .set = HDF5 };
	struct weir_program program = { .path = "/nowhere/app" };

	assert_int_equal(weir_preloads_wanted(&by_program, &program, 0), 0);
	assert_int_equal(weir_preloads_wanted(&some, &program, 0), HDF5);
	assert_int_equal(weir_preloads_wanted(&by_program, &program, -ENOENT),
			 0);
	assert_int_equal(weir_preloads_wanted(&by_program, &program, -ENOEXEC),
			 ALL);
	strcpy(program.path, "/nowhere/python3.11");
	assert_int_equal(weir_preloads_wanted(&by_program, &program, 0), ALL);
	strcpy(program.path, "/nowhere/mpirun.openmpi");
	assert_int_equal(weir_preloads_wanted(&by_program, &program, 0), ALL);
	strcpy(program.path, "/nowhere/app");
	program.is_for_script = true;
	assert_int_equal(weir_preloads_wanted(&by_program, &program, 0), ALL);
}

static void what_is_missing_is_left_out(void **state)
{
	char dir[] = "/tmp/weir-test-XXXXXX", path[64], expected[192];
	weir_preloads_set missing;
	char *list;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/libweir-hdf5.so", dir);
	assert_int_equal(fclose(fopen(path, "w")), 0);
	snprintf(expected, sizeof(expected), "%s/libweir.so:%s", dir, path);
	snprintf(path, sizeof(path), "%s/libweir.so", dir);
	list = weir_preloads_list(path, ALL, &missing);
	assert_string_equal(list, expected);
	assert_int_equal(missing, MPI | PNETCDF);
	free(list);
	list = weir_preloads_list(path, 0, &missing);
	assert_string_equal(list, path);
	assert_int_equal(missing, 0);
	free(list);
	snprintf(path, sizeof(path), "%s/libweir-hdf5.so", dir);
	unlink(path);
	rmdir(dir);
}

static void ours_are_known(void **state)
{
	assert_true(weir_preloads_is_one("/a/libweir-mpi.so"));
	assert_true(weir_preloads_is_one("libweir-pnetcdf.so"));
	assert_false(weir_preloads_is_one("/a/libweir.so"));
	assert_false(weir_preloads_is_one("/a/libweir-mpi.so/x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read),
		cmocka_unit_test(programs_are_known),
		cmocka_unit_test(what_is_missing_is_left_out),
		cmocka_unit_test(ours_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
