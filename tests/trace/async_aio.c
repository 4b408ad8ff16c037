/* SPDX-License-Identifier: BSD-3-Clause */
/* POSIX asynchronous I/O: single calls, lists, notifications, errors. */
#include "async_tell.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 64
#define PART   100

static char data[BLOCKS * PART];
static struct aiocb blocks[BLOCKS];

static struct aiocb *make_block(int i, int op, int fd, size_t size)
{
	blocks[i] = (struct aiocb){
		.aio_fildes = fd,
		.aio_lio_opcode = op,
		.aio_buf = data + i * PART,
		.aio_nbytes = size,
		.aio_offset = i * PART,
		.aio_sigevent.sigev_notify = SIGEV_NONE,
	};
	return &blocks[i];
}

static void tell_block(const char *symbol, long ret, const struct aiocb *b)
{
	tell(symbol, ret, "%s,%s,'depth':0,'args':{'id':%lu}",
	     book_name(b->aio_fildes),
	     tell_extent(b->aio_nbytes, b->aio_offset), (unsigned long)b);
}

static void tell_fsync(const char *symbol, int ret, int op,
		       const struct aiocb *b)
{
	tell(symbol, ret, "%s,'off':null,'args':{'op':%d,'id':%lu}",
	     book_name(b->aio_fildes), op, (unsigned long)b);
}

static void do_suspend(bool is64, struct aiocb *b, struct timespec *t)
{
	const struct aiocb *list[] = { NULL, b };
	const struct aiocb64 *list64[] = { NULL, (void *)b };
	int ret = is64 ? aio_suspend64(list64, 2, t) : aio_suspend(list, 2, t);
	const char *symbol = is64 ? "aio_suspend64" : "aio_suspend";

	if (t)
		tell(symbol, ret, "'size':2,'args':{'timeout':%ld}",
		     t->tv_sec * 1000000000L + t->tv_nsec);
	else
		tell(symbol, ret, "'size':2,'args':{'timeout':null}");
}

/* Its result is told as the error of the operation, which is not in errno. */
static void do_return(bool is64, struct aiocb *b)
{
	int err = b->__error_code;
	ssize_t ret = is64 ? aio_return64((void *)b) : aio_return(b);

	if (ret < 0)
		errno = err;
	tell(is64 ? "aio_return64" : "aio_return", ret, "'args':{'id':%lu}",
	     (unsigned long)b);
}

static void do_error(bool is64, struct aiocb *b, int expected)
{
	int err = is64 ? aio_error64((void *)b) : aio_error(b);

	if (err != expected)
		tell_failure("aio_error is not what was expected");
	tell(is64 ? "aio_error64" : "aio_error", err, "'args':{'id':%lu}",
	     (unsigned long)b);
}

static void finish(bool is64, struct aiocb *b, int err)
{
	do_suspend(is64, b, NULL);
	do_error(is64, b, err);
	do_return(is64, b);
}

/* All calls by both names, and operations that fail when they run. */
static void play_aio(long count)
{
	struct timespec minute = { 60, 5 };
	struct aioinit init = { .aio_threads = 4, .aio_num = 16 };
	struct aiocb *b;
	int fd, only;

	aio_init(&init);
	tell("aio_init", 0, NO_FIELDS);
	oracle_make_file("data", 5 * PART);
	fd = book_do_open("data", O_RDWR, 0);
	only = book_do_open("data", O_RDONLY, 0);
	b = make_block(0, 0, fd, PART);
	tell_block("aio_write", aio_write(b), b);
	finish(false, b, 0);
	b = make_block(1, 0, fd, PART);
	tell_block("aio_write64", aio_write64((void *)b), b);
	do_suspend(true, b, &minute);
	finish(true, b, 0);
	b = make_block(4, 0, fd, PART);
	tell_block("aio_read", aio_read(b), b);
	finish(false, b, 0);
	b = make_block(4, 0, fd, 3 * PART); /* short: 100 of 300 are there */
	tell_block("aio_read64", aio_read64((void *)b), b);
	finish(false, b, 0);
	b = make_block(2, 0, only, PART);
	tell_block("aio_write", aio_write(b), b);
	finish(true, b, EBADF);
	b = make_block(3, 0, 999, PART);
	tell_block("aio_read", aio_read(b), b);
	finish(false, b, EBADF);
	b = make_block(5, 0, fd, 0);
	tell_fsync("aio_fsync", aio_fsync(O_SYNC, b), O_SYNC, b);
	finish(false, b, 0);
	tell_fsync("aio_fsync64", aio_fsync64(O_DSYNC, (void *)b), O_DSYNC, b);
	finish(false, b, 0);
	tell_fsync("aio_fsync", aio_fsync(12345, b), 12345, b);
	b->aio_reqprio = -1;
	tell_block("aio_read", aio_read(b), b);
	book_do_close(only);
	book_do_close(fd);
}

