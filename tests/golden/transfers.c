/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves bytes in every way that has memory, and says where that lies. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static char memory[524288];
static struct aiocb block, list[2];

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static void move_plainly(int fd)
{
	must(write(fd, memory, sizeof(memory)) == sizeof(memory), "write");
	must(pwrite(fd, memory + 1, 300, 4096) == 300, "pwrite");
	must(pread(fd, memory + 2, 77, 11) == 77, "pread");
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	must(read(fd, memory + 3, 5) == 5, "read");
	must(read(77, memory, 10) < 0, "read must fail");
}

static void move_pieces(int fd)
{
	struct iovec pieces[4] = { { memory + 10, 10 },
				   { memory + 100, 10 },
				   { memory + 30, 10 },
				   { memory + 50, 17 } };

	must(writev(fd, pieces, 4) == 47, "writev");
	must(readv(fd, pieces, 2) == 20, "readv");
	must(pwritev(fd, pieces, 4, 50) == 47, "pwritev");
	must(preadv(fd, pieces, 2, 1) == 20, "preadv");
}

static void wait_for(struct aiocb *which)
{
	const struct aiocb *const one[] = { which };

	while (aio_error(which) == EINPROGRESS)
		aio_suspend(one, 1, NULL);
	must(aio_return(which) == (ssize_t)which->aio_nbytes, "aio_return");
}

static struct aiocb operation(int fd, size_t at, off_t off, int opcode)
{
	return (struct aiocb){ .aio_fildes = fd,
			       .aio_buf = memory + at,
			       .aio_nbytes = 10 + at,
			       .aio_offset = off,
			       .aio_lio_opcode = opcode };
}

static void move_beside(int fd)
{
	struct aiocb *both[] = { &list[0], &list[1] };

	block = operation(fd, 3, 100, 0);
	must(!aio_write(&block), "aio_write");
	wait_for(&block);
	block = operation(fd, 5, 7, 0);
	must(!aio_read(&block), "aio_read");
	wait_for(&block);
	list[0] = operation(fd, 8, 100, LIO_WRITE);
	list[1] = operation(fd, 40, 20, LIO_READ);
	must(!lio_listio(LIO_WAIT, both, 2, NULL), "lio_listio");
}

static void move_by_stream(void)
{
	FILE *f = fopen("stream", "w+");

	must(f && fwrite(memory + 9, 10, 20, f) == 20, "fwrite");
	rewind(f);
	must(fread(memory + 7, 1, 100, f) == 100, "fread");
	fclose(f);
}

int main(void)
{
	int fd = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0644);

	must(fd >= 0, "open");
	move_plainly(fd);
	move_pieces(fd);
	move_beside(fd);
	move_by_stream();
	must(!close(fd), "close");
	printf("%p %p %p %p\n", (void *)memory, (void *)&block,
	       (void *)&list[0], (void *)&list[1]);
	return 0;
}
