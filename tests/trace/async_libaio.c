/* SPDX-License-Identifier: BSD-3-Clause */
/* libaio: lists of operations, short and refused ones, events. */
#include "async_tell.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PART         100
#define NO_OPERATION 33

/* The header has forgotten it. */
int io_queue_wait(io_context_t ctx, struct timespec *timeout);

static char data[64 * PART];
static struct iocb blocks[64];
static io_context_t context;

static void do_setup(int n)
{
	int ret;

	context = NULL;
	ret = io_setup(n, &context);
	tell_negative("io_setup", ret, "'size':%lu", (unsigned long)n);
}

static const char *in_context(void)
{
	static char text[64];

	snprintf(text, sizeof(text), "'args':{'context':%lu}",
		 (unsigned long)context);
	return text;
}

static void do_destroy(void)
{
	int ret = io_destroy(context);

	tell_negative("io_destroy", ret, "%s", in_context());
}

static void tell_iocb(const struct iocb *b)
{
	bool has_extent = b->aio_lio_opcode == IO_CMD_PREAD ||
			  b->aio_lio_opcode == IO_CMD_PWRITE;

	tell_op("iocb_op", b->aio_lio_opcode,
		b->aio_lio_opcode == NO_OPERATION ? -1 : b->aio_fildes,
		has_extent ? tell_extent(b->u.c.nbytes, b->u.c.offset)
			   : "'size':0,'off':null", b);
}

/* Operations that can be read are offered; those not taken are over. */
static int do_submit(long n, struct iocb **list, int readable)
{
	int ret = io_submit(context, n, list);
	int taken = ret < 0 ? 0 : ret;

	tell_negative("io_submit", ret, "'size':%lu,'depth':0,%s",
		      (unsigned long)n, in_context());
	for (int i = 0; i < readable; i++)
		tell_iocb(list[i]);
	for (int i = taken; i < readable; i++)
		tell_done("iocb_done", list[i], ret < 0 ? ret : -EAGAIN);
	return ret;
}

static void tell_events(const struct io_event *events, int n)
{
	for (int i = 0; i < n; i++)
		tell_done("iocb_done", events[i].obj, (long)events[i].res);
}

static int do_get(long min, long n, struct timespec *t)
{
	struct io_event events[64];
	int ret = io_getevents(context, min, n, events, t);
	char timeout[32] = "null";

	if (t)
		snprintf(timeout, sizeof(timeout), "%ld",
			 t->tv_sec * 1000000000L + t->tv_nsec);
	tell_negative("io_getevents", ret,
		      "'size':%ld,'args':{'context':%lu,'min':%ld,"
		      "'timeout':%s}", n, (unsigned long)context, min,
		      timeout);
	tell_events(events, ret);
	return ret;
}

static struct iocb *prepare(int i, bool writes, int fd)
{
	void *at = data + i * PART;

	if (writes)
		io_prep_pwrite(&blocks[i], fd, at, PART, i * PART);
	else
		io_prep_pread(&blocks[i], fd, at, PART, i * PART);
	return &blocks[i];
}

static void submit_vector(int fd)
{
	struct iovec parts[] = { { data, 10 }, { data + 50, 20 } };
	struct iocb *list[] = { &blocks[40] };
	int ret;

	io_prep_preadv(&blocks[40], fd, parts, 2, 7);
	ret = io_submit(context, 1, list);
	tell_negative("io_submit", ret, "'size':1,%s", in_context());
	tell("iocb_op", 0, "%s,'size':30,'off':7,'depth':1,'args':{'op':7,"
	     "'id':%lu,'vec':%s}", book_name(fd), (unsigned long)list[0],
	     tell_vector(parts, 2));
	do_get(1, 1, NULL);
}

