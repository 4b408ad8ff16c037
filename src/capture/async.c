/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of asynchronous operations: handed over, and seen completed. */
#include "capture/async.h"

#include "capture/jot.h"
#include "capture/note.h"
#include "capture/peek.h"
#include "gate/fdmap.h"

#include <sys/uio.h>

#define MOST_PARTS 1024 /* the kernel takes no longer vectors */

void weir_async_begin(struct weir_pass *pass)
{
	pass->thread->state = WEIR_THREAD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
}

void weir_async_end(struct weir_pass *pass)
{
	weir_observe_done(pass->thread);
}

static uint32_t handle_of(struct weir_pass *pass, int fd)
{
	uint64_t entry = weir_fdmap_get(fd);

	if (fd < 0)
		return 0;
	if (!entry || pass->thread->vforks) {
		entry = weir_note_identify(pass->thread, fd);
		weir_async_begin(pass);
	}
	return entry ? weir_fdmap_handle(entry)
		     : WEIR_HANDLE_BARE | (uint32_t)fd;
}

/* A vector nobody can read will fail; it is told as one without parts. */
static void put_vector(struct weir_jot *d, struct weir_thread *t,
		       const struct weir_async_op *op, struct weir_args *args)
{
	args->iov = op->iov;
	args->iovcnt = op->iovcnt;
	if (op->iovcnt > MOST_PARTS ||
	    !weir_peek_can_read(t, op->iov,
				op->iovcnt * sizeof(struct iovec)))
		args->iov = NULL;
	weir_jot_vector(d, args);
}

void weir_async_hand_over(struct weir_pass *pass, struct weir_async_op *op)
{
	struct weir_pass child =
		weir_observe_child(pass, handle_of(pass, op->fd));
	struct weir_jot *d = weir_observe_child_detail(&child);
	struct weir_args args = {
		.call = op->call,
		.has_off = op->has_off,
		.off = op->off,
		.size = op->size,
	};

	child.end = pass->start;
	weir_jot_unsigned(d, op->op);
	weir_jot_unsigned(d, op->id);
	if (op->iov)
		put_vector(d, pass->thread, op, &args);
	weir_observe_derive(&child, &args);
}

void weir_async_complete(struct weir_pass *pass, uint16_t call, uint64_t id,
			 int64_t result)
{
	struct weir_pass child = weir_observe_child(pass, 0);
	struct weir_args args = {
		.call = call,
		.failed = result < 0,
		.err = result < 0 ? (int)-result : 0,
		.ret = result,
	};

	child.start = pass->end;
	weir_jot_unsigned(weir_observe_child_detail(&child), id);
	weir_observe_derive(&child, &args);
}
