/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what is in the queues of a ring that liburing made. */
#include "capture/async/uring.h"

#include "base/clock.h"
#include "capture/async/async.h"
#include "capture/memory/tick.h"
#include "gate/fdmap.h"
#include "gate/ofd.h"
#include "spec/calls.h"

#include <linux/io_uring.h>

#define RINGS	  4096 /* descriptors below this */
#define KNOWN	  (UINT64_C(1) << 32)
#define BIG_SQE	  (1u << 10) /* IORING_SETUP_SQE128 */
#define BIG_CQE	  (1u << 11) /* IORING_SETUP_CQE32 */
#define OWN_TIMER UINT64_MAX /* user data of liburing's own timeouts */
#define AT_ONCE	  16
#define HERE	  UINT64_MAX /* the offset that means the position */

/* Told up to; KNOWN | position. */
static struct {
	_Atomic uint64_t sq, cq;
} told[RINGS];

static bool can_track(const struct weir_uring *ring)
{
	return (unsigned)ring->ring_fd < RINGS && ring->sq.sqes &&
	       ring->cq.cqes;
}

void weir_uring_open(const struct weir_uring *ring)
{
	if (!can_track(ring))
		return;
	atomic_store(&told[ring->ring_fd].sq, KNOWN | ring->sq.sqe_head);
	atomic_store(&told[ring->ring_fd].cq,
		     KNOWN | atomic_load(ring->cq.head));
}

void weir_uring_forget(const struct weir_uring *ring)
{
	if ((unsigned)ring->ring_fd >= RINGS)
		return;
	atomic_store(&told[ring->ring_fd].sq, 0);
	atomic_store(&told[ring->ring_fd].cq, 0);
}

bool weir_uring_is_known(const struct weir_uring *ring)
{
	return can_track(ring) && atomic_load(&told[ring->ring_fd].cq);
}

/* Move a position to `end`; *ret_from is where it was. False: nothing new. */
static bool claim_entries(_Atomic uint64_t *position, uint32_t end,
			  uint32_t *ret_from)
{
	uint64_t was = atomic_load_explicit(position, memory_order_acquire);

	do {
		*ret_from = (uint32_t)was;
		if ((int32_t)(end - *ret_from) <= 0)
			return false;
	} while (!atomic_compare_exchange_weak(position, &was, KNOWN | end));
	return true;
}

enum {
	FD = 1,
	SIZE = 2,
	OFFSET = 4,
	VECTOR = 8,
	POSITIONED = 16, /* the highest offset means the position */
	PATH = 32,
	PATH2 = 64, /* at the second address */
	SPAN = 128, /* the size is where the address would be */
	TRANSFER = FD | SIZE | OFFSET | POSITIONED,
	VECTORED = FD | VECTOR | OFFSET | POSITIONED,
	STORAGE = FD | SIZE | OFFSET,
};

/* What the fields of an operation mean; numbers that headers may not know. */
static const uint8_t meanings[] = {
	[1] = VECTORED,
	[2] = VECTORED, /* readv, writev */
	[3] = STORAGE,	/* fsync */
	[4] = TRANSFER,
	[5] = TRANSFER, /* read_fixed, write_fixed */
	[6] = FD,	/* poll_add */
	[8] = STORAGE,	/* sync_file_range */
	[9] = FD,
	[10] = FD, /* sendmsg, recvmsg */
	[13] = FD,
	[16] = FD,		   /* accept, connect */
	[17] = FD | OFFSET | SPAN, /* fallocate */
	[18] = PATH,		   /* openat */
	[19] = FD,		   /* close */
	[21] = PATH,		   /* statx */
	[22] = TRANSFER,
	[23] = TRANSFER, /* read, write */
	[24] = STORAGE,	 /* fadvise */
	[26] = FD | SIZE,
	[27] = FD | SIZE, /* send, recv */
	[28] = PATH,	  /* openat2 */
	[29] = FD,	  /* epoll_ctl */
	[30] = TRANSFER,  /* splice: into fd */
	[33] = FD | SIZE,
	[34] = FD, /* tee, shutdown */
	[35] = PATH,
	[36] = PATH,
	[37] = PATH, /* rename, unlink, mkdir */
	[38] = PATH2,
	[39] = PATH, /* symlink, link */
	[40] = FD,
	[41] = FD,
	[43] = FD, /* msg_ring, f*xattr */
	[46] = FD,
	[47] = FD | SIZE,
	[48] = FD,	  /* cmd, send_zc, sendmsg_zc */
	[49] = FD | SIZE, /* read_multishot */
	[54] = FD,
	[55] = FD | OFFSET, /* fixed_fd_install, ftruncate */
	[56] = FD,
	[57] = FD, /* bind, listen */
	[60] = VECTORED,
	[61] = VECTORED, /* readv_fixed, writev_fixed */
};

