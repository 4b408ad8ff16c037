/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's own calls for asynchronous I/O, made through syscall(). */
#include "async_tell.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char data[100];

static void do_aio(int fd)
{
	struct iocb block = { .aio_lio_opcode = IOCB_CMD_PREAD,
			      .aio_fildes = (unsigned)fd,
			      .aio_buf = (unsigned long)data,
			      .aio_nbytes = 50, .aio_offset = 10 };
	struct iocb *list[] = { &block };
	struct timespec none = { 0, 0 };
	struct io_event event;
	aio_context_t context = 0;
	long ret = syscall(SYS_io_setup, 4, &context);

	tell("io_setup", ret, "'sys':'io_setup','size':4");
	ret = syscall(SYS_io_submit, context, 1, list);
	tell("io_submit", ret, "'sys':'io_submit','size':1,'depth':0");
	tell_op("iocb_op", 0, fd, tell_extent(50, 10), &block);
	ret = syscall(SYS_io_getevents, context, 1, 1, &event, NULL);
	tell("io_getevents", ret, "'sys':'io_getevents','size':1,'args':{"
	     "'context':%lu,'min':1,'timeout':null}", context);
	tell_done("iocb_done", &block, (long)event.res);
	ret = syscall(SYS_io_pgetevents, context, 0, 1, &event, &none, NULL);
	tell("io_pgetevents", ret, "'sys':'io_pgetevents','size':1,'args':{"
	     "'min':0,'timeout':0}");
	ret = syscall(SYS_io_cancel, context, &block, &event);
	tell("io_cancel", ret, "'sys':'io_cancel','args':{'id':%lu}",
	     (unsigned long)&block);
	ret = syscall(SYS_io_submit, context, 1, oracle_nowhere);
	tell("io_submit", ret, "'sys':'io_submit','size':1");
	ret = syscall(SYS_io_destroy, context);
	tell("io_destroy", ret, "'sys':'io_destroy','args':{'context':%lu}",
	     context);
}

/* Also where it is forbidden: then these are calls that fail. */
static void do_ring(void)
{
	struct io_uring_params params = { 0 };
	int fd = (int)syscall(SYS_io_uring_setup, 4, &params);
	long ret;

	tell("io_uring_setup", fd, "'sys':'io_uring_setup','size':4");
	if (fd >= 0)
		book_open(fd, "anon_inode:[io_uring]", 0);
	else
		fd = 997;
	ret = syscall(SYS_io_uring_enter, fd, 2, 0, 0, NULL, 8);
	tell("io_uring_enter", ret, "'sys':'io_uring_enter',%s,'size':2,"
	     "'args':{'wait':0,'flags':0}", book_name(fd));
	ret = syscall(SYS_io_uring_register, fd, 77, NULL, 3);
	tell("io_uring_register", ret, "'sys':'io_uring_register',%s,"
	     "'size':3,'args':{'op':77}", book_name(fd));
	if (fd != 997)
		book_do_close(fd);
}

static void play_async_sys(long count)
{
	int fd;

	oracle_make_file("data", 200);
	fd = book_do_open("data", O_RDONLY, 0);
	do_aio(fd);
	do_ring();
	book_do_close(fd);
}

const struct scenario oracle_async_sys[] = {
	{ "async-sys", play_async_sys },
	{ NULL, NULL },
};
