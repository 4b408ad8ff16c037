/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of open file descriptions, alone and under contention. */
#include "gate/ofd.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct weir_ofd_move by_8 = { .certain = true, .by = 8 };

static void sequential_calls_are_followed(void **state)
{
	uint32_t ofd = weir_ofd_new(3, 0, true);
	uint64_t at = 99;

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t entered = weir_ofd_enter(ofd);

		assert_true(weir_ofd_leave(ofd, entered, by_8, &at));
		assert_int_equal(at, i * 8);
	}
	weir_ofd_put(ofd);
}

static void a_seek_makes_it_known_again(void **state)
{
	struct weir_ofd_move to = { .absolute = true, .certain = true,
				    .by = 4096 };
	uint32_t ofd = weir_ofd_new(3, 0, false);
	uint64_t at;

	assert_false(weir_ofd_leave(ofd, weir_ofd_enter(ofd), by_8, &at));
	weir_ofd_leave(ofd, weir_ofd_enter(ofd), to, &at);
	assert_true(weir_ofd_leave(ofd, weir_ofd_enter(ofd), by_8, &at));
	assert_int_equal(at, 4096);
	weir_ofd_put(ofd);
}

static void overlap_is_admitted_by_both(void **state)
{
	uint32_t ofd = weir_ofd_new(3, 0, true);
	uint64_t first, second, at;

	first = weir_ofd_enter(ofd);
	second = weir_ofd_enter(ofd);
	assert_false(weir_ofd_leave(ofd, second, by_8, &at));
	assert_false(weir_ofd_leave(ofd, first, by_8, &at));
	assert_false(weir_ofd_leave(ofd, weir_ofd_enter(ofd), by_8, &at));
	weir_ofd_put(ofd);
}

static void overlap_in_the_other_order(void **state)
{
	uint32_t ofd = weir_ofd_new(3, 0, true);
	uint64_t first, second, at;

	first = weir_ofd_enter(ofd);
	second = weir_ofd_enter(ofd);
	assert_false(weir_ofd_leave(ofd, first, by_8, &at));
	assert_false(weir_ofd_leave(ofd, second, by_8, &at));
	weir_ofd_put(ofd);
}

static void a_shared_one_stays_unknown(void **state)
{
	struct weir_ofd_move to = { .absolute = true, .certain = true };
	uint32_t ofd = weir_ofd_new(3, 0, true);
	uint64_t at;

	weir_ofd_share(ofd);
	weir_ofd_leave(ofd, weir_ofd_enter(ofd), to, &at);
	assert_false(weir_ofd_leave(ofd, weir_ofd_enter(ofd), by_8, &at));
	weir_ofd_put(ofd);
}

static void used_ones_are_not_given_twice(void **state)
{
	uint32_t first = weir_ofd_new(7, 0, true);
	uint32_t second = weir_ofd_new(7, 0, true);

	assert_int_not_equal(first, second);
	weir_ofd_put(first);
	assert_int_equal(weir_ofd_new(7, 0, true), first);
	weir_ofd_put(first);
	weir_ofd_put(second);
}

/* Each thread that is told a position must have been alone with it. */
#define THREADS 4
#define TURNS   20000

static uint32_t contended;
static _Atomic uint64_t truth; /* stands for the kernel's own position */

static void *move_and_compare(void *data)
{
	uint64_t *wrong = data;

	for (int i = 0; i < TURNS; i++) {
		uint64_t at, entered = weir_ofd_enter(contended);
		uint64_t real = atomic_fetch_add(&truth, 8);

		if (weir_ofd_leave(contended, entered, by_8, &at) &&
		    at != real)
			++*wrong;
	}
	return NULL;
}

static void what_is_told_is_true(void **state)
{
	uint64_t wrong[THREADS] = { 0 };
	pthread_t threads[THREADS];

	contended = weir_ofd_new(9, 0, true);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, move_and_compare, &wrong[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(wrong[i], 0);
	}
	assert_int_equal(atomic_load(&weir_ofd_table[contended].word) &
			 WEIR_OFD_INSIDES, 0);
	weir_ofd_put(contended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential_calls_are_followed),
		cmocka_unit_test(a_seek_makes_it_known_again),
		cmocka_unit_test(overlap_is_admitted_by_both),
		cmocka_unit_test(overlap_in_the_other_order),
		cmocka_unit_test(a_shared_one_stays_unknown),
		cmocka_unit_test(used_ones_are_not_given_twice),
		cmocka_unit_test(what_is_told_is_true),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
