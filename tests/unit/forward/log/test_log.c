/* SPDX-License-Identifier: BSD-3-Clause */
/* All that was acknowledged is in the log, whole, whatever comes between. */
#include "standin.h"

#include "forward/link/self.h"
#include "forward/log/transfer.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define FEW  200u
#define MANY 1200u

static void write_one(uint32_t writer, uint32_t nth, uint32_t parts)
{
	int64_t ret = standin_write(writer, nth, parts);

	if (ret == standin_length(writer, nth))
		atomic_fetch_add(&standin->acked[writer], 1);
	else
		atomic_fetch_add(&standin->faults, 1);
}

static void write_many(uint32_t writer, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		write_one(writer, i, 1 + i % 7);
}

static void assert_written(uint32_t writers, uint32_t count)
{
	standin_end();
	for (uint32_t i = 0; i < writers; i++) {
		assert_int_equal(atomic_load(&standin->acked[i]), count);
		standin_assert_all(i);
	}
}

static void one_thread_is_found_again(void **state)
{
	standin_begin(CHUNKS);
	write_many(0, FEW);
	assert_written(1, FEW);
}

static void who_finds_nobody_awake_rings(void **state)
{
	standin_begin(CHUNKS);
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t sleeps = atomic_load(&standin->sleeps);

		write_one(0, i, 1);
		while (atomic_load(&standin->sleeps) == sleeps)
			usleep(100); /* it would stay for ever */
	}
	assert_written(1, 20);
}

static void *write_as(void *writer)
{
	write_many((uint32_t)(uintptr_t)writer, FEW);
	return NULL;
}

static void eight_threads_are_found_again(void **state)
{
	standin_begin(CHUNKS);
	standin_run_threads(8, write_as);
	assert_written(8, FEW);
}

/* Fewer chunks than threads: they wait for each other's. */
static void who_has_no_room_waits(void **state)
{
	standin_begin(3);
	standin_run_threads(8, write_as);
	assert_written(8, FEW);
}