/* Somebody else will use or end what we know of a descriptor. */
static void follow_descriptor(const struct weir_pass *pass,
			      const struct io_uring_sqe *sqe, int fd, bool here)
{
	if (fd < 0 || pass->thread->vforks)
		return;
	if (here)
		weir_ofd_share(weir_fdmap_ofd(weir_fdmap_get(fd)));
	if (sqe->opcode == IORING_OP_CLOSE && !sqe->file_index)
		weir_fdmap_drop(fd);
}

static void tell_path(struct weir_pass *pass, const struct weir_uring *ring,
		      const struct io_uring_sqe *sqe, uint64_t path)
{
	struct weir_async_path named = {
		.op = sqe->opcode,
		.flags = sqe->flags,
		.dirfd = sqe->fd,
		.ring_fd = ring->ring_fd,
		.path = (const char *)(uintptr_t)path,
		.id = sqe->user_data,
	};

	weir_async_hand_over_path(pass, &named);
}

static void tell_sqe(struct weir_pass *pass, const struct weir_uring *ring,
		     const struct io_uring_sqe *sqe)
{
	uint8_t means =
		sqe->opcode < sizeof(meanings) ? meanings[sqe->opcode] : 0;
	bool fixed = sqe->flags & IOSQE_FIXED_FILE;
	bool here = means & POSITIONED && sqe->off == HERE;
	struct weir_async_op op = {
		.call = WEIR_CALL_URING_OP,
		.op = sqe->opcode,
		.fd = means & FD && !fixed ? sqe->fd : -1,
		.has_off = means & OFFSET && !here,
		.off = (int64_t)sqe->off,
		.size = means & SIZE   ? sqe->len
			: means & SPAN ? sqe->addr
				       : 0,
		.id = sqe->user_data,
		.writes = sqe->opcode == IORING_OP_WRITE ||
			  sqe->opcode == IORING_OP_WRITEV ||
			  sqe->opcode == IORING_OP_WRITE_FIXED,
		.data = (const void *)(uintptr_t)sqe->addr,
		.memory = means == TRANSFER && sqe->opcode != IORING_OP_SPLICE
				  ? (const void *)(uintptr_t)sqe->addr
				  : NULL,
		.in_ring = true,
		.ring_fd = ring->ring_fd,
		.flags = sqe->flags,
		.has_slot = means & FD && fixed,
		.slot = (uint32_t)sqe->fd,
	};

	if (means & (PATH | PATH2)) {
		tell_path(pass, ring, sqe,
			  means & PATH ? sqe->addr : sqe->addr2);
		return;
	}
	if (means & VECTOR) {
		op.iov = (const void *)(uintptr_t)sqe->addr;
		op.iovcnt = sqe->len;
	}
	weir_async_hand_over(pass, &op);
	follow_descriptor(pass, sqe, op.fd, here);
}

/* A ring whose beginning nobody saw counts from its first call. */
static void adopt(const struct weir_uring *ring)
{
	if (!weir_uring_is_known(ring))
		weir_uring_open(ring);
}

