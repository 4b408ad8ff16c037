/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call gets its own answer, also when there are more than slots. */
#include "standin.h"

#include "forward/files/opens.h"
#include "forward/link/self.h"
#include "spec/forward_stubs.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define THREADS 40u
#define CALLS	200u

static void count_fault(void)
{
	atomic_fetch_add(&standin->faults, 1);
}

/* An answer that is all this byte, and as long as was asked for. */
static void read_one(uint32_t byte, uint32_t length)
{
	struct weir_op_read_in in = { .offset = byte, .length = length };
	struct weir_op_read_out out;
	unsigned char *bytes = malloc(length);
	uint32_t size = 0;

	if (weir_stub_read(&in, &out, bytes, length, &size) || size != length)
		count_fault();
	for (uint32_t i = 0; i < length; i++)
		if (bytes[i] != (unsigned char)byte)
			count_fault();
	free(bytes);
}

static void write_one(uint32_t byte, uint32_t length)
{
	struct weir_op_write_in in = { .offset = byte };
	struct weir_op_write_out out = { 0 };
	unsigned char *bytes = malloc(length);

	memset(bytes, (int)byte, length);
	if (weir_stub_write(&in, &out, bytes, length) || out.done != length)
		count_fault();
	free(bytes);
}

static void *call_as(void *who)
{
	uint32_t byte = (uint32_t)(uintptr_t)who;

	for (uint32_t i = 0; i < CALLS; i++)
		if (i % 2)
			write_one(byte, 1 + i * 37 % 5000);
		else
			read_one(byte, 1 + i * 91 % 5000);
	return NULL;
}

static void answers_belong_to_calls(void **state)
{
	standin_begin(CHUNKS);
	standin_run_threads(4, call_as);
	read_one(7, WEIR_SESSION_LANE);
	write_one(8, WEIR_SESSION_LANE);
	standin_end();
}

static void more_threads_than_slots_wait(void **state)
{
	standin_begin(CHUNKS);
	standin_run_threads(THREADS, call_as);
	standin_end();
}

static void what_does_not_fit_is_refused(void **state)
{
	struct weir_slots_call call = {
		.op = WEIR_OP_WRITE,
		.args = &call,
		.data = &call,
		.data_size = WEIR_SESSION_LANE + 1,
	};

	standin_begin(CHUNKS);
	assert_int_equal(weir_slots_call(&call), -EINVAL);
	call.data_size = 1;
	call.args_size = WEIR_SESSION_ARGS + 1;
	assert_int_equal(weir_slots_call(&call), -EINVAL);
	standin_end();
}

#define CHILDREN 8

/* Children that are killed while they have slots, asked or not. */
static void kill_children(useconds_t after)
{
	pid_t children[CHILDREN];

	for (uintptr_t i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		if (!children[i]) {
			for (;;)
				call_as((void *)i);
		}
	}
	usleep(after);
	for (int i = 0; i < CHILDREN; i++)
		kill(children[i], SIGKILL);
	for (int i = 0; i < CHILDREN; i++)
		waitpid(children[i], NULL, 0);
}

static void slots_of_the_dead_are_taken_over(void **state)
{
	standin_begin(CHUNKS);
	for (useconds_t round = 0; round < 3; round++)
		kill_children(20000 + round * 10000);
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		/* As if all of them had been caught. */
		uint32_t free = 0;

		atomic_compare_exchange_strong(&weir_link.slots[i].owner,
					       &free, 0x3ffffff0);
	}
	standin_run_threads(3, call_as);
	standin_end();
}

static void *die_soon(void *unused)
{
	while (atomic_load(&weir_link.page->wakes) == 0)
		sched_yield();
	usleep(1000);
	atomic_store(&weir_link.page->dead, 1);
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++)
		weir_futex_wake(&weir_link.slots[i].state, 1);
	return NULL;
}

static void a_dead_service_is_an_error(void **state)
{
	struct weir_op_ask_in in = { 0 };
	struct weir_op_ask_out out;
	pthread_t thread;

	standin_begin(CHUNKS);
	assert_int_equal(weir_stub_ask(&in, &out), 0);
	assert_int_equal(atomic_load(&standin->asks), 1);
	atomic_store(&standin->is_mute, 1);
	pthread_create(&thread, NULL, die_soon, NULL);
	assert_int_equal(weir_stub_ask(&in, &out), -EIO);
	pthread_join(thread, NULL);
	standin_end();
}

static uint64_t counted; /* only by who has the lock */

static void *count_as(void *unused)
{
	struct weir_session_open *open = &weir_link.opens[0];

	for (int i = 0; i < 20000; i++) {
		if (!weir_opens_lock(open))
			count_fault();
		counted++;
		weir_opens_unlock(open);
	}
	return NULL;
}

static void one_at_a_time_moves_an_offset(void **state)
{
	standin_begin(CHUNKS);
	counted = 0;
	standin_run_threads(8, count_as);
	assert_int_equal(counted, 8 * 20000);
	standin_end();
}

static volatile int relocked = -1;

static void lock_in_handler(int number)
{
	relocked = weir_opens_lock(&weir_link.opens[0]);
}

