/* SPDX-License-Identifier: BSD-3-Clause */
/* A load for measuring the recorder: asynchronous operations in batches. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <liburing.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_BATCH 256
#define FILE_BYTES (1 << 20)

static char buffer[4096];
static int fd;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "async_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct io_uring ring;

static void uring_prepare(void)
{
	must(!io_uring_queue_init(MOST_BATCH, &ring, 0), "io_uring");
}

/* An operation that does nothing: all that is seen is the cost of one. */
static void uring_turn(long first, int batch)
{
	struct io_uring_cqe *cqe;
	unsigned head, count = 0;

	for (int i = 0; i < batch; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

		io_uring_prep_nop(sqe);
		sqe->user_data = (uintptr_t)buffer + (unsigned)i;
	}
	must(io_uring_submit_and_wait(&ring, (unsigned)batch) == batch,
	     "io_uring_submit_and_wait");
	io_uring_for_each_cqe(&ring, head, cqe)
		count++;
	io_uring_cq_advance(&ring, count);
}

static io_context_t context;

static void libaio_prepare(void)
{
	must(!io_setup(MOST_BATCH, &context), "io_setup");
}

static void libaio_turn(long first, int batch)
{
	static struct iocb blocks[MOST_BATCH];
	static struct io_event events[MOST_BATCH];
	struct iocb *list[MOST_BATCH];

	for (int i = 0; i < batch; i++) {
		io_prep_pread(&blocks[i], fd, buffer, 8,
			      (first + i) * 8 % (FILE_BYTES - 8));
		list[i] = &blocks[i];
	}
	must(io_submit(context, batch, list) == batch, "io_submit");
	must(io_getevents(context, batch, batch, events, NULL) == batch,
	     "io_getevents");
}

static void no_preparation(void)
{
}

/* libc's own thread does the work, so most of the time is waiting. */
static void aio_turn(long first, int batch)
{
	static struct aiocb blocks[MOST_BATCH];
	struct aiocb *list[MOST_BATCH];

	for (int i = 0; i < batch; i++) {
		blocks[i].aio_fildes = fd;
		blocks[i].aio_lio_opcode = LIO_READ;
		blocks[i].aio_buf = buffer;
		blocks[i].aio_nbytes = 8;
		blocks[i].aio_offset = (first + i) * 8 % (FILE_BYTES - 8);
		list[i] = &blocks[i];
	}
	must(!lio_listio(LIO_WAIT, list, batch, NULL), "lio_listio");
}

static const struct {
	const char *name;
	void (*prepare)(void);
	void (*turn)(long first, int batch);
} modes[] = {
	{ "uring", uring_prepare, uring_turn },
	{ "libaio", libaio_prepare, libaio_turn },
	{ "aio", no_preparation, aio_turn },
};

int main(int argc, char **argv)
{
	long operations = argc > 4 ? atol(argv[2]) : 0;
	int batch = argc > 4 ? atoi(argv[3]) : 0;
	size_t i = 0;
	double began;

	while (argc > 4 && i < 3 && strcmp(modes[i].name, argv[1]))
		i++;
	if (argc < 5 || i == 3 || batch < 1 || batch > MOST_BATCH) {
		fputs("usage: async_load uring|libaio|aio OPERATIONS BATCH "
		      "FILE\n", stderr);
		return 2;
	}
	fd = open(argv[4], O_RDWR | O_CREAT, 0600);
	must(fd >= 0 && !posix_fallocate(fd, 0, FILE_BYTES), argv[4]);
	modes[i].prepare();
	began = now();
	for (long done = 0; done < operations; done += batch)
		modes[i].turn(done, batch);
	printf("ns %.2f\n", (now() - began) / (double)operations);
	return 0;
}
