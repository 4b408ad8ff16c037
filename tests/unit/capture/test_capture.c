/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside half linked into this very program, so that sanitizers see it:
 * every call is accounted for in the live file, whatever the threads do.
 */
#include "../../lib/raw.h"
#include "capture/call/observe.h"
#include "capture/memory/control.h"
#include "capture/record/encode.h"
#include "capture/record/record.h"
#include "trace/layout/live_layout.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define THREADS 8
#define CALLS   4000

struct account {
	uint64_t records, drops, depth;
	uint32_t threads;
};

static const uint8_t *map_live(int pid, size_t *ret_size)
{
	char path[512];
	struct stat st;
	void *at;
	int fd;

	snprintf(path, sizeof(path), "%s/%d-0.live", getenv("WEIR_LIVE"), pid);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	at = (void *)raw_call6(SYS_mmap, 0, st.st_size, PROT_READ, MAP_SHARED,
			       fd, 0);
	assert_true((long)at > 0);
	close(fd);
	*ret_size = (size_t)st.st_size;
	return at;
}

/* Records of full chunks stand in their heads; open ones are walked. */
static uint64_t walk(const uint64_t *word, size_t bytes)
{
	const uint64_t *end = word + bytes / 8;
	uint64_t records = 0;

	while (word < end) {
		uint64_t form = *word++;

		word += (form & 1 ? 2 : 0) + (form >> 1 & 1) +
			(form >> 2 & 1) + (form >> 3 & 1) +
			(form & 16 ? 2 : 0);
		if (form & 32)
			word += 1 + (*word + 7) / 8;
		records++;
	}
	assert_ptr_equal(word, end);
	return records;
}

static struct account account_of(int pid)
{
	struct account sum = { 0 };
	size_t size;
	const uint8_t *at = map_live(pid, &size);
	const struct weir_live *live = (const void *)at;
	const uint8_t *units = at + WEIR_LIVE_HEAD_BYTES;
	uint32_t ready = atomic_load(&live->ready);

	sum.drops = atomic_load(&live->lost_outside);
	for (uint32_t i = 0; i < ready; i++) {
		const uint8_t *unit = units + i * WEIR_LIVE_UNIT_BYTES;
		const struct weir_slot *slot = (const void *)unit;
		const struct weir_chunk_head *chunk =
			(const void *)(unit + WEIR_LIVE_SLOT_BYTES);
		uint64_t commit = atomic_load(&slot->commit);
		uint32_t open = (uint32_t)atomic_load(&slot->chunk);

		if (atomic_load(&live->full[i / 64]) >> i % 64 & 1) {
			assert_int_equal(walk((const void *)(unit +
					      WEIR_LIVE_DATA_OFFSET),
					      chunk->used), chunk->records);
			sum.records += chunk->records;
		}
		if (atomic_load(&slot->state) == WEIR_SLOT_FREE)
			continue;
		sum.threads++;
		sum.drops += commit >> WEIR_COMMIT_DROPS_SHIFT;
		sum.depth += commit >> WEIR_COMMIT_DEPTH_SHIFT & 0xff;
		if (open < ready && atomic_load(&slot->state) == WEIR_SLOT_LIVE)
			sum.records += walk((const void *)(units + open *
					WEIR_LIVE_UNIT_BYTES +
					WEIR_LIVE_DATA_OFFSET),
					commit & 0xffff);
	}
	raw_call(SYS_munmap, at, size);
	return sum;
}

/* The calls that `account_of` itself makes: open, fstat, close. */
#define OWN_CALLS 3

static void *read_much(void *data)
{
	char byte;
	int fd = open("/proc/self/exe", O_RDONLY);

	for (int i = 0; i < CALLS - 2; i++)
		if (pread(fd, &byte, 1, i) != 1)
			break;
	close(fd);
	return NULL;
}

static void run_threads(void *(*work)(void *))
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work, NULL),
				 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void every_call_of_every_thread_counts(void **state)
{
	struct account before = account_of(getpid()), after;

	run_threads(read_much);
	after = account_of(getpid());
	assert_int_equal(after.records + after.drops,
			 before.records + before.drops + OWN_CALLS +
				 THREADS * CALLS);
	assert_int_equal(after.drops, 0);
	assert_int_equal(after.depth, 0);
}

static _Atomic uint64_t handled;

static void handle(int number)
{
	char byte;

	if (pread(0, &byte, 0, 0) <= 0)
		atomic_fetch_add(&handled, 1);
}

static _Atomic int storm_is_over;