static void a_thread_does_not_wait_for_itself(void **state)
{
	struct sigaction action = { .sa_handler = lock_in_handler };
	struct weir_session_open *open;

	standin_begin(CHUNKS);
	open = &weir_link.opens[0];
	sigaction(SIGUSR1, &action, NULL);
	assert_true(weir_opens_lock(open));
	raise(SIGUSR1);
	assert_int_equal(relocked, false);
	assert_int_equal(weir_opens_advance(open, 10), 0);
	assert_int_equal(weir_opens_advance(open, 5), 10);
	weir_opens_retreat(open, 15, 12);
	assert_int_equal(atomic_load(&open->offset), 12);
	weir_opens_retreat(open, 15, 3); /* another has moved it since */
	assert_int_equal(atomic_load(&open->offset), 12);
	weir_opens_unlock(open);
	standin_end();
}

static sigjmp_buf way_out;

static void jump_out(int number)
{
	weir_self_note_jump(); /* as the wrapper does */
	siglongjmp(way_out, 1);
}

static void lock_and_be_gone(struct weir_session_open *open)
{
	assert_true(weir_opens_lock(open));
	raise(SIGUSR1);
}

static void use_jumps(void)
{
	struct sigaction action = { .sa_handler = jump_out };

	sigaction(SIGUSR1, &action, NULL);
}

/* A handler jumps out of a call, and the thread does it once more. */
static void who_jumps_out_leaves_no_lock(void **state)
{
	struct weir_session_open *open;

	standin_begin(CHUNKS);
	open = &weir_link.opens[0];
	use_jumps();
	if (!sigsetjmp(way_out, 1))
		lock_and_be_gone(open);
	assert_true(weir_opens_lock(open));
	weir_opens_unlock(open);
	standin_end();
}

/* Two at once, in one call, are both kept. */
static void a_call_takes_several_locks(void **state)
{
	standin_begin(CHUNKS);
	for (int i = 0; i < 2; i++)
		assert_true(weir_opens_lock(&weir_link.opens[i]));
	for (int i = 0; i < 2; i++) {
		assert_int_not_equal(atomic_load(&weir_link.opens[i].lock), 0);
		weir_opens_unlock(&weir_link.opens[i]);
	}
	standin_end();
}

static pthread_t asking, interrupting;

static void *interrupt(void *unused)
{
	usleep(3000);
	pthread_kill(asking, SIGUSR1);
	return NULL;
}

static void ask_and_be_gone(void)
{
	struct weir_op_ask_in in = { 0 };
	struct weir_op_ask_out out;

	pthread_create(&interrupting, NULL, interrupt, NULL);
	weir_stub_ask(&in, &out);
}

/* More often than there are slots. */
static void who_jumps_out_leaves_no_slot(void **state)
{
	standin_begin(CHUNKS);
	use_jumps();
	asking = pthread_self();
	for (volatile uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		atomic_store(&standin->is_mute, 1);
		if (!sigsetjmp(way_out, 1))
			ask_and_be_gone();
		pthread_join(interrupting, NULL);
		atomic_store(&standin->is_mute, 0);
	}
	weir_link_wake();
	read_one(3, 100);
	standin_end();
}

/* It is not waited for yet, so its number is still in use. */
static void the_lock_of_the_dead_is_taken_over(void **state)
{
	struct weir_session_open *open;
	pid_t child;

	standin_begin(CHUNKS);
	open = &weir_link.opens[0];
	child = fork();
	if (!child) {
		weir_opens_lock(open);
		_exit(0);
	}
	while (!atomic_load(&open->lock))
		sched_yield();
	assert_true(weir_opens_lock(open));
	weir_opens_unlock(open);
	assert_int_equal(waitpid(child, NULL, 0), child);
	standin_end();
}

static void users_are_counted(void **state)
{
	struct weir_session_open *open;

	standin_begin(CHUNKS);
	open = &weir_link.opens[0];
	weir_opens_share(open);
	weir_opens_share(open);
	assert_false(weir_opens_drop(open));
	assert_true(weir_opens_drop(open));
	standin_end();
}

/* Nobody knows whether threads of other namespaces live. */
static void doubt_is_for_the_living(void **state)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	assert_true(weir_self_has_ended((uint32_t)child));
	assert_false(weir_self_has_ended((uint32_t)child | WEIR_SELF_FOREIGN));
	assert_false(weir_self_has_ended(WEIR_SESSION_DAEMON));
	assert_false(weir_self_has_ended(0));
	assert_false(weir_self_has_ended((uint32_t)getpid()));
	assert_false(weir_self_has_ended(1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_belong_to_calls),
		cmocka_unit_test(more_threads_than_slots_wait),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(slots_of_the_dead_are_taken_over),
		cmocka_unit_test(a_dead_service_is_an_error),
		cmocka_unit_test(one_at_a_time_moves_an_offset),
		cmocka_unit_test(a_thread_does_not_wait_for_itself),
		cmocka_unit_test(who_jumps_out_leaves_no_lock),
		cmocka_unit_test(a_call_takes_several_locks),
		cmocka_unit_test(who_jumps_out_leaves_no_slot),
		cmocka_unit_test(the_lock_of_the_dead_is_taken_over),
		cmocka_unit_test(users_are_counted),
		cmocka_unit_test(doubt_is_for_the_living),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
