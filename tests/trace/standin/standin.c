/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in for liburing where the kernel forbids io_uring: rings of the same
 * layout in plain memory, whose operations are done when they are submitted.
 * What would wait for ever is never done.
 */
#include "../../lib/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define FILES  16

/* What a ring's pointers lead to. */
struct memory {
	unsigned sq_head, sq_tail, sq_mask, sq_entries, sq_flags, dropped;
	unsigned cq_head, cq_tail, cq_mask, cq_entries, cq_flags, overflow;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int files[FILES];

static int would_wait(int fd)
{
	struct pollfd ask = { .fd = fd, .events = POLLIN };

	return !raw_call(SYS_poll, &ask, 1, 0);
}

static long transfer(const struct io_uring_sqe *sqe, int fd)
{
	void *at = (void *)(unsigned long)sqe->addr;
	int writes = sqe->opcode == IORING_OP_WRITE;

	if (sqe->off == (__u64)-1)
		return raw_call(writes ? SYS_write : SYS_read, fd, at,
				sqe->len);
	return raw_call(writes ? SYS_pwrite64 : SYS_pread64, fd, at, sqe->len,
		       sqe->off);
}

static long do_operation(const struct io_uring_sqe *sqe)
{
	int fd = sqe->flags & IOSQE_FIXED_FILE ? files[sqe->fd % FILES]
					       : sqe->fd;
	void *at = (void *)(unsigned long)sqe->addr;

	switch (sqe->opcode) {
	case IORING_OP_NOP:
		return 0;
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case IORING_OP_WRITE:
		return transfer(sqe, fd);
	case IORING_OP_READV:
		return raw_call(SYS_preadv, fd, at, sqe->len, sqe->off, 0);
	case IORING_OP_FSYNC:
		return raw_call(SYS_fsync, fd);
	case IORING_OP_FALLOCATE:
		return raw_call(SYS_fallocate, fd, 0, sqe->off, sqe->addr);
	case IORING_OP_OPENAT:
		return raw_call(SYS_openat, fd, at, sqe->open_flags, sqe->len);
	case IORING_OP_CLOSE:
		return raw_call(SYS_close, fd);
	case IORING_OP_TIMEOUT:
		raw_call(SYS_nanosleep, at, NULL);
		return -ETIME;
	}
	return -EINVAL;
}

/* Waits for room: who takes completions does not tell. */
static void post(struct io_uring *ring, __u64 user_data, long res)
{
	struct io_uring_cq *cq = &ring->cq;
	unsigned tail = *cq->ktail;

	while (tail - __atomic_load_n(cq->khead, __ATOMIC_ACQUIRE) >=
	       cq->ring_entries)
		sched_yield();
	cq->cqes[tail & cq->ring_mask] = (struct io_uring_cqe){
		.user_data = user_data,
		.res = (__s32)res,
	};
	pthread_mutex_lock(&lock);
	__atomic_store_n(cq->ktail, tail + 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&news);
	pthread_mutex_unlock(&lock);
}

static int do_all(struct io_uring *ring)
{
	struct io_uring_sq *sq = &ring->sq;
	int count = 0;

	for (; sq->sqe_head != sq->sqe_tail; sq->sqe_head++, count++) {
		struct io_uring_sqe sqe =
			sq->sqes[sq->sqe_head & sq->ring_mask];

		__atomic_store_n(sq->khead, sq->sqe_head + 1,
				 __ATOMIC_RELEASE);
		if (sqe.opcode != IORING_OP_READ || !would_wait(sqe.fd))
			post(ring, sqe.user_data, do_operation(&sqe));
	}
	return count;
}

EXPORT int io_uring_queue_mmap(int fd, struct io_uring_params *p,
			       struct io_uring *ring)
{
	struct memory *m = calloc(1, sizeof(*m));
	unsigned n = p->sq_entries;

	memset(ring, 0, sizeof(*ring));
	*m = (struct memory){ .sq_mask = n - 1, .sq_entries = n,
			      .cq_mask = 2 * n - 1, .cq_entries = 2 * n };
	ring->sq = (struct io_uring_sq){
		.khead = &m->sq_head, .ktail = &m->sq_tail,
		.kring_mask = &m->sq_mask, .kring_entries = &m->sq_entries,
		.kflags = &m->sq_flags, .kdropped = &m->dropped,
		.sqes = calloc(n, sizeof(struct io_uring_sqe)),
		.ring_ptr = m, .ring_mask = n - 1, .ring_entries = n,
	};
	ring->cq = (struct io_uring_cq){
		.khead = &m->cq_head, .ktail = &m->cq_tail,
		.kring_mask = &m->cq_mask, .kring_entries = &m->cq_entries,
		.kflags = &m->cq_flags, .koverflow = &m->overflow,
		.cqes = calloc(2 * n, sizeof(struct io_uring_cqe)),
		.ring_mask = 2 * n - 1, .ring_entries = 2 * n,
	};
	ring->ring_fd = ring->enter_ring_fd = fd;
	ring->features = IORING_FEAT_EXT_ARG | IORING_FEAT_NODROP;
	return 0;
}

EXPORT int io_uring_queue_init_params(unsigned entries, struct io_uring *ring,
				      struct io_uring_params *p)
{
	int fd = (int)raw_call(SYS_eventfd2, 0, EFD_CLOEXEC);

