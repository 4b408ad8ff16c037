/* SPDX-License-Identifier: BSD-3-Clause */
/* What is handed to event sets is taken out of them in order, and once. */
#include "layers/hdf5/hdf5_pending.h"

#include "layers/book.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after what it needs */
#include <cmocka.h>

#include <pthread.h>

#define THREADS 4
#define EACH	2000

static struct weir_hdf5_library lib = { .number = 1 };
static struct weir_hdf5_library other = { .number = 2 };

/* How many there are from here; their ids rise if they are in order. */
static unsigned drop_all(uint32_t at, bool *ret_rising)
{
	uint64_t last = 0;
	unsigned count = 0;

	*ret_rising = true;
	while (at) {
		*ret_rising &= weir_hdf5_pending_get(at)->id > last;
		last = weir_hdf5_pending_get(at)->id;
		at = weir_hdf5_pending_drop(at);
		count++;
	}
	return count;
}

static void takes_what_was_there(void **state)
{
	uint64_t until;
	bool rising;

	weir_hdf5_pending_begin(&lib, 7);
	assert_true(weir_hdf5_pending_knows(&lib, 7));
	assert_false(weir_hdf5_pending_knows(&other, 7));
	assert_false(weir_hdf5_pending_has(&lib, 7));
	for (int i = 0; i < 3; i++)
		weir_hdf5_pending_add(&lib, 7, 1, 10);
	until = weir_hdf5_pending_latest();
	weir_hdf5_pending_add(&lib, 7, 1, 10);
	weir_hdf5_pending_add(&other, 7, 1, 10);
	assert_int_equal(
		drop_all(weir_hdf5_pending_take(&lib, 7, until), &rising), 3);
	assert_true(rising);
	assert_true(weir_hdf5_pending_has(&lib, 7));
	assert_int_equal(
		drop_all(weir_hdf5_pending_take(&lib, 7, UINT64_MAX), &rising),
		1);
	assert_false(weir_hdf5_pending_has(&lib, 7));
	assert_true(weir_hdf5_pending_any());
	weir_hdf5_pending_forget(&other);
	assert_false(weir_hdf5_pending_any());
	assert_false(weir_hdf5_pending_knows(&other, 7));
	weir_hdf5_pending_end(&lib, 7);
}

static void what_ends_leaves_nothing(void **state)
{
	weir_hdf5_pending_add(&lib, 8, 1, 10);
	weir_hdf5_pending_doubt(&lib, 8, true);
	assert_true(weir_hdf5_pending_is_doubtful(&lib, 8));
	weir_hdf5_pending_end(&lib, 8);
	assert_false(weir_hdf5_pending_any());
	weir_hdf5_pending_begin(&lib, 8);
	assert_false(weir_hdf5_pending_is_doubtful(&lib, 8));
	assert_int_equal(weir_hdf5_pending_take(&lib, 8, UINT64_MAX), 0);
	weir_hdf5_pending_add(&lib, 8, 1, 10);
	weir_hdf5_pending_begin(&lib, 8); /* the id stands for another */
	assert_false(weir_hdf5_pending_any());
	assert_int_equal(weir_hdf5_pending_take(&lib, 0, UINT64_MAX), 0);
}

/* More than there is room for have ids, and are not seen to end. */
static void is_bounded(void **state)
{
	uint64_t last = 0;
	unsigned count;
	bool rising;

	for (int i = 0; i < 2 * WEIR_BOOK_ROOM; i++) {
		uint64_t id = weir_hdf5_pending_add(&lib, 9, 1, 10);

		assert_true(id > last);
		last = id;
	}
	count = drop_all(weir_hdf5_pending_take(&lib, 9, last), &rising);
	assert_true(count > WEIR_BOOK_ROOM / 2 && count <= WEIR_BOOK_ROOM);
	assert_false(weir_hdf5_pending_any());
	assert_true(rising);
}

static void *add_and_take(void *ret_taken)
{
	unsigned *taken = ret_taken;
	bool rising;

	for (int i = 0; i < EACH; i++) {
		weir_hdf5_pending_add(&lib, 10, 1, 10);
		if (i % 3 == 0)
			*taken += drop_all(
				weir_hdf5_pending_take(
					&lib, 10, weir_hdf5_pending_latest()),
				&rising);
	}
	return NULL;
}

static void each_is_taken_once(void **state)
{
	pthread_t threads[THREADS];
	unsigned taken[THREADS] = { 0 }, sum = 0;
	bool rising;

	weir_hdf5_pending_begin(&lib, 10);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, add_and_take, &taken[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += taken[i];
	}
	sum += drop_all(weir_hdf5_pending_take(&lib, 10, UINT64_MAX), &rising);
	assert_int_equal(sum, THREADS * EACH);
	assert_false(weir_hdf5_pending_any());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_was_there),
		cmocka_unit_test(what_ends_leaves_nothing),
		cmocka_unit_test(is_bounded),
		cmocka_unit_test(each_is_taken_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