static pid_t run_child(uint32_t writer, uint32_t count)
{
	pid_t pid = fork();

	if (!pid) {
		write_many(writer, count);
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void children_are_found_again(void **state)
{
	pid_t children[8];

	standin_begin(CHUNKS);
	write_one(8, 0, 1); /* they must not think that its chunk is theirs */
	for (uint32_t i = 0; i < 8; i++)
		children[i] = run_child(i, FEW);
	for (uint32_t i = 0; i < 8; i++)
		waitpid(children[i], NULL, 0);
	assert_written(8, FEW);
	standin_assert_all(8);
}

static _Atomic uint32_t handled, is_enough;

/* As 8 + the thread's number, which is its first write's. */
static __thread uint32_t whose;

static void write_in_handler(int number)
{
	static _Atomic uint32_t nth[WRITERS];
	uint32_t writer = 8 + whose, err = (uint32_t)errno;

	write_one(writer, atomic_fetch_add(&nth[writer], 1) % WRITES, 2);
	if ((uint32_t)errno != err)
		atomic_fetch_add(&standin->faults, 1);
	atomic_fetch_add(&handled, 1);
}

static void mask_signal(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(how, &set, NULL);
}

static void *write_and_be_interrupted(void *writer)
{
	whose = (uint32_t)(uintptr_t)writer;
	mask_signal(SIG_UNBLOCK);
	write_many(whose, FEW);
	while (!atomic_load(&is_enough))
		usleep(1000);
	return NULL;
}

static void interrupt(pthread_t *threads, uint32_t count)
{
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t before = atomic_load(&handled);

		pthread_kill(threads[i % count], SIGUSR1);
		while (atomic_load(&handled) == before)
			sched_yield();
	}
	atomic_store(&is_enough, 1);
}

static void handlers_write_in_between(void **state)
{
	struct sigaction action = { .sa_handler = write_in_handler };
	pthread_t threads[2];

	sigaction(SIGUSR1, &action, NULL);
	mask_signal(SIG_BLOCK);
	standin_begin(CHUNKS);
	for (uint32_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_and_be_interrupted,
			       (void *)(uintptr_t)i);
	interrupt(threads, 2);
	for (uint32_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_written(2, FEW);
	for (uint32_t i = 8; i < 10; i++) {
		assert_int_equal(atomic_load(&standin->acked[i]), MANY / 2);
		standin_assert_all(i);
	}
}

/* Nobody waits for it: it is a zombie, and its chunks are taken back. */
static void who_is_killed_leaves_whole_records(void **state)
{
	standin_begin(4);
	for (uint32_t i = 0; i < 20; i++) {
		pid_t child = run_child(i, WRITES);

		while (atomic_load(&standin->acked[i]) < 3)
			sched_yield();
		usleep(rand() % 3000);
		kill(child, SIGKILL);
		write_many(20 + i % 4, i / 4 ? 0 : 20);
		waitpid(child, NULL, 0);
	}
	standin_end();
	for (uint32_t i = 0; i < 24; i++)
		standin_assert_all(i);
}

static void *append_as(void *writer)
{
	unsigned char bytes[5000];
	struct iovec part = { bytes, sizeof(bytes) };
	uint64_t end = 0, last = 0;

	memset(bytes, (int)(uintptr_t)writer, sizeof(bytes));
	for (uint32_t i = 0; i < FEW; i++) {
		struct weir_transfer write = {
			.parts = &part, .count = 1, .total = sizeof(bytes)};

		if (weir_log_append(&write, &end) != sizeof(bytes) ||
		    end < last + sizeof(bytes))
			atomic_fetch_add(&standin->faults, 1);
		last = end;
	}
	return NULL;
}

static void appended_bytes_are_behind_each_other(void **state)
{
	standin_begin(CHUNKS);
	standin_run_threads(4, append_as);
	standin_end();
	assert_int_equal(atomic_load(&standin->end),
			 APPENDS + 4 * FEW * 5000);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(standin->seen_appends[i], FEW * 5000);
}

static void a_large_append_is_one(void **state)
{
	static unsigned char bytes[900000];
	struct iovec part = { bytes, sizeof(bytes) };
	uint64_t end;

	standin_begin(CHUNKS);
	memset(bytes, 3, sizeof(bytes));
	assert_int_equal(
		weir_log_append(&(struct weir_transfer){.parts = &part,
							.count = 1,
							.total = sizeof(bytes)},
				&end),
		sizeof(bytes));
	assert_int_equal(end, APPENDS + sizeof(bytes));
	standin_end();
	assert_int_equal(standin->seen_appends[3], sizeof(bytes));
}

static void what_the_board_forbids_is_not_logged(void **state)
{
	static const uint32_t flags[] = { WEIR_FILE_BYPASS, WEIR_FILE_TIGHT,
					  WEIR_FILE_FAILED };
	struct weir_board *board;

	standin_begin(CHUNKS);
	board = (struct weir_board *)weir_link.board;
	for (uint32_t i = 0; i < 3; i++) {
		atomic_store(&board->files[FILE_AT].flags, flags[i]);
		assert_int_equal(standin_write(0, 0, 1), 0);
	}
	atomic_store(&board->files[FILE_AT].flags, WEIR_FILE_WRITTEN);
	write_one(0, 0, 1);
	assert_written(1, 1);
}

/* The flag comes up when the write has begun: it is stored at once. */
static void a_flag_meanwhile_is_noticed(void **state)
{
	static const uint32_t flags[] = { WEIR_FILE_BYPASS, WEIR_FILE_TIGHT };

	for (uint32_t i = 0; i < 2; i++) {
		standin_begin(0);
		atomic_store(&standin->flags, flags[i]);
		write_one(0, 0, 1);
		assert_int_equal(atomic_load(&standin->commits), 1);
		assert_written(1, 1);
	}
}

/* There will be no room for what cannot be stored anyway. */
static void who_waits_in_vain_goes_another_way(void **state)
{
	uint64_t end;
	struct iovec part = { &end, sizeof(end) };

	standin_begin(0);
	atomic_store(&standin->is_mean, 1);
	atomic_store(&standin->flags, WEIR_FILE_FAILED);
	assert_int_equal(standin_write(0, 0, 1), 0);
	atomic_store(&((struct weir_board *)weir_link.board)
			      ->files[FILE_AT].flags,
		     0);
	assert_int_equal(
		weir_log_append(&(struct weir_transfer){.parts = &part,
							.count = 1,
							.total = sizeof(end)},
				&end),
		0);
	assert_written(1, 0);
}

static void *die_soon(void *unused)
{
	while (!atomic_load(&weir_link.page->waiting))
		sched_yield();
	atomic_store(&weir_link.page->dead, 1);
	atomic_fetch_add(&weir_link.page->room, 1);
	weir_futex_wake(&weir_link.page->room, 1);
	return NULL;
}

static void a_dead_service_is_an_error(void **state)
{
	pthread_t thread;

	standin_begin(CHUNKS);
	write_one(0, 0, 1);
	atomic_store(&weir_link.page->dead, 1);
	assert_int_equal(standin_write(0, 1, 1), -EIO);
	standin_end();
	standin_begin(0);
	pthread_create(&thread, NULL, die_soon, NULL);
	assert_int_equal(standin_write(0, 0, 1), -EIO);
	pthread_join(thread, NULL);
	standin_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_is_found_again),
		cmocka_unit_test(who_finds_nobody_awake_rings),
		cmocka_unit_test(eight_threads_are_found_again),
		cmocka_unit_test(who_has_no_room_waits),
		cmocka_unit_test(children_are_found_again),
		cmocka_unit_test(handlers_write_in_between),
		cmocka_unit_test(who_is_killed_leaves_whole_records),
		cmocka_unit_test(appended_bytes_are_behind_each_other),
		cmocka_unit_test(a_large_append_is_one),
		cmocka_unit_test(what_the_board_forbids_is_not_logged),
		cmocka_unit_test(a_flag_meanwhile_is_noticed),
		cmocka_unit_test(who_waits_in_vain_goes_another_way),
		cmocka_unit_test(a_dead_service_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