	for (p->sq_entries = 1; p->sq_entries < entries; p->sq_entries *= 2)
		;
	return fd < 0 ? fd : io_uring_queue_mmap(fd, p, ring);
}

EXPORT int io_uring_queue_init(unsigned entries, struct io_uring *ring,
			       unsigned flags)
{
	struct io_uring_params params = { .flags = flags };

	return io_uring_queue_init_params(entries, ring, &params);
}

EXPORT void io_uring_queue_exit(struct io_uring *ring)
{
	raw_call(SYS_close, ring->ring_fd);
	free(ring->sq.ring_ptr);
	free(ring->sq.sqes);
	free(ring->cq.cqes);
}

EXPORT int io_uring_submit(struct io_uring *ring)
{
	return do_all(ring);
}

EXPORT int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait)
{
	return do_all(ring);
}

EXPORT int io_uring_submit_and_get_events(struct io_uring *ring)
{
	return do_all(ring);
}

EXPORT int io_uring_get_events(struct io_uring *ring)
{
	return 0;
}

EXPORT int __io_uring_get_cqe(struct io_uring *ring,
			      struct io_uring_cqe **cqe, unsigned submit,
			      unsigned wait, sigset_t *mask)
{
	pthread_mutex_lock(&lock);
	while (wait && *ring->cq.ktail == *ring->cq.khead)
		pthread_cond_wait(&news, &lock);
	pthread_mutex_unlock(&lock);
	*cqe = NULL;
	if (*ring->cq.ktail == *ring->cq.khead)
		return -EAGAIN;
	*cqe = &ring->cq.cqes[*ring->cq.khead & ring->cq.ring_mask];
	return 0;
}

EXPORT int io_uring_submit_and_wait_timeout(struct io_uring *ring,
					    struct io_uring_cqe **cqe,
					    unsigned wait,
					    struct __kernel_timespec *ts,
					    sigset_t *mask)
{
	return do_all(ring);
}

/* Nobody waits here for what has not come yet. */
EXPORT int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **cqe,
			      unsigned wait, struct __kernel_timespec *ts,
			      sigset_t *mask)
{
	return *ring->cq.ktail == *ring->cq.khead ? -ETIME : 0;
}

EXPORT int io_uring_wait_cqe_timeout(struct io_uring *ring,
				     struct io_uring_cqe **cqe,
				     struct __kernel_timespec *ts)
{
	return io_uring_wait_cqes(ring, cqe, 1, ts, NULL);
}

EXPORT unsigned io_uring_peek_batch_cqe(struct io_uring *ring,
					struct io_uring_cqe **cqes,
					unsigned count)
{
	return 0;
}

EXPORT int __io_uring_sqring_wait(struct io_uring *ring)
{
	return 0;
}

EXPORT int io_uring_register_files(struct io_uring *ring, const int *fds,
				   unsigned count)
{
	memcpy(files, fds, count * sizeof(*fds));
	return 0;
}

EXPORT int io_uring_register_files_update(struct io_uring *ring, unsigned off,
					  const int *fds, unsigned count)
{
	memcpy(files + off, fds, count * sizeof(*fds));
	return (int)count;
}

EXPORT int io_uring_register_buffers(struct io_uring *ring,
				     const struct iovec *vec, unsigned count)
{
	return 0;
}

EXPORT int io_uring_register(unsigned fd, unsigned op, const void *arg,
			     unsigned count)
{
	return 0;
}

EXPORT int io_uring_setup(unsigned entries, struct io_uring_params *p)
{
	return entries ? (int)raw_call(SYS_eventfd2, 0, EFD_CLOEXEC) : -EINVAL;
}

EXPORT int io_uring_enter(unsigned fd, unsigned submit, unsigned wait,
			  unsigned flags, sigset_t *mask)
{
	return 0;
}

EXPORT int io_uring_enter2(unsigned fd, unsigned submit, unsigned wait,
			   unsigned flags, sigset_t *mask, size_t bytes)
{
	return -EBADF;
}
