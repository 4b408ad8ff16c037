/* SPDX-License-Identifier: BSD-3-Clause */
/* Records asynchronous operations: as they are handed over, and completed. */
#include "capture/async/async.h"

#include "capture/digests/digesting.h"
#include "capture/record/chunk.h"
#include "capture/record/encode.h"
#include "capture/record/fdnames.h"
#include "capture/record/readable.h"
#include "capture/record/record.h"
#include "gate/fdmap.h"
#include "spec/calls.h"

#include <linux/io_uring.h>
#include <sys/uio.h>

#define MOST_PARTS 1024 /* the kernel takes no longer vectors */

void weir_async_begin(struct weir_pass *pass)
{
	pass->thread->address = pass->address;
	pass->thread->state = WEIR_THREAD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
}

void weir_async_end(struct weir_pass *pass)
{
	weir_thread_done(pass->thread);
}

static uint32_t handle_of(struct weir_pass *pass, int fd)
{
	uint64_t entry = weir_fdmap_get(fd);

	if (fd < 0)
		return 0;
	if (!entry || pass->thread->vforks) {
		entry = weir_fdnames_identify(pass->thread, fd);
		weir_async_begin(pass);
	}
	return entry ? weir_fdmap_handle(entry)
		     : WEIR_HANDLE_BARE | (uint32_t)fd;
}

/* A vector nobody can read will fail; its parts are not told. */
static void put_vector(struct weir_encoded *d, struct weir_thread *t,
		       const struct weir_async_op *op, struct weir_args *args)
{
	args->iov = op->iov;
	args->iovcnt = op->iovcnt;
	if (op->iovcnt > MOST_PARTS ||
	    !weir_readable_has_bytes(t, op->iov,
				     op->iovcnt * sizeof(struct iovec))) {
		args->iov = NULL;
		d->cut = true;
	}
	weir_encode_vector(d, args);
}

/* What is in one place, where others have a vector. */
static void put_piece(struct weir_encoded *d, const struct weir_async_op *op)
{
	weir_encode_unsigned(d, 1);
	weir_encode_unsigned(d, 1);
	weir_encode_unsigned(d, (uintptr_t)op->memory);
	weir_encode_unsigned(d, op->size);
}

static void put_ring(struct weir_encoded *d, int ring_fd, uint32_t flags)
{
	weir_encode_handle(d, ring_fd);
	weir_encode_unsigned(d, flags);
}

static void digest_op(const struct weir_pass *child,
		      const struct weir_async_op *op)
{
	struct weir_digesting_call call = {
		.entry = weir_fdmap_get(op->fd),
		.handle = child->handle,
		.fd = op->fd,
		.why = child->why,
		.has_off = op->has_off,
		.off = op->off,
		.size = op->size,
		.data = op->iov ? NULL : op->data,
		.iov = op->iov,
		.iovcnt = op->iovcnt,
	};

	weir_digesting_submit(&call);
}

void weir_async_hand_over(struct weir_pass *pass,
			  const struct weir_async_op *op)
{
	struct weir_pass child =
		weir_record_child(pass, handle_of(pass, op->fd));
	struct weir_encoded *d = weir_record_child_detail(&child);
	struct weir_args args = {
		.call = op->call,
		.has_off = op->has_off,
		.off = op->off,
		.size = op->size,
		.memory = op->call == WEIR_CALL_AIO_OP ? op->memory : NULL,
	};

	child.end = pass->start;
	child.why |= weir_fdmap_why(weir_fdmap_get(op->fd));
	weir_encode_unsigned(d, op->op);
	weir_encode_unsigned(d, op->id);
	if (op->in_ring) {
		put_ring(d, op->ring_fd, op->flags);
		weir_encode_optional(d, op->has_slot, op->slot);
	}
	if (op->iov)
		put_vector(d, pass->thread, op, &args);
	else if (child.why & WEIR_MANNER_POINTERS && op->memory && !args.memory)
		put_piece(d, op);
	weir_record_derive(&child, &args);
	if (op->writes && weir_digesting_wants(pass))
		digest_op(&child, op);
}

/* A name that cannot be read will fail; it is told as an empty one. */
void weir_async_hand_over_path(struct weir_pass *pass,
			       const struct weir_async_path *op)
{
	struct weir_args args = { .call = WEIR_CALL_URING_PATH,
				  .dirfd = op->dirfd };
	struct weir_pass child;
	struct weir_encoded *d;

	if (op->dirfd >= 0)
		handle_of(pass, op->dirfd);
	child = weir_record_child(pass, 0);
	d = weir_record_child_detail(&child);
	child.end = pass->start;
	weir_encode_unsigned(d, op->op);
	weir_encode_signed(d, op->dirfd);
	weir_encode_path(d, &args,
			 weir_readable_has_text(pass->thread, op->path)
				 ? op->path
				 : NULL);
	weir_encode_unsigned(d, op->id);
	put_ring(d, op->ring_fd, op->flags);
	weir_record_derive(&child, &args);
}

void weir_async_lose(struct weir_pass *pass)
{
	weir_chunk_drop(pass->thread, pass->depth + 1, pass->end);
}

static struct weir_args result_args(uint16_t call, int64_t result)
{
	return (struct weir_args){
		.call = call,
		.failed = result < 0,
		.err = result < 0 ? (int)-result : 0,
		.ret = result,
	};
}

static struct weir_pass completion(const struct weir_pass *pass, uint64_t id)
{
	struct weir_pass child = weir_record_child(pass, 0);

	child.start = pass->end;
	weir_encode_unsigned(weir_record_child_detail(&child), id);
	return child;
}

void weir_async_complete(struct weir_pass *pass, uint16_t call, uint64_t id,
			 int64_t result)
{
	struct weir_args args = result_args(call, result);
	struct weir_pass child = completion(pass, id);

	weir_record_derive(&child, &args);
}

void weir_async_complete_in_ring(struct weir_pass *pass, int ring_fd,
				 const struct io_uring_cqe *cqe)
{
	struct weir_args args = result_args(WEIR_CALL_URING_DONE, cqe->res);
	struct weir_pass child = completion(pass, cqe->user_data);

	put_ring(&pass->thread->derived, ring_fd, cqe->flags);
	weir_record_derive(&child, &args);
}
