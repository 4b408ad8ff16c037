/* SPDX-License-Identifier: BSD-3-Clause */
/* What descriptors stand for: set, taken, swept, shared. */
#include "gate/fdmap.h"
#include "gate/ofd.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t entry_of(int fd, bool cloexec)
{
	return weir_fdmap_entry(weir_fdmap_next_handle(),
				weir_ofd_new(fd, 0, true), cloexec);
}

static int start_anew(void **state)
{
	weir_fdmap_reset();
	weir_ofd_reset();
	return 0;
}

static void handles_count_from_one(void **state)
{
	assert_int_equal(weir_fdmap_next_handle(), 1);
	assert_int_equal(weir_fdmap_next_handle(), 2);
}

static void strange_descriptors_are_unknown(void **state)
{
	assert_int_equal(weir_fdmap_get(-1), 0);
	assert_int_equal(weir_fdmap_get(INT_MAX), 0);
	assert_int_equal(weir_fdmap_take(INT_MIN), 0);
	weir_fdmap_set(INT_MAX, 1);
	weir_fdmap_drop(-5);
}

static void dropping_frees_the_description(void **state)
{
	uint64_t entry = entry_of(5, false);
	uint32_t ofd = weir_fdmap_ofd(entry);

	weir_fdmap_set(5, entry);
	assert_int_equal(atomic_load(&weir_ofd_table[ofd].users), 1);
	weir_fdmap_drop(5);
	assert_int_equal(weir_fdmap_get(5), 0);
	assert_int_equal(atomic_load(&weir_ofd_table[ofd].users), 0);
}

static void setting_over_another_frees_that_one(void **state)
{
	uint64_t entry = entry_of(5, false);

	weir_fdmap_set(5, entry);
	weir_fdmap_set(5, entry_of(6, false));
	assert_int_equal(atomic_load(
		&weir_ofd_table[weir_fdmap_ofd(entry)].users), 0);
}

static void a_range_is_swept(void **state)
{
	for (int fd = 3; fd < 10; fd++)
		weir_fdmap_set(fd, entry_of(fd, false));
	weir_fdmap_drop_range(5, 7);
	for (int fd = 3; fd < 10; fd++)
		assert_int_equal(!weir_fdmap_get(fd), fd >= 5 && fd <= 7);
	weir_fdmap_drop_range(0, UINT_MAX);
	assert_int_equal(weir_fdmap_get(9), 0);
}

static bool is_shared(int fd)
{
	uint32_t ofd = weir_fdmap_ofd(weir_fdmap_get(fd));

	return atomic_load(&weir_ofd_table[ofd].traits) & WEIR_OFD_SHARED;
}

static void exec_spares_close_on_exec(void **state)
{
	weir_fdmap_set(3, entry_of(3, false));
	weir_fdmap_set(4, entry_of(4, true));
	weir_fdmap_share(true);
	assert_true(is_shared(3));
	assert_false(is_shared(4));
	weir_fdmap_set_cloexec(4, false);
	weir_fdmap_share(true);
	assert_true(is_shared(4));
}

static void fork_shares_all(void **state)
{
	weir_fdmap_set(4, entry_of(4, true));
	weir_fdmap_share(false);
	assert_true(is_shared(4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(handles_count_from_one, start_anew),
		cmocka_unit_test_setup(strange_descriptors_are_unknown,
				       start_anew),
		cmocka_unit_test_setup(dropping_frees_the_description,
				       start_anew),
		cmocka_unit_test_setup(setting_over_another_frees_that_one,
				       start_anew),
		cmocka_unit_test_setup(a_range_is_swept, start_anew),
		cmocka_unit_test_setup(exec_spares_close_on_exec, start_anew),
		cmocka_unit_test_setup(fork_shares_all, start_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
