/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves bytes by io_uring, by the calls of liburing. */
#include "moves.h"

#include <liburing.h>
#include <string.h>
#include <sys/uio.h>

static struct io_uring ring;
static struct iovec vecs[MOVES_BATCH];

enum op { READ, WRITE, READV, WRITEV, READ_FIXED, WRITE_FIXED };

static void prepare(const struct moves_task *t, long round, int i, enum op op)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
	unsigned size = (unsigned)t->size;
	unsigned long long off =
		(unsigned long long)moves_place(t, round, i);
	void *at = vecs[i].iov_base;

	moves_need(sqe != NULL, "sqe");
	switch (op) {
	case READ:
		io_uring_prep_read(sqe, t->fd, at, size, off);
		break;
	case WRITE:
		io_uring_prep_write(sqe, t->fd, at, size, off);
		break;
	case READV:
		io_uring_prep_readv(sqe, t->fd, &vecs[i], 1, off);
		break;
	case WRITEV:
		io_uring_prep_writev(sqe, t->fd, &vecs[i], 1, off);
		break;
	case READ_FIXED:
		io_uring_prep_read_fixed(sqe, t->fd, at, size, off, i);
		break;
	case WRITE_FIXED:
		io_uring_prep_write_fixed(sqe, t->fd, at, size, off, i);
		break;
	}
	io_uring_sqe_set_data64(sqe, (unsigned long long)op);
}

static void finish(void)
{
	struct io_uring_cqe *cqe;

	moves_need(io_uring_submit_and_wait(&ring, MOVES_BATCH) ==
			   MOVES_BATCH, "submit");
	for (int i = 0; i < MOVES_BATCH; i++) {
		moves_need(!io_uring_wait_cqe(&ring, &cqe), "wait");
		moves_add(cqe->user_data % 2 ? &moved.written : &moved.read,
			  cqe->res);
		io_uring_cqe_seen(&ring, cqe);
	}
}

static void run_ops(const struct moves_task *t, enum op even, enum op odd)
{
	moves_need(!io_uring_queue_init(2 * MOVES_BATCH, &ring, 0), "ring");
	for (int i = 0; i < MOVES_BATCH; i++)
		vecs[i] = (struct iovec){ t->data + (size_t)i * t->size,
					  t->size };
	moves_need(!io_uring_register_buffers(&ring, vecs, MOVES_BATCH),
		   "buffers");
	for (long round = 0; round < t->rounds; round++) {
		for (int i = 0; i < MOVES_BATCH; i++)
			prepare(t, round, i, i % 2 ? odd : even);
		finish();
	}
	io_uring_queue_exit(&ring);
}

static void run_write(const struct moves_task *t)
{
	run_ops(t, WRITE, WRITE);
}

static void run_read(const struct moves_task *t)
{
	run_ops(t, READ, READ);
}

static void run_mixed(const struct moves_task *t)
{
	run_ops(t, WRITE, READ);
}

static void run_vectors(const struct moves_task *t)
{
	run_ops(t, WRITEV, READV);
}

static void run_fixed(const struct moves_task *t)
{
	run_ops(t, WRITE_FIXED, READ_FIXED);
}

const struct moves_way moves_uring[] = {
	{ "uring-write", "async", run_write },
	{ "uring-read", "async", run_read },
	{ "uring-mixed", "async", run_mixed },
	{ "uring-vectors", "async", run_vectors },
	{ "uring-fixed", "async", run_fixed },
	{ 0 },
};