/* A read of an empty pipe waits; those behind it can be cancelled. */
static void play_aio_cancel(long count)
{
	int fds[2], i;

	if (pipe(fds))
		tell_failure("no pipe");
	tell("pipe", 0, "'args':{'fds':[%d,%d]}", fds[0], fds[1]);
	book_stream(fds[0]);
	book_stream(fds[1]);
	for (i = 0; i < 3; i++)
		tell_block("aio_read", aio_read(make_block(i, 0, fds[0], 10)),
			   &blocks[i]);
	do_error(false, &blocks[2], EINPROGRESS);
	tell("aio_cancel", aio_cancel(fds[0], &blocks[2]),
	     "%s,'args':{'id':%lu}", book_name(fds[0]),
	     (unsigned long)&blocks[2]);
	finish(false, &blocks[2], ECANCELED);
	tell("aio_cancel64", aio_cancel64(999, NULL), "%s,'args':{'id':0}",
	     book_name(999));
	for (i = 0; i < 2; i++) {
		tell("write", write(fds[1], data, 10),
		     "'fd':%d,'path':'pipe','off':null,'size':10", fds[1]);
		finish(i, &blocks[i], 0);
	}
}

typedef int lister(int mode, struct aiocb *const list[], int n,
		   struct sigevent *event);

int oldest_list(int mode, struct aiocb *const list[], int n,
		struct sigevent *event);
#if defined(__x86_64__)
__asm__(".symver oldest_list, lio_listio@GLIBC_2.2.5");
#else
__asm__(".symver oldest_list, lio_listio@GLIBC_2.17");
#endif

static int list_64(int mode, struct aiocb *const list[], int n,
		   struct sigevent *event)
{
	return lio_listio64(mode, (void *)list, n, event);
}

/* The call, its operations, and with LIO_WAIT their ends. */
static void do_list(lister *call, const char *symbol, int mode,
		    struct aiocb *const list[], int n, int ops)
{
	int ret = call(mode, list, n, NULL);

	tell(symbol, ret, "'size':%lu,'args':{'mode':%d}",
	     (unsigned long)n, mode);
	for (int i = 0; i < ops; i++)
		if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)
			tell_op("aio_op", list[i]->aio_lio_opcode,
				list[i]->aio_fildes,
				tell_extent(list[i]->aio_nbytes,
					    list[i]->aio_offset), list[i]);
	for (int i = 0; mode == LIO_WAIT && i < ops; i++)
		if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)
			tell_done("aio_done", list[i],
				  list[i]->__error_code
					  ? -list[i]->__error_code
					  : list[i]->__return_value);
}

static void play_lio(long count)
{
	struct aiocb *list[BLOCKS];
	int fd, only, n = 0;

	oracle_make_file("data", 10 * PART);
	fd = book_do_open("data", O_RDWR, 0);
	only = book_do_open("data", O_RDONLY, 0);
	for (; n < 20; n++) /* from 10 on they read nothing */
		list[n] = make_block(n, LIO_READ, fd, PART);
	list[n++] = NULL;
	list[n] = make_block(n, LIO_NOP, fd, PART);
	n++;
	do_list(lio_listio, "lio_listio", LIO_WAIT, list, n, n);
	do_list(list_64, "lio_listio64", LIO_NOWAIT, list, n, n);
	for (int i = 0; i < 20; i++)
		finish(false, list[i], 0);
	/* The oldest may return from LIO_WAIT before all is done. */
	do_list(oldest_list, "lio_listio", LIO_NOWAIT, list, 3, 3);
	for (int i = 0; i < 3; i++)
		finish(true, list[i], 0);
	do_list(lio_listio, "lio_listio", LIO_WAIT, list, 0, 0);
	do_list(lio_listio, "lio_listio", 77, list, 3, 0);
	list[1] = make_block(1, LIO_WRITE, only, PART);
	do_list(lio_listio, "lio_listio", LIO_WAIT, list, 3, 3);
	book_do_close(only);
	book_do_close(fd);
}

static sem_t called;

static void call_back(union sigval value)
{
	do_return(false, value.sival_ptr);
	memset(value.sival_ptr, 0xee, sizeof(struct aiocb));
	sem_post(&called);
}

/* Notified by a thread, which may spoil the block while we still submit. */
static void play_aio_thread(long count)
{
	int fd;

	oracle_make_file("data", BLOCKS * PART);
	fd = book_do_open("data", O_RDONLY, 0);
	sem_init(&called, 0, 0);
	for (long i = 0; i < count; i++) {
		struct aiocb *b = make_block((int)(i % BLOCKS), 0, fd, PART);
		struct aiocb before = *b;

		b->aio_sigevent.sigev_notify = SIGEV_THREAD;
		b->aio_sigevent.sigev_notify_function = call_back;
		b->aio_sigevent.sigev_value.sival_ptr = b;
		tell("aio_read", aio_read(b), "%s,%s,'args':{'id':%lu}",
		     book_name(fd), tell_extent(PART, before.aio_offset),
		     (unsigned long)b);
		while (sem_wait(&called))
			;
	}
	book_do_close(fd);
}

const struct scenario oracle_aio[] = {
	{ "aio", play_aio },
	{ "aio-cancel", play_aio_cancel },
	{ "aio-thread", play_aio_thread },
	{ "lio", play_lio },
	{ NULL, NULL },
};
