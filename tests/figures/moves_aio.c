/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves bytes by POSIX asynchronous I/O. */
#include "moves.h"

#include <aio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct aiocb blocks[MOVES_BATCH];

static void fill(const struct moves_task *t, long round, int op, int i)
{
	blocks[i] = (struct aiocb){
		.aio_fildes = t->fd, .aio_lio_opcode = op,
		.aio_buf = t->data + (size_t)i * t->size,
		.aio_nbytes = t->size, .aio_offset = moves_place(t, round, i),
		.aio_sigevent.sigev_notify = SIGEV_NONE,
	};
}

static void reap(int i, int op)
{
	const struct aiocb *list[] = { &blocks[i] };

	moves_need(!aio_suspend(list, 1, NULL), "aio_suspend");
	moves_add(op == LIO_READ ? &moved.read : &moved.written,
		  aio_return(&blocks[i]));
}

static void submit(int i, int op)
{
	moves_need(!(op == LIO_READ ? aio_read(&blocks[i])
				    : aio_write(&blocks[i])), "aio");
}

static void run_batches(const struct moves_task *t, int op)
{
	for (long round = 0; round < t->rounds; round++) {
		for (int i = 0; i < MOVES_BATCH; i++) {
			fill(t, round, op, i);
			submit(i, op);
		}
		for (int i = 0; i < MOVES_BATCH; i++)
			reap(i, op);
	}
}

static void run_write(const struct moves_task *t)
{
	run_batches(t, LIO_WRITE);
}

static void run_read(const struct moves_task *t)
{
	run_batches(t, LIO_READ);
}

/* The same block goes one way, then the other. */
static void run_both(const struct moves_task *t)
{
	for (long round = 0; round < t->rounds; round++) {
		for (int op = LIO_READ; op <= LIO_WRITE; op++) {
			fill(t, round, op, 0);
			submit(0, op);
			reap(0, op);
		}
	}
}

static void run_list(const struct moves_task *t, int mode, int mixed)
{
	struct aiocb *list[MOVES_BATCH];

	for (long round = 0; round < t->rounds; round++) {
		for (int i = 0; i < MOVES_BATCH; i++) {
			fill(t, round, mixed && i % 2 ? LIO_READ : LIO_WRITE,
			     i);
			list[i] = &blocks[i];
		}
		moves_need(!lio_listio(mode, list, MOVES_BATCH, NULL), "lio");
		for (int i = 0; i < MOVES_BATCH; i++)
			reap(i, mixed && i % 2 ? LIO_READ : LIO_WRITE);
	}
}

static void run_list_wait(const struct moves_task *t)
{
	run_list(t, LIO_WAIT, 0);
}

static void run_list_mixed(const struct moves_task *t)
{
	run_list(t, LIO_WAIT, 1);
}

static void run_list_nowait(const struct moves_task *t)
{
	run_list(t, LIO_NOWAIT, 1);
}

/* A thread submits, another sees the ends. */
static void *reap_all(void *op)
{
	for (int i = 0; i < MOVES_BATCH; i++)
		reap(i, *(int *)op);
	return NULL;
}

static void run_threads(const struct moves_task *t)
{
	for (long round = 0; round < t->rounds; round++) {
		int op = round % 2 ? LIO_READ : LIO_WRITE;
		pthread_t thread;

		for (int i = 0; i < MOVES_BATCH; i++) {
			fill(t, round / 2, op, i);
			submit(i, op);
		}
		moves_need(!pthread_create(&thread, NULL, reap_all, &op),
			   "thread");
		pthread_join(thread, NULL);
	}
}

const struct moves_way moves_aio[] = {
	{ "aio-write", "async", run_write },
	{ "aio-read", "async", run_read },
	{ "aio-both", "async", run_both },
	{ "aio-threads", "async", run_threads },
	{ "lio-wait", "async", run_list_wait },
	{ "lio-mixed", "async", run_list_mixed },
	{ "lio-nowait", "async", run_list_nowait },
	{ 0 },
};
