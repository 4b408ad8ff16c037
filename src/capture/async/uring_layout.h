/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes how liburing 2 lays out a ring; its users have it compiled in. */
#ifndef WEIR_ASYNC_URING_LAYOUT_H
#define WEIR_ASYNC_URING_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct weir_uring_sq {
	_Atomic uint32_t *head, *tail;
	uint32_t *mask, *entries, *flags, *dropped, *array;
	uint8_t *sqes;		     /* struct io_uring_sqe */
	uint32_t sqe_head, sqe_tail; /* prepared, not handed over */
	size_t bytes;
	void *memory;
	uint32_t later[4];
};

struct weir_uring_cq {
	_Atomic uint32_t *head, *tail;
	uint32_t *mask, *entries, *flags, *overflow;
	uint8_t *cqes; /* struct io_uring_cqe */
	size_t bytes;
	void *memory;
	uint32_t later[4];
};

struct weir_uring {
	struct weir_uring_sq sq;
	struct weir_uring_cq cq;
	uint32_t flags;
	int ring_fd;
	uint32_t features;
};

#endif
