/* SPDX-License-Identifier: BSD-3-Clause */
/* io_uring by liburing; what the kernel forbids here is told, not skipped. */
#include "async_tell.h"

#include "../lib/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PART 100
#define MOST 64

static struct io_uring ring;
static char data[MOST * PART];

/* What is prepared and not handed over yet, as lines to be told. */
static struct prepared {
	char text[512];
	bool is_path;
} waiting[MOST];
static unsigned waiting_count;

static const char *on_ring(void)
{
	return book_name(ring.ring_fd);
}

/* What the kernel calls it: a stand-in's ring has another name. */
static void book_ring(int fd)
{
	char link[64], name[256] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (raw_call(SYS_readlinkat, AT_FDCWD, link, name, 255) < 0)
		tell_failure("a ring without a name");
	book_open(fd, name, 0);
}

static void open_ring(unsigned entries)
{
	if (io_uring_queue_init(entries, &ring, 0))
		tell_failure("io_uring cannot be used here");
	book_ring(ring.ring_fd);
	tell("io_uring_queue_init", 0, "%s,'size':%u,'args':{'flags':0},"
	     "'depth':0", on_ring(), entries);
	tell("io_uring_queue_init_params", 0, "%s,'size':%u,'depth':1",
	     on_ring(), entries);
	tell("io_uring_queue_mmap", 0, "%s,'depth':2", on_ring());
}

/* Completions that were in the ring come first: told by its last call. */
static void close_ring(void)
{
	int fd = ring.ring_fd;

	io_uring_queue_exit(&ring);
	tell("io_uring_queue_exit", 0, "%s,'depth':0", book_name(fd));
	book_close(fd);
}

static struct io_uring_sqe *next_sqe(void)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	if (!sqe)
		tell_failure("the ring is full");
	return sqe;
}

/* The operation just prepared: where it goes, and what else is told. */
static void expect(struct io_uring_sqe *sqe, int fd, const char *extent,
		   unsigned long id, const char *more)
{
	struct prepared *p = &waiting[waiting_count++];

	sqe->user_data = id;
	p->is_path = false;
	snprintf(p->text, sizeof(p->text),
		 "%s,%s,'depth':1,'args':{'op':%d,'id':%lu,'ring':%d,"
		 "'flags':%d%s}", book_name(fd), extent, sqe->opcode, id,
		 ring.ring_fd, sqe->flags, more);
}

static void expect_path(struct io_uring_sqe *sqe, const char *path,
			unsigned long id)
{
	struct prepared *p = &waiting[waiting_count++];

	sqe->user_data = id;
	p->is_path = true;
	snprintf(p->text, sizeof(p->text), "'path':'%s','depth':1,'args':{"
		 "'op':%d,'dir':%d,'path':'%s','id':%lu,'ring':%d,'flags':0}",
		 book_absolute(path), sqe->opcode, sqe->fd, path, id,
		 ring.ring_fd);
}

static void tell_prepared(void)
{
	for (unsigned i = 0; i < waiting_count; i++)
		tell(waiting[i].is_path ? "uring_path" : "uring_op", 0, "%s",
		     waiting[i].text);
	waiting_count = 0;
}

static void tell_cqe(const struct io_uring_cqe *cqe)
{
	tell_negative("uring_done", cqe->res, "'depth':1,'args':{'id':%llu,"
		      "'ring':%d,'flags':%u}", cqe->user_data, ring.ring_fd,
		      cqe->flags);
}

/* All that is in the ring; returns the last result. */
static int take_all(void)
{
	struct io_uring_cqe *cqe;
	unsigned head, count = 0;
	int last = 0;

	io_uring_for_each_cqe(&ring, head, cqe) {
		tell_cqe(cqe);
		last = cqe->res;
		count++;
	}
	io_uring_cq_advance(&ring, count);
	return last;
}

/*
 * Hand over what is prepared and wait for as many. A bad operation ends a
 * submission early, without waiting: what is behind it needs another call.
 * Ends come when they come; the last call finds all of them.
 */
static int do_wait(unsigned wait)
{
	int ret;

	do {
		unsigned n = waiting_count;

		ret = io_uring_submit_and_wait(&ring, wait);
		tell_negative("io_uring_submit_and_wait", ret,
			      "%s,'size':%u,'depth':0,'args':{'wait':%u}",
			      on_ring(), n, wait);
		tell_prepared();
	} while (io_uring_cq_ready(&ring) < wait);
	ret = io_uring_get_events(&ring);
	tell_negative("io_uring_get_events", ret, "%s", on_ring());
	return take_all();
}