static void *read_in_storm(void *data)
{
	read_much(NULL);
	while (!atomic_load(&storm_is_over))
		if (pread(0, NULL, 0, 0) <= 0)
			atomic_fetch_add(&handled, 1);
	return NULL;
}

/* Handlers interrupt calls and the recorder itself; none gets lost. */
static void signals_in_the_middle_count(void **state)
{
	struct sigaction action = { .sa_handler = handle };
	struct account before, after;
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	before = account_of(getpid());
	pthread_create(&thread, NULL, read_in_storm, NULL);
	for (int i = 0; i < 20000; i++)
		pthread_kill(thread, SIGUSR1);
	atomic_store(&storm_is_over, 1);
	pthread_join(thread, NULL);
	after = account_of(getpid());
	assert_true(atomic_load(&handled) > 0);
	/*
	 * Identifying descriptor 0 in the new process may add a note, and one
	 * more by a handler that interrupts it.
	 */
	assert_in_range(after.records + after.drops -
				(before.records + before.drops + OWN_CALLS +
				 CALLS + atomic_load(&handled)), 0, 2);
}

static void a_child_has_its_own_account(void **state)
{
	struct account before = account_of(getpid()), child, after;
	int status;
	pid_t pid = fork();

	if (!pid) {
		close(-1);
		close(-1);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	child = account_of(pid);
	after = account_of(getpid());
	assert_int_equal(child.records, 3); /* the directory, two closes */
	assert_int_equal(after.records, before.records + 2 * OWN_CALLS);
}

static jmp_buf out;

static void jump(int number)
{
	siglongjmp(out, 1);
}

static void a_call_left_by_longjmp_is_settled(void **state)
{
	struct sigaction action = { .sa_handler = jump };
	struct account before, after;
	int fds[2];
	char byte;

	sigaction(SIGALRM, &action, NULL);
	assert_int_equal(pipe(fds), 0);
	before = account_of(getpid());
	if (!sigsetjmp(out, 1)) {
		ualarm(20000, 0);
		if (read(fds[0], &byte, 1) == 1)
			fail();
	}
	close(fds[0]);
	close(fds[1]);
	after = account_of(getpid());
	assert_int_equal(after.depth, 0);
	assert_int_equal(after.records, before.records + OWN_CALLS + 3);
}

/* One call that did `count` things, more than a chunk can hold. */
static void do_many_things(uint32_t count)
{
	struct weir_args args = { .call = 1 };
	struct weir_pass pass, child;

	assert_true(weir_observe_enter(&pass));
	pass.handle = 0;
	weir_observe_start(&pass, &args);
	assert_true(weir_observe_leave(&pass));
	weir_encode_unsigned(weir_observe_detail(&pass), 4711);
	for (uint32_t i = 0; i < count; i++) {
		child = weir_record_child(&pass, i % 5);
		if (i % 2)
			weir_encode_unsigned(weir_record_child_detail(&child),
					     i);
		weir_record_derive(&child, &args);
		assert_int_equal(weir_thread_depth(pass.thread),
				 pass.depth + 1);
	}
	assert_int_equal(pass.thread->detail.used, 2); /* left alone */
	weir_observe_record(&pass, &args);
	assert_int_equal(weir_thread_depth(pass.thread), pass.depth);
}

static void what_a_call_did_counts_too(void **state)
{
	struct account before = account_of(getpid());
	struct account after;

	do_many_things(5000);
	after = account_of(getpid());
	assert_int_equal(after.depth, 0);
	assert_int_equal(after.records + after.drops,
			 before.records + before.drops + OWN_CALLS + 5001);
}

static void record_ourselves(char **argv)
{
	static const struct weir_control_setup all = {
		.flags = WEIR_CONTROL_ALL,
		.rules = "",
	};
	char directory[] = "/dev/shm/weir-test-XXXXXX";

	if (getenv("WEIR_LIVE") || !mkdtemp(directory) ||
	    weir_control_make(directory, &all))
		return;
	setenv("WEIR_LIVE", directory, 1);
	setenv("WEIR_TRACE", directory, 1);
	execv("/proc/self/exe", argv);
}

static void remove_files(void)
{
	const char *path = getenv("WEIR_LIVE");
	DIR *directory = path ? opendir(path) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
	if (path)
		rmdir(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_of_every_thread_counts),
		cmocka_unit_test(signals_in_the_middle_count),
		cmocka_unit_test(a_child_has_its_own_account),
		cmocka_unit_test(a_call_left_by_longjmp_is_settled),
		cmocka_unit_test(what_a_call_did_counts_too),
	};
	int failed;

	record_ourselves(argv);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_files();
	return failed;
}
