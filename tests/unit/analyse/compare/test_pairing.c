/* SPDX-License-Identifier: BSD-3-Clause */
/* Things of two runs find each other by the surest key they share. */
#include "analyse/compare/pairing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_same_key_is_one_group(void **state)
{
	static const uint64_t a[] = { 5, 6, 7 }, b[] = { 7, 8, 5 };
	const uint64_t *const keys[2] = { a, b };
	struct weir_pairing p;

	assert_int_equal(weir_pairing_init(&p, 3, 3), 0);
	assert_int_equal(weir_pairing_try(&p, WEIR_PAIRED_NAME, keys), 0);
	assert_int_equal(p.groups, 2);
	assert_int_equal(p.group[0][0], p.group[1][2]);
	assert_int_equal(p.group[0][2], p.group[1][0]);
	assert_int_equal(p.group[0][1], 0);
	weir_pairing_end(&p);
	assert_int_equal(p.groups, 4);
	assert_int_equal(p.how[p.group[0][0] - 1], WEIR_PAIRED_NAME);
	assert_int_equal(p.how[p.group[0][1] - 1], WEIR_PAIRED_ONLY_A);
	assert_int_equal(p.how[p.group[1][1] - 1], WEIR_PAIRED_ONLY_B);
	weir_pairing_fini(&p);
}

static void who_is_found_is_not_looked_for(void **state)
{
	static const uint64_t a1[] = { 1, 2, 3 }, b1[] = { 1, 9 };
	static const uint64_t a2[] = { 4, 4, 4 }, b2[] = { 4, 4 };
	const uint64_t *const first[2] = { a1, b1 };
	const uint64_t *const second[2] = { a2, b2 };
	struct weir_pairing p;

	assert_int_equal(weir_pairing_init(&p, 3, 2), 0);
	assert_int_equal(weir_pairing_try(&p, WEIR_PAIRED_NAME, first), 0);
	assert_int_equal(weir_pairing_try(&p, WEIR_PAIRED_FORM, second), 0);
	weir_pairing_end(&p);
	assert_int_equal(p.groups, 2);
	assert_int_equal(p.group[0][0], p.group[1][0]);
	assert_int_not_equal(p.group[0][0], p.group[0][1]);
	assert_int_equal(p.group[0][1], p.group[0][2]);
	assert_int_equal(p.group[0][1], p.group[1][1]);
	assert_int_equal(p.how[p.group[0][1] - 1], WEIR_PAIRED_FORM);
	weir_pairing_fini(&p);
}

static void no_key_is_like_no_other(void **state)
{
	static const uint64_t a[] = { 0, 3, 3 }, b[] = { 0 };
	const uint64_t *const keys[2] = { a, b };
	struct weir_pairing p;

	assert_int_equal(weir_pairing_init(&p, 3, 1), 0);
	assert_int_equal(weir_pairing_try(&p, WEIR_PAIRED_RANK, keys), 0);
	assert_int_equal(p.groups, 0);
	weir_pairing_end(&p);
	/* Alike in one run, they are nothing of the other. */
	assert_int_equal(p.groups, 4);
	weir_pairing_fini(&p);
}

static void nothing_is_paired_with_nothing(void **state)
{
	const uint64_t *const keys[2] = { NULL, NULL };
	struct weir_pairing p;

	assert_int_equal(weir_pairing_init(&p, 0, 0), 0);
	assert_int_equal(weir_pairing_try(&p, WEIR_PAIRED_NAME, keys), 0);
	weir_pairing_end(&p);
	assert_int_equal(p.groups, 0);
	weir_pairing_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_key_is_one_group),
		cmocka_unit_test(who_is_found_is_not_looked_for),
		cmocka_unit_test(no_key_is_like_no_other),
		cmocka_unit_test(nothing_is_paired_with_nothing),
	};

	return cmocka_run_group_tests_name("analyse/pairing", tests, NULL,
					   NULL);
}