static void prepare_transfers(int fd)
{
	struct iovec parts[] = { { data, 10 }, { data + 50, 20 } };
	char vector[256];
	struct io_uring_sqe *sqe = next_sqe();

	io_uring_prep_write(sqe, fd, data, PART, 50);
	sqe->flags |= IOSQE_IO_LINK;
	expect(sqe, fd, tell_extent(PART, 50), 1, ",'slot':null");
	sqe = next_sqe();
	io_uring_prep_read(sqe, fd, data, 2 * PART, 60);
	expect(sqe, fd, tell_extent(2 * PART, 60), 2, "");
	sqe = next_sqe();
	io_uring_prep_readv(sqe, fd, parts, 2, 7);
	snprintf(vector, sizeof(vector), ",'vec':%s", tell_vector(parts, 2));
	expect(sqe, fd, tell_extent(30, 7), ~0ul, vector);
	sqe = next_sqe();
	io_uring_prep_readv(sqe, fd, oracle_nowhere, 2, 9);
	expect(sqe, fd, tell_extent(0, 9), 4, ",'vec':[]");
	sqe = next_sqe();
	io_uring_prep_read(sqe, 999, data, 10, 0);
	expect(sqe, 999, tell_extent(10, 0), 4, "");
	do_wait(5);
}

static void prepare_others(int fd)
{
	struct __kernel_timespec soon = { 0, 1000 };
	struct io_uring_sqe *sqe = next_sqe();

	io_uring_prep_nop(sqe);
	expect(sqe, -1, "'size':0,'off':null", 0, "");
	sqe = next_sqe();
	io_uring_prep_fsync(sqe, fd, 0);
	expect(sqe, fd, tell_extent(0, 0), 6, "");
	sqe = next_sqe();
	io_uring_prep_fallocate(sqe, fd, 0, 10, 5 * PART);
	expect(sqe, fd, tell_extent(5 * PART, 10), 7, "");
	sqe = next_sqe();
	io_uring_prep_timeout(sqe, &soon, 0, 0);
	expect(sqe, -1, "'size':0,'off':null", 8, "");
	sqe = next_sqe();
	sqe->opcode = 200;
	expect(sqe, -1, "'size':0,'off':null", 9, "");
	do_wait(5);
}

static void open_and_close(void)
{
	struct io_uring_sqe *sqe = next_sqe();
	int fd;

	io_uring_prep_openat(sqe, AT_FDCWD, "data", O_RDONLY, 0);
	expect_path(sqe, "data", 20);
	fd = do_wait(1);
	book_open(fd, book_absolute("data"), 0);
	sqe = next_sqe();
	io_uring_prep_read(sqe, fd, data, 10, 0);
	expect(sqe, fd, tell_extent(10, 0), 21, "");
	do_wait(1);
	sqe = next_sqe();
	io_uring_prep_close(sqe, fd);
	expect(sqe, fd, "'size':0,'off':null", 22, "");
	do_wait(1);
	book_close(fd);
	sqe = next_sqe();
	io_uring_prep_openat(sqe, AT_FDCWD, "not-there", O_RDONLY, 0);
	expect_path(sqe, "not-there", 23);
	do_wait(1);
	if (book_do_open("data", O_RDONLY, 0) != fd)
		tell_failure("another descriptor");
	book_do_close(fd);
}

static void use_registered(int fd)
{
	struct iovec buffer = { data, sizeof(data) };
	struct io_uring_sqe *sqe;
	int none = -1;

	tell_negative("io_uring_register_files",
		      io_uring_register_files(&ring, &fd, 1), "%s,'size':1",
		      on_ring());
	tell_negative("io_uring_register_buffers",
		      io_uring_register_buffers(&ring, &buffer, 1),
		      "%s,'size':1", on_ring());
	sqe = next_sqe();
	io_uring_prep_read_fixed(sqe, 0, data, 20, 30, 0);
	sqe->flags |= IOSQE_FIXED_FILE;
	expect(sqe, -1, tell_extent(20, 30), 30, ",'slot':0");
	do_wait(1);
	tell_negative("io_uring_register_files_update",
		      io_uring_register_files_update(&ring, 0, &none, 1),
		      "%s,'size':1,'args':{'first':0}", on_ring());
	tell_negative("io_uring_register",
		      io_uring_register((unsigned)ring.ring_fd,
					IORING_UNREGISTER_BUFFERS, NULL, 0),
		      "%s,'size':0,'args':{'op':%d}", on_ring(),
		      IORING_UNREGISTER_BUFFERS);
}

/* The position moves when the kernel likes: nobody follows it then. */
static void use_position(void)
{
	int fd = book_do_open("data", O_RDWR, 0);
	struct io_uring_sqe *sqe;

	book_transfer("read", fd, 10, read(fd, data, 10));
	sqe = next_sqe();
	io_uring_prep_read(sqe, fd, data, 10, (__u64)-1);
	expect(sqe, fd, "'size':10,'off':null", 40, "");
	do_wait(1);
	book_share(false);
	book_transfer("read", fd, 10, read(fd, data, 10));
	book_do_close(fd);
}

