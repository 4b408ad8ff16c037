/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves bytes by Linux's asynchronous I/O. */
#include "moves.h"

#include <libaio.h>
#include <string.h>
#include <sys/uio.h>

static io_context_t context;
static struct iocb blocks[MOVES_BATCH], *list[MOVES_BATCH];
static struct iovec vecs[MOVES_BATCH];

static void finish(void)
{
	struct io_event events[MOVES_BATCH];

	moves_need(io_submit(context, MOVES_BATCH, list) == MOVES_BATCH,
		   "io_submit");
	moves_need(io_getevents(context, MOVES_BATCH, MOVES_BATCH, events,
				NULL) == MOVES_BATCH, "io_getevents");
	for (int i = 0; i < MOVES_BATCH; i++) {
		int op = events[i].obj->aio_lio_opcode;

		moves_add(op == IO_CMD_PREAD || op == IO_CMD_PREADV ?
				  &moved.read : &moved.written,
			  (long)events[i].res);
	}
}

static void prepare(const struct moves_task *t, long round, int i, int op)
{
	char *at = t->data + (size_t)i * t->size;
	off_t off = moves_place(t, round, i);

	list[i] = &blocks[i];
	vecs[i] = (struct iovec){ at, t->size };
	if (op == IO_CMD_PREAD)
		io_prep_pread(&blocks[i], t->fd, at, t->size, off);
	else if (op == IO_CMD_PWRITE)
		io_prep_pwrite(&blocks[i], t->fd, at, t->size, off);
	else if (op == IO_CMD_PREADV)
		io_prep_preadv(&blocks[i], t->fd, &vecs[i], 1, off);
	else
		io_prep_pwritev(&blocks[i], t->fd, &vecs[i], 1, off);
}

static void run_ops(const struct moves_task *t, int even, int odd)
{
	moves_need(!io_setup(MOVES_BATCH, &context), "io_setup");
	for (long round = 0; round < t->rounds; round++) {
		for (int i = 0; i < MOVES_BATCH; i++)
			prepare(t, round, i, i % 2 ? odd : even);
		finish();
	}
	io_destroy(context);
}

static void run_write(const struct moves_task *t)
{
	run_ops(t, IO_CMD_PWRITE, IO_CMD_PWRITE);
}

static void run_read(const struct moves_task *t)
{
	run_ops(t, IO_CMD_PREAD, IO_CMD_PREAD);
}

static void run_mixed(const struct moves_task *t)
{
	run_ops(t, IO_CMD_PWRITE, IO_CMD_PREAD);
}

static void run_vectors(const struct moves_task *t)
{
	run_ops(t, IO_CMD_PWRITEV, IO_CMD_PREADV);
}

const struct moves_way moves_libaio[] = {
	{ "libaio-write", "async", run_write },
	{ "libaio-read", "async", run_read },
	{ "libaio-mixed", "async", run_mixed },
	{ "libaio-vectors", "async", run_vectors },
	{ 0 },
};
