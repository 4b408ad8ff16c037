/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings where who submits and who reaps differ, and ends that no one sees. */
#include "async_tell.h"

#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRIES 8 /* and twice as many completions */

static struct io_uring ring;
static char data[4096];
static long wanted;

static void must_open_ring(void)
{
	int ret = io_uring_queue_init(ENTRIES, &ring, 0);

	if (ret < 0)
		tell_failure("io_uring cannot be used here");
}

/* Takes completions by inline code, which asks only when there is none. */
static void *reap(void *unused)
{
	struct io_uring_cqe *cqe;

	for (long i = 0; i < wanted; i++) {
		if (io_uring_wait_cqe(&ring, &cqe))
			tell_failure("no completion");
		tell("uring_done", cqe->res, "'id':%llu", cqe->user_data);
		io_uring_cqe_seen(&ring, cqe);
	}
	return NULL;
}

static void submit_some(int fd, long first, int n)
{
	for (int i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
		long id = first + i;

		if (!sqe)
			tell_failure("the ring is full");
		io_uring_prep_read(sqe, fd, data, (unsigned)(1 + id % 99),
				   (__u64)(id % 1000));
		sqe->user_data = (__u64)id;
		tell("uring_op", 0, "'fd':%d,'id':%ld,%s", fd, id,
		     tell_extent((size_t)(1 + id % 99), id % 1000));
	}
	/* While completions pile up the kernel takes fewer, or none. */
	while (io_uring_submit(&ring), io_uring_sq_ready(&ring))
		sched_yield();
}

static void play_race(long count)
{
	pthread_t reaper;
	unsigned seed = 1;
	int fd;

	oracle_make_file("data", 2000);
	fd = open("data", O_RDONLY);
	must_open_ring();
	wanted = count;
	pthread_create(&reaper, NULL, reap, NULL);
	for (long at = 0; at < count;) {
		long n = 1 + rand_r(&seed) % ENTRIES;

		n = n > count - at ? count - at : n;
		submit_some(fd, at, (int)n);
		at += n;
	}
	pthread_join(reaper, NULL);
	io_uring_queue_exit(&ring);
}

/* Reads of an empty pipe that end with the program. */
static void play_unseen(long count)
{
	int fds[2];

	if (pipe(fds))
		tell_failure("no pipe");
	must_open_ring();
	submit_some(fds[0], 0, (int)count);
	io_uring_queue_exit(&ring);
}

const struct scenario oracle_race[] = {
	{ "uring-race", play_race },
	{ "uring-unseen", play_unseen },
	{ NULL, NULL },
};
