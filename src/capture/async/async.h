/* SPDX-License-Identifier: BSD-3-Clause */
/* Records asynchronous operations: as they are handed over, and completed. */
#ifndef WEIR_ASYNC_ASYNC_H
#define WEIR_ASYNC_ASYNC_H

#include "capture/record/pass.h"

/*
 * Operations are told between begin and end, while a call is open: those it
 * hands over before the call itself, with the call's start as their time, and
 * completions after it, with its end. So, in order of time, an operation
 * comes before its completion and that before the next operation with the
 * same id, whichever threads submit and reap.
 */
void weir_async_begin(struct weir_pass *pass);
void weir_async_end(struct weir_pass *pass);

struct weir_async_op {
	uint16_t call; /* which record */
	uint8_t op;
	bool has_off;
	bool writes;
	int fd; /* -1: none */
	int64_t off;
	uint64_t size;
	uint64_t id;
	const void *data;
	const void *memory; /* of a transfer's bytes; NULL: in several places */
	const void *iov; /* NULL: it has none */
	uint64_t iovcnt;
	bool in_ring; /* then these are told too: */
	bool has_slot;
	uint8_t flags;
	int ring_fd;
	uint32_t slot; /* of the files registered with the ring */
};

void weir_async_hand_over(struct weir_pass *pass,
			  const struct weir_async_op *op);

/* An operation on a name. */
struct weir_async_path {
	uint8_t op, flags;
	int dirfd, ring_fd;
	const char *path;
	uint64_t id;
};

void weir_async_hand_over_path(struct weir_pass *pass,
			       const struct weir_async_path *op);

/* One that could not be read, and yet the kernel took it: a counted drop. */
void weir_async_lose(struct weir_pass *pass);

/* `result` below 0 is an error number, negated. */
void weir_async_complete(struct weir_pass *pass, uint16_t call, uint64_t id,
			 int64_t result);

struct io_uring_cqe;
void weir_async_complete_in_ring(struct weir_pass *pass, int ring_fd,
				 const struct io_uring_cqe *cqe);

#endif