static void play_uring(long count)
{
	int fd;

	oracle_make_file("data", 2 * PART);
	fd = book_do_open("data", O_RDWR, 0);
	open_ring(8);
	prepare_transfers(fd);
	prepare_others(fd);
	open_and_close();
	use_registered(fd);
	use_position();
	do_wait(0);
	close_ring();
	book_do_close(fd);
}

static unsigned long expect_nop(unsigned long id)
{
	struct io_uring_sqe *sqe = next_sqe();

	io_uring_prep_nop(sqe);
	expect(sqe, -1, "'size':0,'off':null", id, "");
	return id;
}

/* Every other call that hands over, waits or looks. */
static void play_calls(long count)
{
	struct __kernel_timespec none = { 0, 0 };
	struct io_uring_cqe *cqe, *many[4];
	struct io_uring_params params = { 0 };
	int ret;

	open_ring(8);
	expect_nop(1);
	ret = io_uring_submit(&ring);
	tell_negative("io_uring_submit", ret, "%s,'size':1", on_ring());
	tell_prepared();
	take_all();
	expect_nop(2);
	ret = io_uring_submit_and_wait_timeout(&ring, &cqe, 1, &none, NULL);
	tell_negative("io_uring_submit_and_wait_timeout", ret,
		      "%s,'size':1,'args':{'wait':1,'timeout':0}", on_ring());
	tell_prepared();
	take_all();
	expect_nop(3);
	ret = io_uring_submit_and_get_events(&ring);
	tell_negative("io_uring_submit_and_get_events", ret, "%s,'size':1",
		      on_ring());
	tell_prepared();
	take_all();
	ret = io_uring_get_events(&ring);
	tell_negative("io_uring_get_events", ret, "%s", on_ring());
	ret = io_uring_wait_cqe_timeout(&ring, &cqe, &none);
	tell_negative("io_uring_wait_cqe_timeout", ret,
		      "%s,'size':0,'depth':0,'args':{'timeout':0}", on_ring());
	tell_negative("io_uring_wait_cqes", ret, "%s,'size':0,'depth':1,"
		      "'args':{'wait':1,'timeout':0}", on_ring());
	ret = __io_uring_get_cqe(&ring, &cqe, 0, 0, NULL);
	tell_negative("__io_uring_get_cqe", ret, "%s,'size':0,'args':{"
		      "'wait':0}", on_ring());
	ret = (int)io_uring_peek_batch_cqe(&ring, many, 4);
	tell("io_uring_peek_batch_cqe", ret, "%s,'size':4", on_ring());
	ret = __io_uring_sqring_wait(&ring);
	tell_negative("__io_uring_sqring_wait", ret, "%s", on_ring());
	ret = io_uring_enter((unsigned)ring.ring_fd, 3, 0, 0, NULL);
	tell_negative("io_uring_enter", ret, "%s,'size':3,'args':{'wait':0,"
		      "'flags':0}", on_ring());
	ret = io_uring_enter2(998, 3, 2, 1, NULL, 8);
	tell_negative("io_uring_enter2", ret, "%s,'size':3,'args':{'wait':2,"
		      "'flags':1}", book_name(998));
	close_ring();
	ret = io_uring_setup(4, &params);
	tell_negative("io_uring_setup", ret, "'fd':%d,'size':4", ret);
	book_ring(ret);
	book_do_close(ret);
	ret = io_uring_setup(0, &params);
	tell_negative("io_uring_setup", ret, "'size':0");
}

/* Whole rings at a time, so that records pass many chunks. */
static void play_batches(long count)
{
	struct io_uring_sqe *sqe;
	int fd, ret;

	oracle_make_file("data", 4096);
	fd = book_do_open("data", O_RDONLY, 0);
	open_ring(4096);
	for (long turn = 0; turn < count; turn++) {
		for (long i = 0; i < 4096; i++) {
			sqe = next_sqe();
			io_uring_prep_read(sqe, fd, data, 1 + i % 8, i % 4000);
			sqe->user_data = (__u64)(turn << 16 | i);
		}
		ret = io_uring_submit_and_wait(&ring, 4096);
		tell_negative("io_uring_submit_and_wait", ret,
			      "%s,'size':4096,'depth':0", on_ring());
		for (long i = 0; i < 4096; i++)
			tell("uring_op", 0, "%s,%s,'depth':1,'args':{'op':22,"
			     "'id':%lu}", book_name(fd),
			     tell_extent((size_t)(1 + i % 8), i % 4000),
			     (unsigned long)(turn << 16 | i));
		take_all();
	}
	close_ring();
	book_do_close(fd);
}

const struct scenario oracle_uring[] = {
	{ "uring", play_uring },
	{ "uring-calls", play_calls },
	{ "uring-batches", play_batches },
	{ NULL, NULL },
};
