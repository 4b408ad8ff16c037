/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads by the thousand: short ones, and cancelled ones. */
#include "storm.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define AT_ONCE 32
#define DONE_THREAD 0
#define DONE_CANCELLED 1

static int shared, silent[2];

static void *do_one(void *arg)
{
	char byte;

	tally_do(DONE_THREAD);
	tally_check(tally_pread(shared, &byte, 1, (long)arg) == 1);
	return NULL;
}

static int start_many(long count, char **argv)
{
	pthread_t threads[AT_ONCE];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	shared = tally_openfile("/dev/zero", O_RDONLY);
	for (long n = 0; n < count; n += AT_ONCE) {
		for (long i = 0; i < AT_ONCE; i++)
			tally_check(!pthread_create(&threads[i], &small,
						    do_one, (void *)(n + i)));
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
	}
	return tally_close(shared);
}

static void clean_up(void *arg)
{
	char byte;

	tally_check(tally_pread(shared, &byte, 1, 0) == 1);
}

/* Waits in a read that nobody will ever answer. */
static void *wait_for_ever(void *arg)
{
	char byte;

	pthread_cleanup_push(clean_up, NULL);
	tally_read(silent[0], &byte, 1);
	pthread_cleanup_pop(0);
	return NULL;
}

/* Calls that are no cancellation points, and some that are. */
static void *work_for_ever(void *arg)
{
	char byte;

	pthread_cleanup_push(clean_up, NULL);
	for (long i = 0;; i++) {
		tally_pread(shared, &byte, 1, i);
		tally_lseek(shared, i);
		if (!(i % 16))
			pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

/* Cancelled at any instruction, as who asks for it must expect. */
static void *be_asynchronous(void *arg)
{
	char byte;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (long i = 0;; i++)
		tally_pread(shared, &byte, 1, i);
	return NULL;
}

/* Cancelled before it starts to wait: the call is entered and left at once. */
static void *be_late(void *arg)
{
	char byte;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	tally_check(tally_pread(shared, &byte, 1, 0) == 1);
	usleep(200);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	tally_read(silent[0], &byte, 1);
	return NULL;
}

static int cancel_many(long count, char **argv)
{
	static void *(*const kinds[])(void *arg) = {
		wait_for_ever, work_for_ever, be_late, be_asynchronous,
	};
	pthread_t thread;
	void *result;

	shared = tally_openfile("/dev/zero", O_RDONLY);
	tally_check(!tally_pipe(silent));
	for (long n = 0; n < count; n++) {
		tally_check(!pthread_create(&thread, NULL, kinds[n % 4],
					    NULL));
		if (n % 3)
			usleep((unsigned)(n % 150));
		pthread_cancel(thread);
		pthread_join(thread, &result);
		tally_check(result == PTHREAD_CANCELED);
		tally_do(DONE_CANCELLED);
	}
	return tally_close(silent[0]) || tally_close(silent[1]) ||
	       tally_close(shared);
}

const struct storm storm_threads[] = {
	{"threads", start_many},
	{"cancels", cancel_many},
	{NULL, NULL},
};
