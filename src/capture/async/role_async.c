/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of POSIX asynchronous I/O and of libaio. */
#include "capture/async/async.h"
#include "capture/call/poll.h"
#include "capture/record/pass.h"
#include "capture/record/readable.h"
#include "capture/roles/role.h"
#include "spec/calls.h"

#include <aio.h>
#include <errno.h>
#include <linux/aio_abi.h>
#include <time.h>

/*
 * One operation, and the call's own record stands for it. libc reads the
 * control block in any case, so we may.
 */
void weir_role_submit_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct aiocb *block = args->object;

	args->fd = block->aio_fildes;
	if (args->call != WEIR_CALL_AIO_FSYNC) {
		args->has_off = true;
		args->off = block->aio_offset;
		args->size = block->aio_nbytes;
		args->memory = (const void *)block->aio_buf;
	}
	weir_role_find(pass, args);
	if (args->call == WEIR_CALL_AIO_WRITE && weir_digesting_wants(pass)) {
		struct weir_digesting_call call =
			weir_digesting_call(pass, args);

		call.data = (const void *)block->aio_buf;
		weir_digesting_submit(&call);
	}
	weir_observe_start(pass, args);
}

void weir_role_submit_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}

void weir_role_done_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

/* The operation's error stands in the block; errno is not set. */
void weir_role_done_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct aiocb *block = args->object;

	if (args->failed)
		args->err = block->__error_code;
	weir_observe_record(pass, args);
}

/* Who waits for a time is no poll, though it found nothing either. */
static bool is_in_vain(const struct weir_args *args)
{
	const struct timespec *timeout = args->timeout;

	if (args->call == WEIR_CALL_AIO_ERROR)
		return args->ret == EINPROGRESS;
	return args->failed && args->err == EAGAIN && timeout &&
	       !timeout->tv_sec && !timeout->tv_nsec;
}

void weir_role_poll_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_poll_start(pass, args);
}

void weir_role_poll_after(struct weir_pass *pass, struct weir_args *args)
{
	if (!is_in_vain(args) || !weir_poll_fold(pass))
		weir_observe_record(pass, args);
}

/* Elements that are not there or do nothing are no operations. */
static bool is_operation(const struct aiocb *block)
{
	return block && block->aio_lio_opcode != LIO_NOP;
}

static bool list_is_refused(const struct weir_args *args)
{
	return (int)args->size < 0 ||
	       (args->flags != LIO_WAIT && args->flags != LIO_NOWAIT);
}

void weir_role_lio_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct aiocb *const *list = args->object;

	pass->handle = 0;
	weir_observe_start(pass, args);
	if (list_is_refused(args))
		return;
	weir_async_begin(pass);
	for (uint64_t i = 0; i < args->size; i++) {
		struct weir_async_op op = { .call = WEIR_CALL_AIO_OP };

		if (!is_operation(list[i]))
			continue;
		op.op = (uint8_t)list[i]->aio_lio_opcode;
		op.fd = list[i]->aio_fildes;
		op.has_off = true;
		op.off = list[i]->aio_offset;
		op.size = list[i]->aio_nbytes;
		op.id = (uintptr_t)list[i];
		op.writes = op.op == LIO_WRITE;
		op.data = op.memory = (const void *)list[i]->aio_buf;
		weir_async_hand_over(pass, &op);
	}
	weir_async_end(pass);
}

/* Who waited for all knows all results. */
void weir_role_lio_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct aiocb *const *list = args->object;
	bool waited = args->flags == LIO_WAIT &&
		      (!args->failed || args->err == EIO) &&
		      !list_is_refused(args);

	for (uint64_t i = 0; waited && i < args->size; i++) {
		int err = is_operation(list[i]) ? list[i]->__error_code
						: EINPROGRESS;

		if (err != EINPROGRESS)
			weir_async_complete(
				pass, WEIR_CALL_AIO_DONE, (uintptr_t)list[i],
				err ? -err : list[i]->__return_value);
	}
	weir_observe_record(pass, args);
}

enum { FD = 1, EXTENT = 2, VECTOR = 4 };

/* What the fields of a control block mean to its operation. */
static const uint8_t iocb_fields[] = {
	[IOCB_CMD_PREAD] = FD | EXTENT,
	[IOCB_CMD_PWRITE] = FD | EXTENT,
	[IOCB_CMD_FSYNC] = FD,
	[IOCB_CMD_FDSYNC] = FD,
	[IOCB_CMD_POLL] = FD,
	[IOCB_CMD_PREADV] = FD | VECTOR,
	[IOCB_CMD_PWRITEV] = FD | VECTOR,
};

static void hand_over_iocb(struct weir_pass *pass, const struct iocb *block)
{
	uint8_t code = (uint8_t)block->aio_lio_opcode;
	uint8_t fields = code < sizeof(iocb_fields) ? iocb_fields[code] : 0;
	struct weir_async_op op = {
		.call = WEIR_CALL_IOCB_OP,
		.op = code,
		.fd = fields & FD ? (int)block->aio_fildes : -1,
		.has_off = fields & (EXTENT | VECTOR),
		.off = block->aio_offset,
		.size = fields & EXTENT ? block->aio_nbytes : 0,
		.id = (uintptr_t)block,
		.writes = code == IOCB_CMD_PWRITE || code == IOCB_CMD_PWRITEV,
		.data = (const void *)(uintptr_t)block->aio_buf,
		.memory = fields & EXTENT
				  ? (const void *)(uintptr_t)block->aio_buf
				  : NULL,
	};

	if (fields & VECTOR) {
		op.iov = (const void *)(uintptr_t)block->aio_buf;
		op.iovcnt = block->aio_nbytes;
	}
	weir_async_hand_over(pass, &op);
}

/* The longest list whose first n can be read: the kernel stops there too. */
void weir_role_iosubmit_before(struct weir_pass *pass, struct weir_args *args)
{
	const struct iocb *const *list = args->object;
	struct weir_thread *t = pass->thread;

	pass->handle = 0;
	weir_observe_start(pass, args);
	weir_async_begin(pass);
	for (int64_t i = 0; i < (int64_t)args->size; i++) {
		if (!weir_readable_has_bytes(t, &list[i], sizeof(list[i])) ||
		    !weir_readable_has_bytes(t, list[i], sizeof(*list[i])))
			break;
		hand_over_iocb(pass, list[i]);
		pass->told++;
	}
	weir_async_end(pass);
}

/* What was offered and not taken is over, with the error of the call. */
void weir_role_iosubmit_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct iocb *const *list = args->object;
	uint64_t taken = args->failed ? 0 : (uint64_t)args->ret;

	for (uint64_t i = pass->told; i < taken; i++)
		weir_async_lose(pass);
	for (uint64_t i = taken; i < pass->told; i++)
		weir_async_complete(pass, WEIR_CALL_IOCB_DONE,
				    (uintptr_t)list[i],
				    args->failed ? -args->err : -EAGAIN);
	weir_observe_record(pass, args);
}

void weir_role_ioevents_before(struct weir_pass *pass, struct weir_args *args)
{
	pass->handle = 0;
	weir_observe_start(pass, args);
}

void weir_role_ioevents_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct io_event *events = args->object;

	for (int64_t i = 0; !args->failed && i < args->ret; i++)
		weir_async_complete(pass, WEIR_CALL_IOCB_DONE, events[i].obj,
				    events[i].res);
	weir_observe_record(pass, args);
}