/* Pointers that lead nowhere: the kernel says EFAULT, so must we. */
static void submit_nonsense(int fd)
{
	struct iocb *list[] = { prepare(0, false, fd), oracle_nowhere, NULL };
	char *page = mmap(NULL, 4096, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	do_submit(2, list, 1);
	do_get(1, 4, NULL);
	do_submit(1, list + 1, 0);
	do_submit(1, list + 2, 0);
	do_submit(1, (void *)page, 0);
	list[1] = (void *)page;
	do_submit(1, list + 1, 0);
	do_submit(-1, list, 0);
	do_submit(0, list, 0);
	list[0]->aio_lio_opcode = NO_OPERATION;
	do_submit(1, list, 1);
	munmap(page, 4096);
}

static void tell_inner_get(int ret, int n)
{
	tell_negative("io_getevents", ret, "'size':%d,'depth':1,'args':{"
		      "'context':%lu,'min':0,'timeout':0}", n,
		      (unsigned long)context);
}

/* The library does these by its own calls, which we see too. */
static void do_queue_calls(int fd)
{
	struct timespec nothing = { 0, 0 };
	struct iocb *list[] = { prepare(1, false, fd) };
	struct io_event event;
	int ret;

	context = NULL;
	ret = io_queue_init(8, &context);
	tell_negative("io_queue_init", ret, "'size':8,'depth':0");
	tell_negative("io_setup", ret, "'size':8,'depth':1");
	do_submit(1, list, 1);
	ret = io_queue_wait(context, &nothing);
	tell_negative("io_queue_wait", ret, "'args':{'context':%lu,"
		      "'timeout':0}", (unsigned long)context);
	tell_inner_get(ret, 0);
	do_get(1, 1, NULL);
	ret = io_queue_run(context);
	tell_negative("io_queue_run", ret, "%s", in_context());
	tell_inner_get(0, 1);
	ret = io_cancel(context, list[0], &event);
	tell_negative("io_cancel", ret, "'args':{'context':%lu,'id':%lu}",
		      (unsigned long)context, (unsigned long)list[0]);
	ret = io_pgetevents(context, 0, 1, &event, &nothing, NULL);
	tell_negative("io_pgetevents", ret, "'size':1,'args':{'context':%lu,"
		      "'min':0,'timeout':0}", (unsigned long)context);
	ret = io_queue_release(context);
	tell_negative("io_queue_release", ret, "%s", in_context());
	tell_negative("io_destroy", ret, "'depth':1,%s", in_context());
}

/* Calls of libraries are looked for anew after this. */
static void close_library(void)
{
	if (dlclose(dlopen("libm.so.6", RTLD_NOW)))
		tell_failure("a library cannot be closed");
	tell_silent("dlclose");
}

static void play_libaio(long count)
{
	struct timespec soon = { 0, 1000 };
	struct iocb *list[8];
	int fd, only, n = 0;

	oracle_make_file("data", 3 * PART + 50);
	fd = book_do_open("data", O_RDWR, 0);
	only = book_do_open("data", O_RDONLY, 0);
	do_setup(16);
	for (; n < 5; n++) /* the third is short, the rest find nothing */
		list[n] = prepare(n + 1, false, fd);
	list[n] = prepare(n, true, fd);
	n++;
	do_submit(n, list, n);
	do_get(2, 4, NULL);
	do_get(2, 4, NULL);
	do_get(0, 4, &soon);
	do_get(1, 1, &soon);
	list[0] = prepare(1, true, only);
	do_submit(1, list, 1); /* EBADF at once */
	io_prep_fsync(&blocks[9], fd);
	io_prep_fdsync(&blocks[10], fd);
	list[0] = &blocks[9];
	list[1] = &blocks[10];
	if (do_submit(2, list, 2) > 0)
		do_get(2, 4, NULL);
	submit_vector(fd);
	submit_nonsense(fd);
	do_destroy();
	do_destroy();
	do_setup(-1);
	close_library();
	do_queue_calls(fd);
	book_do_close(only);
	book_do_close(fd);
}

/* More than the context takes, and more than a chunk of records holds. */
static void play_full(long count)
{
	struct iocb *all = calloc((size_t)count, sizeof(*all));
	struct iocb **list = calloc((size_t)count, sizeof(*list));
	int fd, done = 0, taken;

	oracle_make_file("data", PART);
	fd = book_do_open("data", O_RDONLY, 0);
	do_setup(256);
	for (long i = 0; i < count; i++) {
		io_prep_pread(&all[i], fd, data, 8, i % PART);
		list[i] = &all[i];
	}
	taken = do_submit(count, list, (int)count);
	if (taken <= 0 || taken >= count)
		tell_failure("all or none were taken");
	while (done < taken)
		done += do_get(1, 64, NULL);
	do_destroy();
	book_do_close(fd);
	free(all);
	free(list);
}

const struct scenario oracle_libaio[] = {
	{ "libaio", play_libaio },
	{ "libaio-full", play_full },
	{ NULL, NULL },
};
