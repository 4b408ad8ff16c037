/* SPDX-License-Identifier: BSD-3-Clause */
/* Values go into a book and out of it, of several threads at once. */
#include "layers/book.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after what it needs */
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define VALUES  2000

static struct weir_book book;

static int set_up(void **state)
{
	(void)state;
	memset(&book, 0, sizeof(book));
	return 0;
}

static void a_value_is_found_until_it_is_removed(void **state)
{
	const uint64_t values[] = {0, 1, 2, UINT64_MAX - 3, 0x7f00deadbee0, 42};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		uint32_t at = weir_book_add(&book, values[i]);

		assert_true(at < WEIR_BOOK_ROOM);
		assert_int_equal(weir_book_add(&book, values[i]), at);
		assert_int_equal(weir_book_find(&book, values[i]), at);
	}
	for (size_t i = 0; i < 6; i++) {
		weir_book_remove(&book, values[i]);
		assert_int_equal(weir_book_find(&book, values[i]),
				 WEIR_BOOK_NONE);
		for (size_t j = i + 1; j < 6; j++)
			assert_int_not_equal(weir_book_find(&book, values[j]),
					     WEIR_BOOK_NONE);
	}
	weir_book_remove(&book, 4711);
	assert_int_equal(weir_book_add(&book, UINT64_MAX), WEIR_BOOK_NONE);
	assert_int_equal(book.refused, 0);
}

static void a_hidden_value_keeps_its_place(void **state)
{
	uint32_t at = weir_book_add(&book, 77), other;

	(void)state;
	weir_book_hide(&book, at);
	assert_int_equal(weir_book_find(&book, 77), WEIR_BOOK_NONE);
	other = weir_book_add(&book, 77); /* the same value, given anew */
	assert_int_not_equal(other, at);
	weir_book_leave(&book, at);
	assert_int_equal(weir_book_find(&book, 77), other);
	weir_book_hide(&book, other);
	weir_book_show(&book, other, 77);
	assert_int_equal(weir_book_find(&book, 77), other);
}

static void what_finds_no_room_is_counted(void **state)
{
	uint64_t added = 0;

	(void)state;
	for (uint64_t value = 0; value < 2 * WEIR_BOOK_ROOM; value++)
		added += weir_book_add(&book, value * 8) != WEIR_BOOK_NONE;
	assert_true(added <= WEIR_BOOK_ROOM && added > WEIR_BOOK_ROOM / 2);
	assert_int_equal(book.refused, 2 * WEIR_BOOK_ROOM - added);
	/* Places of those that went are used again. */
	for (uint64_t value = 0; value < 2 * WEIR_BOOK_ROOM; value++)
		weir_book_remove(&book, value * 8);
	assert_int_not_equal(weir_book_add(&book, 3), WEIR_BOOK_NONE);
}

/* Each thread's values are its own; all go in and out of the same book. */
static void *use(void *number)
{
	uint64_t base = (uint64_t)(uintptr_t)number << 32;
	uint32_t at[VALUES];

	for (int turn = 0; turn < 50; turn++) {
		for (uint64_t i = 0; i < VALUES; i++)
			at[i] = weir_book_add(&book, base + i * 16);
		for (uint64_t i = 0; i < VALUES; i++) {
			if (weir_book_find(&book, base + i * 16) != at[i])
				return "lost";
			weir_book_remove(&book, base + i * 16);
		}
	}
	return NULL;
}

static void threads_do_not_lose_values(void **state)
{
	pthread_t threads[THREADS];
	void *said;

	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, use, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &said);
		assert_null(said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_value_is_found_until_it_is_removed,
				       set_up),
		cmocka_unit_test_setup(a_hidden_value_keeps_its_place, set_up),
		cmocka_unit_test_setup(what_finds_no_room_is_counted, set_up),
		cmocka_unit_test_setup(threads_do_not_lose_values, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
