/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: some at once, many at once, many one after another. */
#include "oracle.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_THREADS 1024

static pthread_barrier_t together;
static int shared_fd;

struct job {
	pthread_t thread;
	long number, count;
	int fd;
};

static void run_jobs(long threads, long count, void *(*work)(void *))
{
	static struct job jobs[MOST_THREADS];

	if (threads > MOST_THREADS)
		tell_failure("too many threads");
	pthread_barrier_init(&together, NULL, (unsigned)threads);
	for (long i = 0; i < threads; i++) {
		jobs[i].number = i;
		jobs[i].count = count;
		if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]))
			tell_failure("no thread");
	}
	for (long i = 0; i < threads; i++)
		pthread_join(jobs[i].thread, NULL);
}

static void told_at(const char *symbol, int fd, long off, size_t size,
		    long ret)
{
	tell(symbol, ret, "%s,'off':%ld,'size':%zu", book_name(fd), off, size);
}

static int open_own(const struct job *job)
{
	char name[32];

	snprintf(name, sizeof(name), "own-%ld", job->number);
	return book_do_open(name, O_RDWR | O_CREAT, 0644);
}

static void *work_own_and_shared(void *arg)
{
	struct job *job = arg;
	char data[64] = "";
	int fd = open_own(job);

	pthread_barrier_wait(&together);
	for (long i = 0; i < job->count; i++) {
		long off = (job->number * job->count + i) * 16;

		book_transfer("write", fd, (size_t)i % 64,
			      write(fd, data, (size_t)i % 64));
		told_at("pwrite", shared_fd, off, 16,
			pwrite(shared_fd, data, 16, off));
		told_at("pread", fd, i, 24, pread(fd, data, 24, i));
	}
	book_do_close(fd);
	return NULL;
}

static void play_threads(long count)
{
	shared_fd = book_do_open("shared", O_RDWR | O_CREAT, 0644);
	run_jobs(8, count, work_own_and_shared);
	book_do_close(shared_fd);
}

/* All are there before the first ends. */
static void *work_short(void *arg)
{
	struct job *job = arg;
	char data[16] = "";
	int fd = open_own(job);

	book_transfer("write", fd, 16, write(fd, data, 16));
	pthread_barrier_wait(&together);
	book_transfer("write", fd, 8, write(fd, data, 8));
	book_do_close(fd);
	pthread_barrier_wait(&together);
	return NULL;
}

static void play_crowd(long count)
{
	run_jobs(count, 1, work_short);
}

static void play_queue(long count)
{
	for (long i = 0; i < count; i++)
		run_jobs(1, 1, work_short);
}

/*
 * Threads that share a position: which cell a read got is known only from
 * what is in it. A recorder may say the same, or that it does not know.
 */
static void *work_race(void *arg)
{
	struct job *job = arg;
	int fd = job->number % 2 ? shared_fd : dup(shared_fd);
	uint64_t cell;

	if (fd != shared_fd) {
		tell("dup", fd, "%s", book_name(shared_fd));
		book_dup(shared_fd, fd, false);
	}
	pthread_barrier_wait(&together);
	for (long i = 0; i < job->count; i++) {
		long n;

		if (i % 50 == 49) {
			n = lseek(fd, i * 8, SEEK_SET);
			tell("lseek", n, "%s,'off':%ld,'args':{'whence':0}",
			     book_name(fd), i * 8);
		}
		n = read(fd, &cell, sizeof(cell));
		if (n != sizeof(cell))
			tell_failure("the cells do not suffice");
		tell("read", n, "%s,'may_off':%ld,'size':8", book_name(fd),
		     (long)cell * 8);
	}
	pthread_barrier_wait(&together);
	return NULL;
}

static void make_cells(const char *path, long count)
{
	uint64_t *cells = calloc((size_t)count, sizeof(*cells));
	size_t bytes = (size_t)count * sizeof(*cells);
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0644);

	if (!cells || fd < 0)
		tell_failure("no cells");
	for (long i = 0; i < count; i++)
		cells[i] = (uint64_t)i;
	if (raw_call(SYS_write, fd, cells, bytes) != (long)bytes)
		tell_failure("the cells cannot be written");
	raw_call(SYS_close, fd);
	free(cells);
}

static void play_race(long count)
{
	uint64_t cell;

	make_cells("cells", count * 3);
	shared_fd = book_do_open("cells", O_RDONLY, 0);
	run_jobs(2, count, work_race);
	tell("lseek", lseek(shared_fd, 80, SEEK_SET),
	     "%s,'off':80,'args':{'whence':0}", book_name(shared_fd));
	book_seek(shared_fd, 80);
	for (int i = 0; i < 3; i++)
		book_transfer("read", shared_fd, 8,
			      read(shared_fd, &cell, 8));
}

const struct scenario oracle_threads[] = {
	{ "threads", play_threads }, { "crowd", play_crowd },
	{ "queue", play_queue },     { "race", play_race },
	{ NULL, NULL },
};