uint32_t weir_uring_hand_over(struct weir_pass *pass,
			      const struct weir_uring *ring)
{
	uint32_t shift = ring->flags & BIG_SQE ? 7 : 6;
	uint32_t from = ring->sq.sqe_head, to = ring->sq.sqe_tail;

	if (can_track(ring)) {
		adopt(ring);
		if (!claim_entries(&told[ring->ring_fd].sq, to, &from))
			return 0;
	}
	for (uint32_t at = from; at != to; at++) {
		size_t place = (size_t)(at & *ring->sq.mask) << shift;

		tell_sqe(pass, ring, (const void *)(ring->sq.sqes + place));
	}
	return to - from;
}

/* False: the kernel has used the place again while we looked. */
static bool read_cqe(const struct weir_uring *ring, uint32_t at,
		     struct io_uring_cqe *ret)
{
	uint32_t shift = ring->flags & BIG_CQE ? 5 : 4;
	const struct io_uring_cqe *cqe =
		(const void *)(ring->cq.cqes +
			       ((size_t)(at & *ring->cq.mask) << shift));

	/* Each before the look at the tail, which must come last. */
	ret->user_data = __atomic_load_n(&cqe->user_data, __ATOMIC_ACQUIRE);
	ret->res = __atomic_load_n(&cqe->res, __ATOMIC_ACQUIRE);
	ret->flags = __atomic_load_n(&cqe->flags, __ATOMIC_ACQUIRE);
	return atomic_load_explicit(ring->cq.tail, memory_order_relaxed) - at <=
	       *ring->cq.entries;
}

/* A look at some completions, before they are claimed. */
struct look {
	uint32_t from, to;
	bool whole[AT_ONCE];
	struct io_uring_cqe cqes[AT_ONCE];
};

/* False: there is nothing new. */
static bool look_at_completions(const struct weir_uring *ring, uint32_t from,
				struct look *look)
{
	uint32_t tail =
		atomic_load_explicit(ring->cq.tail, memory_order_acquire);

	if ((int32_t)(tail - from) <= 0)
		return false;
	if (tail - from > *ring->cq.entries)
		from = tail - *ring->cq.entries; /* the rest is gone */
	look->from = from;
	look->to = tail - from > AT_ONCE ? from + AT_ONCE : tail;
	for (uint32_t at = from; at != look->to; at++)
		look->whole[at - from] =
			read_cqe(ring, at, &look->cqes[at - from]);
	return true;
}

static void tell_cqes(struct weir_pass *pass, const struct weir_uring *ring,
		      const struct look *look)
{
	bool has_timers = !(ring->features & IORING_FEAT_EXT_ARG);

	for (uint32_t i = 0; i < look->to - look->from; i++) {
		const struct io_uring_cqe *cqe = &look->cqes[i];

		if (look->whole[i] &&
		    !(has_timers && cqe->user_data == OWN_TIMER))
			weir_async_complete_in_ring(pass, ring->ring_fd, cqe);
	}
}

/*
 * First read, then claim: between the two another thread may tell the same
 * (and we begin again), but nothing is claimed that is overwritten before it
 * is read. The call ends after the look: what it found may have been handed
 * over by another thread since the call returned.
 */
void weir_uring_complete(struct weir_pass *pass, const struct weir_uring *ring)
{
	_Atomic uint64_t *position;
	struct look look;
	uint64_t was;

	if (!can_track(ring))
		return;
	adopt(ring);
	position = &told[ring->ring_fd].cq;
	was = atomic_load(position);
	while (look_at_completions(ring, (uint32_t)was, &look)) {
		if (!atomic_compare_exchange_strong(position, &was,
						    KNOWN | look.to))
			continue;
		if (pass->start && !(pass->why & WEIR_MANNER_RING))
			pass->end = weir_tick_now();
		tell_cqes(pass, ring, &look);
		was = KNOWN | look.to;
	}
}
