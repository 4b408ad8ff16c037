/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by the kernel, between files, pipes and sockets. */
#include "calls.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

static void try_sendfile(const struct cell *c)
{
	int other = make_second("other", "of the other");
	off_t at = 2;

	SAY(sendfile(other, c->fd, &at, 5));
	SAY(sendfile(other, c->fd, NULL, 100));
	SAY(lseek(other, 0, SEEK_SET));
	SAY(sendfile(c->fd, other, NULL, 7));
	SAY(sendfile(c->fd, c->dir, NULL, 7));
	say_file("other", other);
	close(other);
}

static void try_copy_file_range(const struct cell *c)
{
	int other = make_second("other", "of the other");
	off_t at = 2, to = 20;

	SAY(copy_file_range(c->fd, &at, other, &to, 5, 0));
	SAY(copy_file_range(c->fd, NULL, other, NULL, 100, 0));
	SAY(lseek(other, 0, SEEK_SET));
	SAY(copy_file_range(other, NULL, c->fd, NULL, 7, 0));
	SAY(copy_file_range(c->fd, &at, c->fd, &to, 2, 0));
	SAY(copy_file_range(c->fd, NULL, c->dir, NULL, 2, 0));
	say_file("other", other);
	close(other);
}

static void try_splice(const struct cell *c)
{
	loff_t at = 3;
	int ends[2];

	if (pipe(ends))
		exit(1);
	SAY(splice(c->fd, &at, ends[1], NULL, 4, 0));
	SAY(splice(c->fd, NULL, ends[1], NULL, 4, 0));
	at = 12;
	SAY(splice(ends[0], NULL, c->fd, &at, 4, 0));
	SAY(splice(ends[0], NULL, c->fd, NULL, 4, 0));
	SAY(splice(c->fd, NULL, c->fd, NULL, 4, 0));
}

static void try_tee(const struct cell *c)
{
	int ends[2];

	if (pipe(ends))
		exit(1);
	SAY(tee(c->fd, ends[1], 4, 0));
	SAY(tee(ends[0], c->fd, 4, 0));
}

static void try_vmsplice(const struct cell *c)
{
	struct iovec part = {"bytes", 5};

	SAY(vmsplice(c->fd, &part, 1, 0));
}

static void try_ioctl(const struct cell *c)
{
	int other = make_second("other", "of the other"), left = -1;
	long flags = -1;

	SAY(ioctl(c->fd, FIONREAD, &left));
	SAY(left);
	SAY(ioctl(c->fd, FS_IOC_GETFLAGS, &flags));
	SAY(ioctl(c->fd, FICLONE, other));
	SAY(ioctl(other, FICLONE, c->fd));
	SAY(ioctl(c->fd, FIGETBSZ, &left));
	SAY(left);
	SAY(ioctl(c->fd, 0));
	SAY(isatty(c->fd));
	close(other);
}

const struct call copy_calls[] = {
	{"sendfile", try_sendfile},
	{"copy_file_range", try_copy_file_range},
	{"splice", try_splice},
	{"tee", try_tee},
	{"vmsplice", try_vmsplice},
	{"ioctl", try_ioctl},
	{NULL, NULL},
};
